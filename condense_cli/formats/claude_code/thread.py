"""The threads of a Claude Code session: its links, which record ends it, and what the client makes of a path.

A response is spread over several records, and the results of parallel calls stand on side branches of it;
the client gathers both again, and so does this. No walk trusts the file: every one of them ends.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

from condense_cli.document.format import View, Writer
from condense_cli.formats.claude_code.records import (
    BLANK_TEXT,
    BOUNDARY,
    EMPTY_TEXT,
    LIVE,
    MIXED,
    PROMPT,
    blank_text,
    facts,
)
from condense_cli.model.messages import Flaw, Message, Record, Result, Role, unpaused

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from condense_cli.document.document import Document

WRITER = Writer("anthropic-messages", "anthropic", "")

_Key = tuple[int, int, int]
_CHAINS: WeakKeyDictionary[Document, tuple[_Key, Chain]] = WeakKeyDictionary()
_MEMBERS: WeakKeyDictionary[Document, dict[int, list[Record]]] = WeakKeyDictionary()


class Chain:
    """The records with an id and their links, as they stand now. Copies of a record are left out."""

    def __init__(self, document: Document) -> None:
        # It must not hold the document: that would keep every document of a long run alive.
        self.records = [r for r in document.records if r.id is not None and not r.gone]
        self.owners: dict[str, Record] = {}
        self.twins: dict[str, list[Record]] = {}
        copies = self._index(document)
        if copies:
            self.records = [r for r in self.records if id(r) not in copies]
        self.logical = {id(r): _text(document.value(r).get("logicalParentUuid")) for r in self.records if r.extra.flags & BOUNDARY}
        self._order: dict[int, int] | None = None
        self._children: dict[str, list[Record]] | None = None
        self._ends: dict[bool, list[Record]] = {}
        sessions = Counter([r.extra.owner for r in self.records])
        self.sidechain = bool(sessions) and all(owner.sidechain for owner in sessions)
        names: Counter[str | None] = Counter()
        for owner, count in sessions.items():
            names[owner.session] += count
        self.sessions = names
        stem = os.path.basename(document.path).removesuffix(".jsonl")
        self.session = stem if stem in names else max(names, key=lambda name: names[name], default=None)

    def _index(self, document: Document) -> set[int]:
        """Note who owns which id; return the records that the client wrote a second time, byte for byte."""
        copies: set[int] = set()
        for record in self.records:
            ident = record.id or ""
            first = self.owners.setdefault(ident, record)
            if first is record:
                continue
            raw = document.raw(record).strip()
            alike = self.twins.get(ident, [first])
            if any(document.raw(other).strip() == raw for other in alike):
                copies.add(id(record))
            else:
                self.twins[ident] = [*alike, record]
        return copies

    # ------------------------------------------------------------------ links
    @property
    def order(self) -> dict[int, int]:
        """Return where each record stands among all records of the chain."""
        if self._order is None:
            self._order = {id(record): n for n, record in enumerate(self.records)}
        return self._order

    @property
    def children(self) -> dict[str, list[Record]]:
        """Return parent id -> records that hang on it, in file order."""
        if self._children is None:
            self._children = defaultdict(list)
            for record in self.records:
                if record.parent is not None:
                    self._children[record.parent].append(record)
        return self._children

    def named(self, ident: str | None, by: Record) -> Record | None:
        """Return the record that `by` means by an id: of two owners the nearest one above it."""
        if ident is None:
            return None
        twins = self.twins.get(ident) if self.twins else None
        if twins is None:
            return self.owners.get(ident)
        place = self.order.get(id(by), len(self.records))
        above = [twin for twin in twins if self.order[id(twin)] < place]
        return above[-1] if above else twins[-1]

    def parent(self, record: Record) -> Record | None:
        """Return the record that this one hangs on."""
        return self.named(record.parent, record)

    # ------------------------------------------------------------------ leaves
    def ends(self, *, sidechain: bool) -> list[Record]:
        """Return the live records that no live record descends from, newest last; of a ring the newest record."""
        found = self._ends.get(sidechain)
        if found is None:
            found = self._ends[sidechain] = self._find_ends(sidechain)
        return found

    def _find_ends(self, sidechain: bool) -> list[Record]:
        session = self.session
        live = [r for r in self.records if r.extra.flags & LIVE and r.extra.owner.sidechain is sidechain and r.extra.owner.session == session]
        alive = {id(r) for r in live}
        continued: set[int] = set()
        links: set[int] = set()
        # The one look-up of each walk is written out: a million records are asked for their parents.
        owners, parent = self.owners.get, self.parent if self.twins else None
        for record in live:
            at = parent(record) if parent else owners(record.parent or "")
            while at is not None:
                if id(at) in alive:
                    continued.add(id(at))
                    break
                if id(at) in links:
                    break
                links.add(id(at))
                at = self.parent(at)
        ends = [r for r in live if id(r) not in continued] or live
        return sorted(ends, key=lambda r: facts(r).time) if len(ends) > 1 else ends

    def leaf(self) -> Record | None:
        """Return the record at which the client goes on: the newest end whose thread holds a prompt, else the newest."""
        ends = self.ends(sidechain=self.sidechain)
        for end in reversed(ends):
            if any(facts(r).flags & PROMPT for r in self.up(end)):
                return end
        return ends[-1] if ends else None

    def up(self, record: Record | None) -> Iterator[Record]:
        """Yield a record and all above it."""
        seen: set[int] = set()
        while record is not None and id(record) not in seen:
            seen.add(id(record))
            yield record
            record = self.parent(record)

    def before(self, boundary: Record) -> Record | None:
        """Return the record that stood before a compaction."""
        return self.named(self.logical.get(id(boundary)), boundary)

    def path(self, leaf: Record | None) -> list[Record]:
        """Return the records from the root to a leaf, over all compactions."""
        path: list[Record] = []
        seen: set[int] = set()
        while leaf is not None and id(leaf) not in seen:
            seen.add(id(leaf))
            path.append(leaf)
            above = self.parent(leaf) if self.twins else self.owners.get(leaf.parent or "")
            leaf = above or self.before(leaf)
        path.reverse()
        return path


def chain_of(document: Document) -> Chain:
    """Return the links of a document, built anew when it was changed."""
    key = (id(document.records), len(document.records), len(document.edits))
    known = _CHAINS.get(document)
    if known is not None and known[0] == key:
        return known[1]
    chain = Chain(document)
    _CHAINS[document] = (key, chain)
    return chain


def members(document: Document, message: Message) -> list[Record]:
    """Return the records of a response that a view has put together."""
    return _MEMBERS.get(document, {}).get(id(message.record)) or [message.record]


# ---------------------------------------------------------------------- one thread
def view_of(document: Document, leaf: Record | None) -> View:
    """Read the thread that ends at a leaf as the client does: from its last compaction on."""
    chain = chain_of(document)
    path = chain.path(leaf)
    messages, beside = _speak(document, chain, path, current(document, chain, path))
    return View(path, messages, WRITER, leaf, beside)


def whole(document: Document, view: View) -> list[Message]:
    """Return all messages of a thread, those before a compaction, too."""
    return _speak(document, chain_of(document), view.path, view.path)[0]


def current(document: Document, chain: Chain, path: Sequence[Record]) -> Sequence[Record]:
    """Return the part of a path that the client reads: behind the last compaction, and what that one preserved."""
    if not chain.logical:
        return path
    at = max((n for n, r in enumerate(path) if facts(r).flags & BOUNDARY), default=None)
    if at is None:
        return path
    rest = list(path[at + 1 :])
    kept, anchor = preserved(document, chain, path[at])
    here = {id(r) for r in rest}
    kept = [r for r in kept if id(r) not in here]
    if kept:
        place = next((n + 1 for n, r in enumerate(rest) if r.id == anchor), 0)
        rest[place:place] = kept
    return rest


def preserved(document: Document, chain: Chain, boundary: Record) -> tuple[list[Record], str | None]:
    """Return the records that a compaction preserved, and the id of the record that they go behind."""
    metadata = document.value(boundary).get("compactMetadata")
    if not isinstance(metadata, dict):
        return [], None
    listed, segment = metadata.get("preservedMessages"), metadata.get("preservedSegment")
    if isinstance(listed, dict) and isinstance(listed.get("uuids"), list):
        found = [chain.named(ident, boundary) for ident in listed["uuids"] if isinstance(ident, str)]
        return [r for r in found if r is not None], _text(listed.get("anchorUuid"))
    if isinstance(segment, dict):
        head, tail = _text(segment.get("headUuid")), _text(segment.get("tailUuid"))
        kept: list[Record] = []
        for record in chain.up(chain.named(tail, boundary)):
            kept.append(record)
            if record.id == head:
                kept.reverse()
                return kept, _text(segment.get("anchorUuid"))
    return [], None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


# ---------------------------------------------------------------------- messages
class _Response:
    """One response while it is gathered: its records on the path and beside it, and results from side branches."""

    __slots__ = ("again", "beside", "cut", "late", "name", "parts")

    def __init__(self, name: str | None, part: Message) -> None:
        self.name = name
        self.parts = [part]
        self.beside: list[Message] = []
        self.late: list[Message] = []
        self.again: list[Message] = []  # second answers on side branches
        self.cut: list[Message] | None = None  # what follows once something was said in the middle of it


class _Beside(NamedTuple):
    """What stands off the path and belongs to it, by response."""

    siblings: dict[str, list[Message]]
    results: dict[str, list[Message]]
    again: dict[str, list[Message]]


def _speak(document: Document, chain: Chain, path: Sequence[Record], context: Sequence[Record]) -> tuple[list[Message], list[Record]]:
    beside = _beside(chain, path if context is path else list({id(r): r for r in (*path, *context)}.values()))
    items: list[Message | _Response | list[Message]] = []
    now: _Response | None = None
    for record in context:
        message = record.message
        if message is None or message.skipped:
            continue
        if message.role is not Role.ASSISTANT:
            if now is not None and now.cut is None and message.role is not Role.RESULT:
                items.append(now.again)
                now.cut = []
                items += (message, now.cut)
            else:
                items.append(message)
            continue
        name = record.extra.response
        cut = None
        if now is not None:
            if name is not None and now.name == name:
                if now.cut is None:
                    now.parts.append(message)
                    continue
                if message.results:
                    # Server-side results that are cut off from their calls: they stand where their response broke off.
                    now.cut.append(Message(record, Role.RESULT, (), message.results, False))
                    if not (message.said or message.calls or message.signed or message.flaws):
                        continue
                    message = replace(message, results=())
                cut = now.cut
            elif now.cut is None:
                items.append(now.again)
        now = _Response(name, message)
        now.cut = cut
        items.append(now)
        if beside is not None and name is not None:
            now.beside = beside.siblings.pop(name, [])
            now.late = beside.results.pop(name, [])
            now.again = beside.again.pop(name, [])
    if now is not None and now.cut is None:
        items.append(now.again)
    return _said(document, chain, items)


def _said(document: Document, chain: Chain, items: list[Message | _Response | list[Message]]) -> tuple[list[Message], list[Record]]:
    """Return the messages in order, and the records among them that stand beside the path."""
    taken: list[Record] = []
    messages: list[Message] = []
    together: dict[int, list[Record]] = {}
    for item in items:
        if isinstance(item, Message):
            messages.append(item)
        elif isinstance(item, list):
            messages.extend(item)
        else:
            if item.beside or len(item.parts) > 1:
                messages.append(_joined(chain, item, together))
            else:
                messages.append(item.parts[0])
            messages.extend(item.late)
            taken.extend(m.record for m in (*item.beside, *item.late, *item.again))
    _MEMBERS.setdefault(document, {}).update(together)
    return messages, taken


def _joined(chain: Chain, response: _Response, together: dict[int, list[Record]]) -> Message:
    """Put the records of one response together into one message."""
    parts = response.parts
    first = parts[0].record
    if response.beside:
        parts = sorted([*parts, *response.beside], key=lambda m: chain.order.get(id(m.record), 0))
    together[id(first)] = [part.record for part in parts]
    said = signed = False
    calls: list[Any] = []
    results: list[Result] = []
    flawed = False
    for part in parts:
        said = said or part.said
        signed = signed or part.signed
        flawed = flawed or bool(part.flaws)
        calls += part.calls if part is parts[-1] else unpaused(part.calls)
        results += part.results
    flaws = tuple(_flaws(parts, signed=signed)) if flawed else ()
    return Message(first, Role.ASSISTANT, tuple(calls), tuple(results), said, False, flaws, signed)


def _flaws(parts: list[Message], *, signed: bool) -> Iterator[Flaw]:
    """Judge again what depends on the rest of the response."""
    empty = [all(flaw.rule == "empty-message" for flaw in part.flaws) and bool(part.flaws) for part in parts]
    something = not all(empty)
    for part in parts:
        for flaw in part.flaws:
            flaw = flaw._replace(record=part.record)  # noqa: PLW2901 - the same flaw with its place
            if flaw.rule == "unsigned-thinking" and signed:
                yield flaw._replace(variant=MIXED)
            elif flaw.rule != "empty-message" or not something:
                yield flaw
            elif flaw.detail in (EMPTY_TEXT, BLANK_TEXT):
                yield blank_text(part.record, flaw.part, flaw.detail)


def _beside(chain: Chain, path: Sequence[Record]) -> _Beside | None:
    """Find what stands off the path: other records of its responses, and results for their calls."""
    if len(path) == len(chain.records):
        return None
    on_path = {r.id for r in path}
    shown: dict[str, None] = {}
    for record in path:
        message = record.message
        if message is not None and message.role is Role.ASSISTANT and not message.skipped:
            name = facts(record).response
            if name is not None:
                shown[name] = None
    siblings: dict[str, list[Message]] = defaultdict(list)
    results: list[Message] = []
    seen: set[str | None] = set()
    for record in chain.records:
        message = record.message
        if message is None or record.id in on_path or message.skipped:
            continue
        if message.role is Role.ASSISTANT:
            name = facts(record).response
            if name in shown and record.id not in seen:
                seen.add(record.id)
                siblings[name].append(message)
        elif message.results and record.id not in seen:
            seen.add(record.id)
            results.append(message)
    found = _Beside(siblings, defaultdict(list), defaultdict(list))
    if results:
        _own(chain, path, found, results)
    return found


def _own(chain: Chain, path: Iterable[Record], found: _Beside, results: list[Message]) -> None:
    """Give results beside the path to the response that asked; of a call that is answered on the path only a copy counts.

    A second answer that a branch of its own goes on from is another course of events, not a copy.
    """
    siblings = found.siblings
    latest: dict[str, str] = {}  # call id -> the last response on the path that used it
    asked: Counter[tuple[str, str]] = Counter()
    answered: Counter[tuple[str, str]] = Counter()
    done: set[str] = set()
    for record in path:
        message = record.message
        if message is None or message.skipped:
            continue
        if message.role is Role.ASSISTANT:
            name = facts(record).response
            if name is None:
                continue
            parts = [message] if name in done else [message, *siblings.get(name, [])]
            done.add(name)
            for call in (call for part in parts for call in part.calls if call.id):
                latest[call.id or ""] = name
                asked[name, call.id or ""] += 1
        for result in message.results:
            if result.id in latest:
                answered[latest[result.id], result.id] += 1
    for message in results:
        near = _asker(chain, message.record)
        mine: list[Result] = []
        owner: str | None = None
        group = found.results
        for result in message.results:
            ident = result.id or ""
            name = near if near is not None and (near, ident) in asked else latest.get(ident)
            if name is None or owner not in (None, name):
                continue
            enough = answered[name, ident] >= asked[name, ident]
            if enough and (name != near or _goes_on(chain, message.record, name)):
                continue
            if enough:
                group = found.again
            owner = name
            answered[name, ident] += 1
            mine.append(result)
        if owner is not None:
            group[owner].append(Message(message.record, Role.RESULT, (), tuple(mine), False, False, message.flaws))


def _asker(chain: Chain, record: Record) -> str | None:
    """Return the response that a result beside the path hangs below, with nothing said in between."""
    for above in chain.up(chain.parent(record)):
        if above.message is not None and above.message.role is Role.ASSISTANT:
            return facts(above).response
        if facts(above).flags & PROMPT:
            return None
    return None


def _goes_on(chain: Chain, record: Record, response: str) -> bool:
    """Say whether a prompt or another response hangs below a record."""
    todo, seen = [record], {id(record)}
    while todo:
        for child in chain.children.get(todo.pop().id or "", ()):
            if id(child) in seen:
                continue
            seen.add(id(child))
            known = facts(child)
            if known.flags & PROMPT or known.response not in (None, response):
                return True
            todo.append(child)
    return False

