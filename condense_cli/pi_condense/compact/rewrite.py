"""Compaction into a new file: the turns of closed chains leave, a user message takes their place.

For every format but pi's, whose client reads entries that are appended. Nothing is written here: the document is
changed in memory, and what left it is told, so that it can be kept elsewhere first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.document.edits import apply_edits
from condense_cli.jsonbytes.javascript import UNDEFINED, json_length, string, utf16_length
from condense_cli.pi_condense.compact.body import Brief, tools_of
from condense_cli.pi_condense.compact.chains import Standing
from condense_cli.pi_condense.compact.leaving import Halves
from condense_cli.pi_condense.compact.placing import Replacement, put_in
from condense_cli.pi_condense.compact.run import Why
from condense_cli.pi_condense.compact.spans import detect, standings
from condense_cli.pi_condense.compact.stand_in import is_stand_in, marks, stand_in_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from condense_cli.document.document import Document
    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.views import Block, View
    from condense_cli.model.messages import Message, Record, Result
    from condense_cli.pi_condense.compact.leaving import Leaving
    from condense_cli.pi_condense.compact.spans import ChainSpan
    from condense_cli.pi_condense.compact.stand_in import Mark
    from condense_cli.pi_condense.prune.protect import Protected

RULE = "compact"  # what the edits are named after
_PATHS = ("path", "file_path")  # how clients call the argument that names a file


class Said(NamedTuple):
    """What is told of a result: its tool, the arguments of its call, and its time in milliseconds (or UNDEFINED)."""

    tool: Any
    arguments: Any
    time: Any


class Kept(NamedTuple):
    """An output that leaves the file, and the reference that gives it back."""

    ref: str
    result: Result


class ChainRewrite(NamedTuple):
    """What became of one chain. line is that of its user message; block is empty where it stays.

    index counts the messages of an array from 0 (None: a file of lines); saved counts UTF-16 units; gone are the
    records that leave with it.
    """

    line: int
    standing: Standing
    block: str = ""
    why: Why | None = None
    detail: str = ""
    calls: int = 0
    tools: str = ""
    saved: int = 0
    kept: tuple[Kept, ...] = ()
    gone: tuple[Record, ...] = ()
    index: int | None = None  # type: ignore[assignment]  # a tuple has a method of this name


class Rewriting(NamedTuple):
    """Everything that one compaction comes to. before and after count UTF-16 units of what the model reads."""

    rows: tuple[ChainRewrite, ...]
    marks: tuple[Mark, ...]  # what was compressed before
    before: int
    after: int
    messages: int = 0  # of all threads, afterwards
    others: tuple[Record, ...] = ()  # what goes because it belongs to a record that is gone

    @property
    def gains(self) -> bool:
        """Say whether what the model reads becomes smaller."""
        return self.after < self.before

    @property
    def compressed(self) -> list[ChainRewrite]:
        """Return the chains that leave."""
        return [row for row in self.rows if row.block]


class Terms(NamedTuple):
    """What is asked for: the number of chains to leave alone, and which outputs are never replaced."""

    window: int
    protected: Protected
    only_gain: bool = False
    taken: int = 0  # the highest reference that is kept elsewhere already


def rewrite(
    document: Document, views: Iterable[View], terms: Terms, said: Callable[[Result], Said]
) -> tuple[Rewriting, Document]:
    """Return what compaction makes of a document whose lines may change: messages replace the chains of each thread."""
    known = marks(document)
    work = _Work(document, terms, said, known)
    rows = [row for view in list(views) for row in work.thread(view)]
    mine = {record for row in rows for record in row.gone}
    others = tuple(record for record in work.others if record not in mine)
    rewriting = Rewriting(
        tuple(rows), tuple(known), work.before, work.before - sum(row.saved for row in rows), work.messages, others
    )
    return rewriting, apply_edits(document, work.edits)


class _Work:
    """The state that goes from chain to chain: the numbers, and what the model reads."""

    def __init__(self, document: Document, terms: Terms, said: Callable[[Result], Said], known: Sequence[Mark]) -> None:
        self.document = document
        self.terms = terms
        self.said = said
        self.marked = {id(mark.record) for mark in known}
        self.block = max((mark.block for mark in known), default=0)
        self.ref = max((ref for mark in known for ref in mark.refs), default=0)
        self.ref = max(self.ref, terms.taken)
        self.before = 0
        self.messages = 0
        self.edits: list[RecordEdit] = []
        self.others: list[Record] = []

    def thread(self, view: View) -> list[ChainRewrite]:
        """Compress the chains of one thread."""
        messages = view.messages
        sizes = [self._size(message) for message in messages]
        self.before += sum(sizes)
        self.messages += len(messages)
        spans = detect(
            messages, lambda n: id(messages[n].record) in self.marked and is_stand_in(self.document, messages[n])
        )
        if not any(span.middles for span in spans):
            return [
                self._named(messages[span.opened].record, standing)
                for span, standing in zip(spans, standings(spans, 0), strict=True)
            ]
        halves = Halves(self.document, view)
        replacements: list[Replacement] = []
        rows = [
            self._row(span, standing, halves, replacements, sizes)
            for span, standing in zip(spans, standings(spans, self.terms.window), strict=True)
        ]
        placed = put_in(self.document, view, replacements, RULE)
        self.edits += placed.edits
        self.others += placed.others
        return rows

    def _named(self, opened: Record, standing: Standing) -> ChainRewrite:
        return ChainRewrite(opened.line, standing, index=self.document.index(opened))

    def _size(self, message: Message) -> int:
        return sum(map(_weight, self.document.format.turn(self.document, message).blocks))

    def _row(
        self, span: ChainSpan, standing: Standing, halves: Halves, replacements: list[Replacement], sizes: Sequence[int]
    ) -> ChainRewrite:
        inside = [halves.messages[n] for n in span.middles]
        calls = [call for message in inside for call in message.calls]
        row = self._named(halves.messages[span.opened].record, standing)
        row = row._replace(calls=len(calls), tools=tools_of(call.name or "" for call in calls))
        if standing is not Standing.ELIGIBLE:
            return row
        leaving = halves.leaving(span)
        said = [] if leaving.obstacle else [self.said(answered.result) for answered in leaving.answered]
        obstacle = leaving.obstacle or self._protected(said)
        if obstacle:
            return row._replace(why=Why.UNSAFE, detail=obstacle)
        return self._compressed(row, leaving, said, replacements, [sizes[n] for n in span.middles])

    def _protected(self, said: Iterable[Said]) -> str:
        for one in said:
            given = one.arguments if isinstance(one.arguments, dict) else {}
            if any(self.terms.protected(one.tool, path) for path in (None, *(given.get(key) for key in _PATHS))):
                return "its outputs are protected"
        return ""

    def _compressed(
        self,
        row: ChainRewrite,
        leaving: Leaving,
        said: Sequence[Said],
        replacements: list[Replacement],
        sizes: Sequence[int],
    ) -> ChainRewrite:
        block = f"b{self.block + 1}"
        kept = tuple(
            Kept(f"t{number}", answered.result) for number, answered in enumerate(leaving.answered, self.ref + 1)
        )
        briefs = [
            Brief(one.result.id, string(told.tool), told.time, told.arguments)
            for one, told in zip(kept, said, strict=True)
        ]
        text = stand_in_text(block, [one.ref for one in kept], briefs)
        saved = sum(sizes) - utf16_length(text)
        if saved <= 0 and self.terms.only_gain:
            return row._replace(why=Why.NO_GAIN)
        self.block += 1
        self.ref += len(kept)
        self.messages += 1 - len(sizes)
        replacements.append(Replacement(leaving, text))
        return row._replace(block=block, saved=saved, kept=kept, gone=leaving.all)


def _weight(block: Block) -> int:
    """Count the UTF-16 units of a block that the model reads."""
    named = sum(utf16_length(text) for text in (block.id, block.name) if isinstance(text, str))
    given = json_length(block.arguments) if block.arguments not in (None, UNDEFINED) else 0
    inner = sum(map(_weight, block.inner)) if block.inner else utf16_length(block.text)
    return named + given + inner + len(block.data) + len(block.signature)
