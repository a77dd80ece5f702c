"""A thread of any format as turns: as its client reads it, and swept.

Facts first; texts are loaded as they are shown.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from condense_cli.document.views import Block, Turn, View
from condense_cli.errors import UsageError
from condense_cli.model.blocks import ANSWER, is_placeholder
from condense_cli.model.messages import Call, Half, Message, Record, Result, Role, TurnResult
from condense_cli.pairing.contract import contract
from condense_cli.pairing.count import count
from condense_cli.pairing.decision import Decision, MessageOutline, Step, steps
from condense_cli.pairing.turn import turn as by_turn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from condense_cli.document.document import Document
    from condense_cli.jsonbytes.jsonspan import Path

_LETTERS = {"call": "c", "result": "r", "thinking": "h"}


class Out(NamedTuple):
    """A turn that comes out of a sweep, and the step it is."""

    step: Step
    turn: Turn


class Thread:
    """One thread of a session: its turns by number from 0."""

    def __init__(self, document: Document, view: View) -> None:
        self.document = document
        self.view = view
        self.messages = view.messages
        self.joins = document.format.joins_neighbours
        self._members = _members(view) if self.joins else {}
        self._outlines: list[MessageOutline] | None = None

    def load(self, number: int) -> Turn:
        """Load one turn with its texts."""
        message = self.messages[number]
        members = self._members.get(number, ())
        if len(members) < 2:
            return self.document.format.turn(self.document, message)
        blocks = (block._replace(record=r) for r in members for block in self._own(r).blocks)
        return Turn(message.record, message.role, tuple(blocks), message.skipped)

    def _own(self, record: Record) -> Turn:
        assert record.message is not None
        return self.document.format.turn(self.document, record.message)

    def records(self, number: int) -> Sequence[Record]:
        """Return the records of one turn, in their order."""
        return self._members.get(number) or (self.messages[number].record,)

    def place(self, number: int, part: int) -> tuple[Record, Path]:
        """Say in which record a block of a turn is, and where in it; for formats with `own_shape`.

        part counts from 0.
        """
        for record in self.records(number):
            message = record.message
            assert message is not None
            paths = self.document.format.part_paths(message, self.document.value(record))
            if part < len(paths):
                return record, paths[part]
            part -= len(paths)
        raise IndexError(part)

    def turns(self) -> Iterator[Turn]:
        """Yield the turns as the client reads them."""
        for number in range(len(self.messages)):
            yield from self._split(self.load(number))

    def _split(self, turn: Turn) -> Iterator[Turn]:
        """Take turns apart that are several messages of the file."""
        if not self.joins or not turn.blocks:
            yield turn
            return
        for record, blocks in groupby(turn.blocks, key=lambda block: block.record):
            yield turn._replace(record=record or turn.record, blocks=tuple(blocks))

    @property
    def outlines(self) -> list[MessageOutline]:
        """Return what the sweep rules look at; the first time, every turn is loaded once."""
        if self._outlines is None:
            self._outlines = [
                outline_of(self.load(n), number=n, facts=self.messages[n]) for n in range(len(self.messages))
            ]
        return self._outlines

    def decide(self, rule: str, exempt: frozenset[str] = frozenset()) -> Decision:
        """Sweep by a rule: turn, count or contract.

        Raises UsageError where tools are exempt from another rule than count.
        """
        if exempt and rule != "count":
            raise UsageError(f"--exempt-tool has no meaning for the rule `{rule}`", "add --sweep count")
        fmt = self.document.format
        rules: dict[str, Callable[[], Decision]] = {
            "turn": lambda: by_turn(self.outlines),
            "count": lambda: count(self.outlines, exempt),
            "contract": lambda: contract(self.outlines, shared_results=fmt.shared_results, together=fmt.together),
        }
        return rules[rule]()

    def swept(self, decision: Decision, *, whole: bool = False) -> Iterator[Out]:
        """Yield the turns that come out, each loaded when its turn comes; whole: joined messages stay one turn."""
        for step in steps(len(self.messages), decision):
            if step.number is not None:
                turn = self.load(step.number)
                without = decision.without(step.number, self.outlines[step.number])
                if without:
                    turn = turn._replace(blocks=tuple(b for part, b in enumerate(turn.blocks) if part not in without))
                for one in (turn,) if whole else self._split(turn):
                    yield Out(step, one)
            elif step.result is not None:
                home = self.messages[step.result.record.line]
                yield Out(step, self._apart(home, self.load(step.result.record.line).blocks[step.result.part]))
            elif step.answer is not None:
                home = self.messages[step.answer.record.line]
                call = self.load(step.answer.record.line).blocks[step.answer.part]
                yield Out(step, self._apart(home, answer_to(call)))

    def _apart(self, home: Message, block: Block) -> Turn:
        role = Role.USER if self.document.format.shared_results else Role.RESULT
        return Turn(home.record, role, (block,))


def answer_to(call: Block) -> Block:
    """Make up the result of a call whose outcome is unknown."""
    return Block("result", ANSWER, call.id, call.name, error=True, inner=(Block("text", ANSWER),))


def _members(view: View) -> dict[int, Sequence[Record]]:
    """Return the records of each message, where several neighbours are one turn."""
    found: dict[int, Sequence[Record]] = {}
    number = {id(message.record): n for n, message in enumerate(view.messages)}
    at = -1
    for record in view.path:
        if record.message is None:
            continue
        at = number.get(id(record), at)
        found[at] = [*found.get(at, ()), record]
    return found


# ---------------------------------------------------------------------- facts of a turn
def outline_of(turn: Turn, *, number: int, facts: Message | None = None) -> MessageOutline:
    """Read from a turn what the sweep rules need; facts are those of its format, where it has more of them.

    The halves stand in a record of their own, whose line is the number of the turn and whose parts are its blocks.
    """
    record = Record(number, 0, 0)
    kinds = "".join(_LETTERS.get(block.kind, "t") for block in turn.blocks)
    known = _Known(facts)
    calls: list[Call] = []
    results: list[Result] = []
    for part, block in enumerate(turn.blocks):
        ident = block.id if isinstance(block.id, str) else None
        if block.kind == "call":
            call = known.call(ident, block.record)
            name = block.name if isinstance(block.name, str) else None
            made = Call(record, part, ident, name, call.family if call else "")
            calls.append(made.seen_as(type(call)) if call else made)
        elif block.kind == "result":
            result = known.result(ident, block.record)
            made_up = result.placeholder if result else is_placeholder(block.text)
            kind = TurnResult if isinstance(result, TurnResult) else Result
            results.append(kind(record, part, ident, made_up, result.family if result else ""))
    said = facts.said if facts else "t" in kinds or "h" in kinds or not kinds
    message = Message(record, turn.role, tuple(calls), tuple(results), said, turn.skipped)
    return MessageOutline(message, kinds, _copies(turn, calls))


class _Known:
    """The halves that a format read from a message; each is given out once."""

    def __init__(self, facts: Message | None) -> None:
        self.calls = list(facts.calls) if facts else []
        self.results = list(facts.results) if facts else []

    def call(self, ident: str | None, record: Record | None) -> Call | None:
        """Return the first call with this id that is left."""
        found = next((c for c in self.calls if _is(c, ident, record)), None)
        if found is not None:
            self.calls.remove(found)
        return found

    def result(self, ident: str | None, record: Record | None) -> Result | None:
        """Return the first result with this id that is left."""
        found = next((r for r in self.results if _is(r, ident, record)), None)
        if found is not None:
            self.results.remove(found)
        return found


def _is(half: Half, ident: str | None, record: Record | None) -> bool:
    return half.id == ident and (record is None or half.record is record)


def _copies(turn: Turn, calls: Iterable[Call]) -> frozenset[Call]:
    """Return the calls that say the same as an earlier one of their turn, id included."""
    found: set[Call] = set()
    earlier: list[Call] = []
    for call in calls:
        said = turn.blocks[call.part]
        for other in earlier:
            before = turn.blocks[other.part]
            if other.id == call.id and (before.name, before.arguments) == (said.name, said.arguments):
                found.add(call)
        earlier.append(call)
    return frozenset(found)
