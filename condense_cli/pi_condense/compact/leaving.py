"""Which records leave a file with the calls of a chain, and what speaks against letting them go."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from condense_cli.model.messages import Role
from condense_cli.pairing.pair import pair

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from condense_cli.document.document import Document
    from condense_cli.document.views import View
    from condense_cli.model.messages import Call, Record, Result
    from condense_cli.pi_condense.compact.spans import ChainSpan

_HARMLESS = frozenset({"reused-id"})  # halves are told apart by their place, not by their id


class Answered(NamedTuple):
    """A call and the one result that answers it."""

    call: Call
    result: Result


class Leaving(NamedTuple):
    """What goes with a chain: its records in the order of the thread, and its calls with their results in theirs.

    previous is the record of the thread before them; shown are records that only show these calls to people.
    obstacle says why it has to stay instead; "": nothing does.
    """

    previous: Record
    records: tuple[Record, ...]
    answered: tuple[Answered, ...]
    shown: tuple[Record, ...] = ()
    obstacle: str = ""

    @property
    def all(self) -> tuple[Record, ...]:
        """Return all records that go."""
        return (*self.records, *self.shown)


class Halves:
    """One thread with its halves matched: tells of each chain what would leave with it."""

    def __init__(self, document: Document, view: View) -> None:
        self.document = document
        self.view = view
        self.messages = view.messages
        fmt = document.format
        pairing = pair(view.messages, shared_results=fmt.shared_results, together=fmt.together)
        self._answers = {id(found.call): found.result for found in pairing.pairs}
        self._faulty = {
            id(half)
            for fault in pairing.faults
            if fault.rule not in _HARMLESS
            for half in (fault.call, fault.result, fault.other_call, fault.other_result)
            if half is not None
        }
        self._place = {id(record): n for n, record in enumerate(view.path)}
        self._next: dict[int, int] = {}
        before = -1
        for n in range(len(view.messages) - 1, -1, -1):
            self._next[n] = before
            before = self._place.get(id(view.messages[n].record), before)
        self._said_by: dict[int, set[int]] = defaultdict(set)
        for n in range(len(view.messages)):
            for record in self.records_of(n):
                self._said_by[id(record)].add(n)
        self._names: Counter[str | None] = (
            Counter(record.id for record in document.records) if document.format.tree else Counter()
        )
        self._children: dict[str, list[Record]] = defaultdict(list)
        if document.format.tree:
            for record in document.records:
                if record.parent:
                    self._children[record.parent].append(record)
        self._compacted = max(
            (n for n, record in enumerate(view.path) if document.format.is_boundary(record)), default=-1
        )

    # ------------------------------------------------------------------ one chain
    def leaving(self, span: ChainSpan) -> Leaving:
        """Say what leaves with a chain that is closed."""
        inside = [self.messages[n] for n in span.middles]
        records = list({id(r): r for n in span.middles for r in self.records_of(n)}.values())
        records.sort(key=lambda record: self._place.get(id(record), len(self._place)))
        calls = [call for message in inside for call in message.calls]
        results = [result for message in inside for result in message.results]
        by_result = {id(self._answers[id(call)]): call for call in calls if id(call) in self._answers}
        answered = tuple(Answered(by_result[id(result)], result) for result in results if id(result) in by_result)
        checks: Iterable[Callable[[], str]] = (
            lambda: _provider(calls, results),
            lambda: self._open(calls, results, answered),
            lambda: self._settled(records),
            lambda: self._shared(records, set(span.middles), calls, results),
            lambda: self._hanging(records),
        )
        previous = self.view.path[max(0, self._place.get(id(records[0]), 1) - 1)]
        obstacle = next(filter(None, (check() for check in checks)), "")
        shown = () if obstacle else tuple(self._shown(records, answered))
        return Leaving(previous, tuple(records), answered, shown, obstacle)

    def records_of(self, at: int) -> list[Record]:
        """Return the records that one message is made of."""
        message = self.messages[at]
        found = [
            message.record,
            *(call.record for call in message.calls),
            *(result.record for result in message.results),
        ]
        found += self.document.format.records_of(self.document, message)
        found += self._neighbours(at) if self.document.format.shared_results else ()
        return list({id(record): record for record in found}.values())

    def _neighbours(self, at: int) -> Sequence[Record]:
        """Return the records of neighbouring answers that are one message."""
        start, end = self._place[id(self.messages[at].record)], self._next[at]
        stretch = self.view.path[start : end if end >= 0 else None]
        return (
            [r for r in stretch if r.message is not None and r.message.role is Role.ASSISTANT]
            if self.messages[at].role is Role.ASSISTANT
            else ()
        )

    def _shown(self, records: Sequence[Record], answered: Sequence[Answered]) -> Iterator[Record]:
        """Yield the records that only show one of the calls to people."""
        named = {one.call.id for one in answered}
        path = self.view.path
        places = [self._place[id(record)] for record in records if id(record) in self._place]
        last = max(places, default=-1)
        while places and last + 1 < len(path) and path[last + 1].message is None:
            last += 1
        for record in path[min(places, default=0) : last + 1]:
            shown = self.document.format.call_shown(self.document, record)
            if shown is not None and shown in named:
                yield record

    # ------------------------------------------------------------------ obstacles
    def _open(self, calls: Sequence[Call], results: Sequence[Result], answered: Sequence[Answered]) -> str:
        if any(id(half) in self._faulty for half in (*calls, *results)):
            return "calls and results in it do not pair"
        return "" if len(answered) == len(calls) == len(results) else "a call of it has no result"

    def _settled(self, records: Sequence[Record]) -> str:
        """A compaction names what it keeps of the time before it; that stays as it is."""
        if any(
            record.kind == "compacted" or self._place.get(id(record), self._compacted + 1) < self._compacted
            for record in records
        ):
            return "a compaction keeps it"
        return ""

    def _shared(
        self, records: Sequence[Record], middles: set[int], calls: Sequence[Call], results: Sequence[Result]
    ) -> str:
        mine = {id(half) for half in (*calls, *results)}
        for record in records:
            message = record.message
            halves = message.halves if message is not None else ()
            if not self._said_by[id(record)] <= middles or any(id(half) not in mine for half in halves):
                return "a record of it says more"
            if record.id is not None and self._names[record.id] > 1:
                return "a record of it is in the file twice"
        return ""

    def _hanging(self, records: Sequence[Record]) -> str:
        """The children of a removed record become children of its parent: fine for what the thread does not read."""
        if not self._children:
            return ""
        mine = {id(record) for record in records}
        todo = [child for record in records for child in self._children.get(record.id or "", ())]
        seen: set[int] = set()
        while todo:
            record = todo.pop()
            if id(record) in mine or id(record) in self._place or id(record) in seen:
                continue
            seen.add(id(record))
            if record.message is not None and not record.message.skipped:
                return "another branch begins at it"
            todo.extend(self._children.get(record.id or "", ()))
        return ""


def _provider(calls: Sequence[Call], results: Sequence[Result]) -> str:
    return (
        "a tool of the provider ran in it"
        if any(call.server for call in calls) or any(result.server for result in results)
        else ""
    )
