"""The reverse of a change: the old file as spans of the new one, and the bytes that are in no span."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from condense_cli.model.plan import Copy, Put, Segment, join

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Read = Callable[[int, int], bytes]

_LINE_LIMIT = 8 << 20


def reverse(segments: Iterable[Segment], old_size: int, read_old: Read) -> tuple[Segment, ...]:
    """Return the old file as spans of the new one and the bytes that are not in it.

    Those bytes are widened to whole lines of the old file, so that each piece is a run of records.
    """
    kept: list[tuple[int, int, int]] = []  # old start, old end, new start
    at = 0
    for segment in segments:
        if isinstance(segment, Copy):
            kept.append((segment.start, segment.end, at))
            at += segment.end - segment.start
        else:
            at += len(segment.data)
    kept = _apart(kept)
    out: list[Segment] = []
    done = 0
    for start, end in _gaps(kept, old_size, read_old):
        out += _cover(kept, done, start)
        out.append(Put(read_old(start, end)))
        done = end
    return join([*out, *_cover(kept, done, old_size)])


def _apart(kept: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Sort the spans and cut them so that none covers an old byte again."""
    out: list[tuple[int, int, int]] = []
    done = 0
    for start, end, new in sorted(kept):
        first = max(start, done)
        if first < end:
            out.append((first, end, new + first - start))
            done = end
    return out


def _gaps(kept: list[tuple[int, int, int]], old_size: int, read_old: Read) -> list[tuple[int, int]]:
    gaps: list[tuple[int, int]] = []
    done = 0
    for start, end, _ in [*kept, (old_size, old_size, 0)]:
        if start > done:
            first, last = _line_start(read_old, done), _line_end(read_old, start, old_size)
            if gaps and first <= gaps[-1][1]:
                gaps[-1] = (gaps[-1][0], max(last, gaps[-1][1]))
            else:
                gaps.append((first, last))
        done = max(done, end)
    return gaps


def _cover(kept: list[tuple[int, int, int]], start: int, end: int) -> Iterator[Segment]:
    """Yield spans of the new file that make up the old bytes from start to end, all of which were kept."""
    for first, last, new in kept[max(bisect_right(kept, (start, 1 << 62, 0)) - 1, 0) :]:
        if first >= end:
            break
        low, high = max(first, start), min(last, end)
        if low < high:
            yield Copy(new + low - first, new + high - first)


def _line_start(read_old: Read, at: int) -> int:
    floor = max(at - _LINE_LIMIT, 0)
    end = at
    while end > floor:
        start = max(end - (1 << 16), floor)
        found = read_old(start, end).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return at if floor else 0


def _line_end(read_old: Read, at: int, size: int) -> int:
    if at and read_old(at - 1, at) == b"\n":
        return at
    limit = min(at + _LINE_LIMIT, size)
    start = at
    while start < limit:
        stop = min(start + (1 << 16), limit)
        found = read_old(start, stop).find(b"\n")
        if found >= 0:
            return start + found + 1
        start = stop
    return size if limit == size else at
