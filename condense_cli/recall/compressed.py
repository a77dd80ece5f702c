"""Looking references up in the sidecar of a session, as far as the session still mentions them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from condense_cli.pi_condense.compact.stand_in import marks
from condense_cli.recall.sidecar import Sidecar, path_of, read

if TYPE_CHECKING:
    from collections.abc import Callable

    from condense_cli.recall.output import Output
    from condense_cli.recall.sidecar import Entry
    from condense_cli.session.opened import Session

_REF = re.compile(r"t([1-9][0-9]{0,8})")


class Compressed:
    """The outputs that left one session. What its sidecar holds beyond that belongs to another copy of it."""

    def __init__(self, session: Session) -> None:
        self._sidecar = read(path_of(session.path)) if session.source.real else None
        if self._sidecar is None and session.source.real:
            self._sidecar = read(path_of(session.source.real))
        self._lines: dict[int, int] = {}
        self._order: dict[int, int] = {}
        if self._sidecar is not None:
            order = {id(record): n for n, record in enumerate(session.records)}
            for mark in marks(session.document):
                for ref in mark.refs:
                    self._lines.setdefault(ref, mark.record.line)
                    self._order.setdefault(ref, order[id(mark.record)])

    @property
    def problem(self) -> str:
        """Say what is wrong with the sidecar, or nothing."""
        return self._sidecar.problem if self._sidecar is not None else ""

    @property
    def sidecar(self) -> Sidecar | None:
        """Return the sidecar, if there is one."""
        return self._sidecar

    def refs(self) -> list[str]:
        """Return the short references of all outputs that the session mentions."""
        return [f"t{entry.ref}" for entry in self._mentioned()]

    def by_ref(self, ref: str) -> tuple[Output, ...]:
        """Return the output that a short reference names."""
        match = _REF.fullmatch(ref)
        return self._outputs(lambda entry: match is not None and entry.ref == int(match[1]))

    def by_id(self, call_id: str) -> list[tuple[int, Output]]:
        """Return all outputs of a call id, each with the place in the file (from 0) where it was."""
        found = [entry for entry in self._mentioned() if entry.call_id == call_id]
        return [(self._order[entry.ref], self._load(entry)) for entry in found]

    def on_line(self, line: int) -> tuple[Output, ...]:
        """Return the outputs that the message on a line replaces."""
        return self._outputs(lambda entry: self._lines[entry.ref] == line)

    def _mentioned(self) -> list[Entry]:
        entries = self._sidecar.entries if self._sidecar is not None else ()
        return sorted(
            (entry for entry in entries if entry.ref in self._lines),
            key=lambda entry: (self._order[entry.ref], entry.ref),
        )

    def _outputs(self, wanted: Callable[[Entry], bool]) -> tuple[Output, ...]:
        return tuple(self._load(entry) for entry in self._mentioned() if wanted(entry))

    def _load(self, entry: Entry) -> Output:
        assert self._sidecar is not None
        return self._sidecar.output(entry, self._lines[entry.ref])
