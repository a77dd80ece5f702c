"""What a plan does to the bytes, line by line: the spans of the old file that are gone, and what stands there now."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from condense_cli.model.plan import Change, Copy, Plan, Put, Reader, Segment

if TYPE_CHECKING:
    from collections.abc import Iterator

WINDOW = 80  # bytes of an unchanged neighbourhood that are looked at and shown

_LINES = re.compile(rb"[^\n]*\n|[^\n]+")
_CHUNK = 1 << 20


class Hunk(NamedTuple):
    """One changed place. line is the old line (from 1) at which it begins, last the one at which it ends.

    A pure insertion covers no old line: last is line - 1, the line that it stands behind. The outermost lines
    hold at most WINDOW unchanged bytes; head_cut and tail_cut say that there are more.
    """

    line: int
    last: int
    old: tuple[bytes, ...]
    new: tuple[bytes, ...]
    head_cut: bool = False
    tail_cut: bool = False


class _Span(NamedTuple):
    start: int
    end: int
    new: bytes


def hunks(plan: Plan, source: Reader) -> Iterator[Hunk]:
    """Yield the changed places of a plan from top to bottom. The old file is read once, for its line numbers."""
    line, counted = 1, 0
    for span in _merged(plan, source):
        head, head_cut = _before(source, span.start)
        line += _newlines(source, counted, span.start)
        counted = span.start
        removed = source.read(span.start, span.end)
        tail, tail_cut = b"", False
        if not all(_ends_a_line(head + part) for part in (removed, span.new)):
            tail, tail_cut = _after(source, span.end, plan.size)
        old = _lines(head + removed + tail)
        new = _lines(head + span.new + tail)
        yield Hunk(line, line + len(old) - 1, old, new, head_cut, tail_cut)


def _merged(plan: Plan, source: Reader) -> Iterator[_Span]:
    """Yield the changed spans; those with little between them on one line become one."""
    open_span: _Span | None = None
    for span in _spans(plan, source):
        if open_span is None:
            open_span = span
            continue
        between = source.read(open_span.end, span.start) if span.start - open_span.end <= 2 * WINDOW else b"\n"
        if b"\n" in between:
            yield open_span
            open_span = span
        else:
            open_span = _Span(open_span.start, span.end, open_span.new + between + span.new)
    if open_span is not None:
        yield open_span


def _spans(plan: Plan, source: Reader) -> Iterator[_Span]:
    kept = _kept(plan.segments, _moved(plan, source))
    at = 0
    new: list[bytes] = []
    for n, segment in enumerate(plan.segments):
        if isinstance(segment, Put):
            new.append(segment.data)
        elif n not in kept:
            new.append(source.read(segment.start, segment.end))
        else:
            if segment.start > at or new:
                yield _Span(at, segment.start, b"".join(new))
                new = []
            at = segment.end
    if plan.size > at or new:
        yield _Span(at, plan.size, b"".join(new))


def _moved(plan: Plan, source: Reader) -> frozenset[int]:
    """Return the byte offsets of the spans that begin with a record which the plan says it moves."""
    moved = {edit.line for edit in plan.edits if edit.change is Change.MOVE}
    out: set[int] = set()
    line, counted = 1, 0
    for start in sorted(segment.start for segment in plan.segments if isinstance(segment, Copy)) if moved else ():
        line += _newlines(source, counted, start)
        counted = start
        if line in moved:
            out.add(start)
    return frozenset(out)


def _kept(segments: tuple[Segment, ...], moved: frozenset[int]) -> frozenset[int]:
    """Choose the spans that stay where they are: the heaviest run in the old order. The others were moved.

    Two neighbours that changed places could be read either way: what the plan calls moved weighs next to nothing.

    ends and weights both grow: weights[i] is the most that can stay among spans that end at ends[i] or before.
    """
    ends, weights, tops = [0], [0], [-1]
    before: dict[int, int] = {}
    for n, segment in enumerate(segments):
        if not isinstance(segment, Copy):
            continue
        i = bisect_right(ends, segment.start) - 1
        weight = weights[i] + (1 if segment.start in moved else segment.end - segment.start)
        before[n] = tops[i]
        at = bisect_right(ends, segment.end)
        if weights[at - 1] >= weight:
            continue
        stop = at
        while stop < len(weights) and weights[stop] <= weight:
            stop += 1
        ends[at:stop], weights[at:stop], tops[at:stop] = [segment.end], [weight], [n]
    chosen: set[int] = set()
    n = tops[-1]
    while n >= 0:
        chosen.add(n)
        n = before[n]
    return frozenset(chosen)


def _before(source: Reader, at: int) -> tuple[bytes, bool]:
    """Return what stands on the line before a byte offset, and whether there is more of it."""
    start = max(0, at - WINDOW)
    near = source.read(start, at)
    newline = near.rfind(b"\n")
    return near[newline + 1 :], newline < 0 and start > 0 and source.read(start - 1, start) != b"\n"


def _after(source: Reader, at: int, size: int) -> tuple[bytes, bool]:
    """Return what stands on the line behind a byte offset with its newline, and whether there is more of it."""
    near = source.read(at, min(size, at + WINDOW))
    newline = near.find(b"\n")
    return (near[: newline + 1], False) if newline >= 0 else (near, at + WINDOW < size)


def _newlines(source: Reader, start: int, end: int) -> int:
    return sum(source.read(at, min(at + _CHUNK, end)).count(b"\n") for at in range(start, end, _CHUNK))


def _ends_a_line(data: bytes) -> bool:
    return not data or data.endswith(b"\n")


def _lines(data: bytes) -> tuple[bytes, ...]:
    return tuple(_LINES.findall(data))
