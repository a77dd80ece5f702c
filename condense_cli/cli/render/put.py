"""Where the messages of `render` go, and how they are shown to a reader."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.check.engine import check
from condense_cli.cli import options
from condense_cli.cli.render.values import Shape, ShownView
from condense_cli.output import paged, reader
from condense_cli.output.placed import Placed, notes
from condense_cli.output.shell import path_word
from condense_cli.output.transcript import plain_lines, transcript
from condense_cli.pi_condense.prune.context import message_at
from condense_cli.pi_condense.prune.decide import emit
from condense_cli.session.named import LAST
from condense_cli.storage.new_file import write_new

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from condense_cli.output.transcript import Line
    from condense_cli.pi_condense.prune.views import Rendering
    from condense_cli.session.opened import Session


class Reading(NamedTuple):
    """What a reader asked for. words: those that name the session in a command; around: a line (from 1) of the file."""

    words: tuple[str, ...]
    leaf: str | None
    outline: bool = False
    around: int | None = None
    full: bool = False


class Put(NamedTuple):
    """Where messages go, and whether they are for a reader."""

    opened: Session
    output: str | None
    reading: Reading

    def write(self, shape: Shape, shown: Callable[[], Iterable[Placed]], pieces: Callable[[], Iterator[bytes]]) -> None:
        """Write messages as text, or the pieces of another shape."""
        if shape is not Shape.TEXT:
            write_new(self.output or "-", pieces(), source=self.opened.source)
            return
        terminal = self.output is None and sys.stdout.isatty()
        lines = self._lines(shown, terminal=terminal)
        if terminal:
            paged.write(lines, sys.stdout, color=options.coloured(sys.stdout))
        else:
            write_new(self.output or "-", plain_lines(lines), source=self.opened.source)

    def _lines(self, shown: Callable[[], Iterable[Placed]], *, terminal: bool) -> Iterator[Line]:
        """Return the lines of a whole transcript for a file or a pipe, else those for a reader."""
        asked = self.reading
        if not terminal and not asked.outline and asked.around is None:
            return transcript(shown())
        look = reader.Look(
            reader.width_of(sys.stdout),
            asked.words,
            notes(self.opened.document, self._findings()),
            folds=not asked.full,
            markdown=terminal and options.coloured(sys.stdout),
        )
        if asked.around is not None:
            return reader.around(shown, asked.around, look)
        return reader.outline(shown(), look) if asked.outline else reader.shown(shown(), look)

    def _findings(self) -> Iterable[Any]:
        session = self.opened
        return check(session.document, [session.format.contract], leaf=self.reading.leaf).findings


def words_of(session: str | None) -> tuple[str, ...]:
    """Return the words that name a session in a command: none for the newest one of the folder."""
    return () if session in (None, LAST) else (path_word(str(session)),)


def stored(opened: Session) -> Iterator[Placed]:
    """Yield all records of a file."""
    return (Placed(record.line, opened.document.value(record)) for record in opened.document.readable())


def placed(rendering: Rendering, view: ShownView) -> Iterator[Placed]:
    """Yield the messages of a pi session in one view, with their lines; what is sent has none."""
    if view is ShownView.CONTEXT:
        return (
            Placed(place.record.line, message_at(place, rendering.load)) for place in rendering.branch.places
        )
    if view is ShownView.WIRE:
        return (Placed(0, message) for message in rendering.wire())
    places = rendering.pruning.places
    return (
        Placed(places[emitted.step].record.line if isinstance(emitted.step, int) else 0, emitted.message)
        for emitted in emit(rendering.pruning, rendering.branch.records, rendering.load)
    )
