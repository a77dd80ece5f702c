"""A plan: what would be changed in one file, and why. A value that is shown, compared, saved and applied.

The edits are for people and tests: one change at one place, with its rule. The segments are for the
machine: the new file as spans of the old one and new bytes, in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple, Protocol

from condense_cli.model.findings import Finding


class Change(StrEnum):
    """The kinds of edit."""

    DROP = "drop"
    STRIP = "strip"
    REPLACE = "replace"
    MOVE = "move"
    INSERT = "insert"
    REPARENT = "reparent"


class Edit(NamedTuple):
    """One change at one place. line counts from 1; target is the line a record is moved or inserted after.

    The line of an inserted record is its target's, or that of the record which it changes for the client.
    """

    change: Change
    rule: str
    line: int
    part: int | None = None
    index: int | None = None  # type: ignore[assignment]  # messages of an array, from 0
    target: int | None = None
    call_id: str | None = None
    detail: str = ""


class Copy(NamedTuple):
    """The bytes start to end of the old file."""

    start: int
    end: int


class Put(NamedTuple):
    """New bytes."""

    data: bytes


Segment = Copy | Put


class Plan(NamedTuple):
    """All findings and edits of one file. sha256 and size are those of the input it was made for."""

    path: str
    format: str
    sha256: str
    size: int
    findings: tuple[Finding, ...]
    remaining: tuple[Finding, ...]
    edits: tuple[Edit, ...]
    segments: tuple[Segment, ...]
    contracts: tuple[str, ...] = ()
    leaf: str | None = None  # the entry that ends the thread afterwards
    exempt: tuple[str, ...] = ()  # tools whose calls need no result

    @property
    def changes(self) -> bool:
        """Say whether the new file differs from the old one."""
        return self.segments != ((Copy(0, self.size),) if self.size else ())


_SMALL = 1 << 16  # bytes


class Reader(Protocol):
    """Whatever gives back bytes of the old file."""

    def read(self, start: int, end: int) -> bytes:
        """Return the bytes from start to end."""


def apply(segments: Iterable[Segment], source: Reader, *, chunk: int = 1 << 20) -> Iterator[bytes]:
    """Yield the new file's bytes in pieces of at most about `chunk` bytes.

    Small ones are put together: a file may be changed in each line.
    """
    waiting: list[bytes] = []
    size = 0
    for piece in _pieces(segments, source, chunk):
        waiting.append(piece)
        size += len(piece)
        if size >= min(_SMALL, chunk):
            yield b"".join(waiting)
            waiting, size = [], 0
    if waiting:
        yield b"".join(waiting)


def _pieces(segments: Iterable[Segment], source: Reader, chunk: int) -> Iterator[bytes]:
    """Yield the bytes of the segments; those of small neighbours are read at once."""
    window, first = b"", 0  # bytes of the old file, and where they begin
    for segment in segments:
        if isinstance(segment, Put):
            yield segment.data
            continue
        at, end = segment
        while end - at > min(_SMALL, chunk):
            stop = min(at + chunk, end)
            yield source.read(at, stop)
            at = stop
        if at >= end:
            continue
        if not first <= at < end <= first + len(window):
            window, first = source.read(at, max(end, at + _SMALL)), at
        yield window[at - first : end - first]


def join(pieces: Iterable[Segment]) -> tuple[Segment, ...]:
    """Merge neighbouring spans and neighbouring new bytes; leave out empty ones."""
    out: list[Segment] = []
    new: list[bytes] = []  # put together once: a file may be written anew line by line
    for piece in pieces:
        if isinstance(piece, Put):
            new.append(piece.data)
            continue
        if piece.start >= piece.end:
            continue
        if any(new):
            out.append(Put(b"".join(new)))
        new.clear()
        last = out[-1] if out else None
        if isinstance(last, Copy) and last.end == piece.start:
            out[-1] = Copy(last.start, piece.end)
        else:
            out.append(piece)
    if any(new):
        out.append(Put(b"".join(new)))
    return tuple(out)
