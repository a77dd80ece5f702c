"""What a reference names: the index first, then the sidecar of a compacted session, then the transcript.

Forms: `t5`, `bash_23` (every occurrence, in time order), `bash_23@1786500002150`, `bash_23#2` (from 1), `L120`.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from condense_cli.jsonbytes.javascript import UNDEFINED, number, string
from condense_cli.pi_condense.prune.index import Index
from condense_cli.pi_condense.prune.keys import parse
from condense_cli.recall import indexed, transcript
from condense_cli.recall.compressed import Compressed
from condense_cli.recall.lines import LINE, of_message, on_line
from condense_cli.recall.output import Answer, Output
from condense_cli.recall.pictures import Marked
from condense_cli.recall.spill import Blobs

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from condense_cli.model.messages import Record
    from condense_cli.recall.transcript import Occurrence
    from condense_cli.session.opened import Session

_NTH = re.compile(r"(.+)#([1-9][0-9]*)", re.DOTALL)


class Finder:
    """Looks references up in one thread of one session; what it has read is kept for the next reference."""

    def __init__(
        self, session: Session, leaf: str | None = None, *, index_only: bool = False, outside_blobs: bool = False
    ) -> None:
        self.session = session
        self.index_only = index_only
        self.branch = session.branch(leaf)
        self.blobs = blobs_of(session, anywhere=outside_blobs)
        self.index = indexed.read_index(self.branch, session.load) if session.format.pruned else Index()
        self.compressed = Compressed(session)
        self.marked = Marked(self.branch, session.load)
        self._occurrences: list[Occurrence] | None = None

    def answer(self, ref: str) -> Answer:
        """Return what one reference names."""
        found = self._with_live(ref, self._indexed(ref)) or self.compressed.by_ref(ref)
        if not found and self.index_only:
            found = tuple(output for _, output in self.compressed.by_id(ref))
        elif not found:
            for look in (self._by_id, self._by_number, self._by_line):
                found = look(ref)
                if found:
                    break
        return Answer(ref, found, self.index_only)

    def transcript(self) -> Iterator[Output]:
        """Yield every output that the thread holds, in its order."""
        return (transcript.output_of(self.session, one) for one in self._thread())

    def _indexed(self, ref: str) -> tuple[Output, ...]:
        found = indexed.indexed_outputs(self.index, ref, self.session.load, self.blobs)
        return tuple(output._replace(images=self.marked.of(output.text)) for output in found)

    def _with_live(self, ref: str, found: tuple[Output, ...]) -> tuple[Output, ...]:
        """Add the occurrences of an id that the index does not have."""
        if self.index_only or not found or any(output.call_id != ref for output in found):
            return found
        times = {output.time for output in found}
        texts = {output.text for output in found if output.time is UNDEFINED}
        live = [o for o in self._of(ref) if o.time not in times and o.text not in texts]
        return _in_order([*found, *live]) if live else found

    def _thread(self) -> list[Occurrence]:
        if self._occurrences is None:
            self._occurrences = transcript.occurrences(self.branch)
        return self._occurrences

    def _of(self, call_id: str) -> tuple[Output, ...]:
        here = [o for o in self._thread() if o.result.id == call_id]
        outputs = [transcript.output_of(self.session, o) for o in here]
        gone = self.compressed.by_id(call_id)
        if gone:
            order = {id(record): n for n, record in enumerate(self.session.records)}
            placed = [*gone, *((order[id(o.result.record)], output) for o, output in zip(here, outputs, strict=True))]
            outputs = [output for _, output in sorted(placed, key=lambda one: one[0])]
        return _in_order(outputs) or self._elsewhere(call_id)

    def _elsewhere(self, call_id: str) -> tuple[Output, ...]:
        """Look beside the thread: at other branches, and at what a compaction cut off."""
        found = [o for o in transcript.occurrences(self.session.records) if o.result.id == call_id]
        note = f"{call_id}: not on the active thread; found elsewhere in the file"
        return _in_order([transcript.output_of(self.session, o)._replace(note=note) for o in found])

    def _by_id(self, ref: str) -> tuple[Output, ...]:
        return named(ref, self._of)

    def _by_number(self, ref: str) -> tuple[Output, ...]:
        return _numbered(ref, lambda call_id: self._with_live(call_id, self._indexed(call_id)))

    def _by_line(self, ref: str) -> tuple[Output, ...]:
        match = LINE.fullmatch(ref)
        if not match:
            return ()
        line = int(match[1])
        outputs = self.compressed.on_line(line)
        for on in (on_line, of_message):
            records = {id(record) for record in on(self.session, line)} if not outputs else ()
            outputs = (
                outputs
                or self._in(records, self._thread())
                or self._in(records, transcript.occurrences(self.session.records))
            )
        return outputs or self._recorded(line)

    def _in(self, records: Collection[int], thread: Sequence[Occurrence]) -> tuple[Output, ...]:
        """Load the outputs whose result or call is in one of these records, given by id()."""
        found = (
            o for o in thread if id(o.result.record) in records or (o.call is not None and id(o.call.record) in records)
        )
        return tuple(transcript.output_of(self.session, o) for o in found) if records else ()

    def _recorded(self, line: int) -> tuple[Output, ...]:
        from condense_cli.pi_condense.prune.index import Found

        records = (r for r in self.index.records.values() if r.record.line == line)
        return tuple(indexed.output_of(Found(r, r.time), self.session.load, self.blobs) for r in records)


def named(ref: str, of: Callable[[str], tuple[Output, ...]]) -> tuple[Output, ...]:
    """Return what `ID`, `ID@TIME` or `ID#N` names; `of` gives all outputs of an id."""
    return of(ref) or _at_time(ref, of) or _numbered(ref, of)


def _at_time(ref: str, of: Callable[[str], tuple[Output, ...]]) -> tuple[Output, ...]:
    call_id, time = parse(ref)
    return () if time is None else tuple(o for o in of(call_id) if o.time is not UNDEFINED and o.time == time)


def _numbered(ref: str, of: Callable[[str], tuple[Output, ...]]) -> tuple[Output, ...]:
    match = _NTH.fullmatch(ref)
    if not match:
        return ()
    at = int(match[2]) - 1
    return of(match[1])[at : at + 1]


def _in_order(outputs: Sequence[Output]) -> tuple[Output, ...]:
    """Order outputs by time.

    A thread is in that order already; a clock that jumped must not mix it up where it says nothing.
    """
    return tuple(sorted(outputs, key=_when)) if all(o.time is not UNDEFINED for o in outputs) else tuple(outputs)


def _when(output: Output) -> float:
    return number(output.time)


def blobs_of(session: Session, *, anywhere: bool = False) -> Blobs:
    """Say where a session's spilled outputs may lie: below the folder of its file."""
    real = session.source.real
    return Blobs(os.path.dirname(real) if real else None, session_id(session.records, session.document.value), anywhere)


def session_id(records: Sequence[Record], value: Callable[[Record], object]) -> str:
    """Return the id that the header gives, or nothing."""
    for record in records:
        if record.kind == "session":
            header = value(record)
            ident = header.get("id") if isinstance(header, dict) else None
            return string(ident) if isinstance(ident, str) else ""
    return ""
