"""A compaction as a value: the run with what it saves, the new file as segments, and the files to write before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from condense_cli.errors import RefusedError
from condense_cli.model.plan import Copy, Put
from condense_cli.pi_condense.compact.capture import captured, duplicates
from condense_cli.pi_condense.compact.gain import measure
from condense_cli.pi_condense.compact.run import run
from condense_cli.pi_condense.prune.keys import WouldThrowError, same

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from condense_cli.model.plan import Segment
    from condense_cli.pi_condense.compact.blobs import Blob, BlobFolder
    from condense_cli.pi_condense.compact.branch import Reading
    from condense_cli.pi_condense.compact.capture import Batch, Duplicate
    from condense_cli.pi_condense.compact.gain import Gain
    from condense_cli.pi_condense.compact.run import AppendPoint, Run, Terms


class Compaction(NamedTuple):
    """All that is done to one session. inline counts long outputs that stay in their entries for want of a file."""

    run: Run
    gain: Gain
    blobs: tuple[Blob, ...]
    inline: int

    @property
    def gains(self) -> bool:
        """Say whether the rendered messages become smaller."""
        return self.gain.after < self.gain.before

    @property
    def changes(self) -> bool:
        """Say whether anything is appended."""
        return bool(self.run.lines)

    def segments(self, size: int, *, ended: bool) -> Iterator[Segment]:
        """Describe the new file: the old bytes, a newline if the last line has none, and the new lines.

        size is in bytes. Each line is read as it is asked for.
        """
        if size:
            yield Copy(0, size)
        if self.changes and size and not ended:
            yield Put(b"\n")
        for line in self.run.lines:
            yield Put(line.data)


class Captured(NamedTuple):
    """What a rescan would pick up, and which of it repeats an indexed output."""

    batches: tuple[Batch, ...]
    duplicates: tuple[Duplicate, ...]


def compact(
    reading: Reading, terms: Terms, place: AppendPoint, folder: Callable[[], BlobFolder], *, only_gain: bool = False
) -> Compaction:
    """Decide and build a compaction. With only_gain, chains that save nothing are left alone, until none is left.

    folder gives the blob folder with nothing planned. Raises RefusedError where pi-condense fails on the session.
    """
    leave = set(terms.leave)
    while True:
        made = _attempt(reading, terms._replace(leave=leave), place, folder())
        if not only_gain:
            return made
        losing = {same(row.chain.start) for row in made.run.compressed if made.gain.saved[row.block_id] <= 0}
        if not losing and made.gain.after >= made.gain.before:
            losing = {same(row.chain.start) for row in made.run.compressed}  # what they save is lost elsewhere
        if not losing:
            return made
        leave |= losing


def _attempt(reading: Reading, terms: Terms, place: AppendPoint, folder: BlobFolder) -> Compaction:
    try:
        done = run(reading, terms, folder, place)
        gain = measure(reading, done, terms.settings)
    except WouldThrowError as problem:
        raise RefusedError(
            f"pi-condense fails on this session: {problem.problem}",
            "nothing was changed; `condense check` says what else is wrong with it",
        ) from problem
    if gain.failure:
        raise RefusedError(f"pi-condense would fail on the compacted session: {gain.failure}", "nothing was changed")
    return Compaction(done, gain, folder.blobs, folder.inline)


def capture(reading: Reading, mode: str, *, find_duplicates: bool) -> Captured:
    """Return what a rescan would pick up now."""
    batches = captured(reading, reading.branch.records, mode)
    return Captured(tuple(batches), tuple(duplicates(batches, reading)) if find_duplicates else ())
