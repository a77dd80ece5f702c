"""The part of a long line that matters: where two lines differ, with a little of what is around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from condense_cli.output.plain import one_line

if TYPE_CHECKING:
    from collections.abc import Callable

WINDOW = 80  # bytes that are shown around a change


class MarkedLine(NamedTuple):
    """A line for people, control characters visible: unchanged, changed and unchanged text."""

    before: str
    changed: str
    after: str


def views(old: bytes, new: bytes, *, head_cut: bool = False, tail_cut: bool = False) -> tuple[MarkedLine, MarkedLine]:
    """Show two versions of one line around the place where they differ."""
    head = common_head(old, new)
    tail = _common_tail(old[head:], new[head:])
    return _view(old, head, tail, head_cut, tail_cut), _view(new, head, tail, head_cut, tail_cut)


def view(line: bytes, *, head_cut: bool = False, tail_cut: bool = False) -> MarkedLine:
    """Show a line that has no other version."""
    return _view(line, 0, 0, head_cut, tail_cut)


def common_head(one: bytes, two: bytes) -> int:
    """Return how many bytes two lines begin with in common."""
    return _longest(min(len(one), len(two)), lambda low, high: one[low:high] == two[low:high])


def _common_tail(one: bytes, two: bytes) -> int:
    return _longest(
        min(len(one), len(two)),
        lambda low, high: one[len(one) - high : len(one) - low] == two[len(two) - high : len(two) - low],
    )


def _longest(most: int, same: Callable[[int, int], bool]) -> int:
    """Find the longest common part by halving: a record may have megabytes, and slices compare at C speed."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if same(low, middle):
            low = middle
        else:
            high = middle - 1
    return low


def _view(line: bytes, head: int, tail: int, head_cut: bool, tail_cut: bool) -> MarkedLine:
    text = line.removesuffix(b"\n")
    end = max(head, min(len(text), len(line) - tail))
    before, changed, after = text[:head], text[head:end], text[end:]
    return MarkedLine(
        ("…" if head_cut or len(before) > WINDOW else "") + _shown(before[-WINDOW:] if before else b""),
        _middle(changed),
        _shown(after[:WINDOW]) + ("…" if tail_cut or len(after) > WINDOW else ""),
    )


def _middle(changed: bytes) -> str:
    left_out = len(changed) - 2 * WINDOW
    if left_out <= WINDOW // 2:
        return _shown(changed)
    return f"{_shown(changed[:WINDOW])} …{left_out} bytes… {_shown(changed[-WINDOW:])}"


def _shown(part: bytes) -> str:
    return one_line(part.decode("utf-8", "backslashreplace"))
