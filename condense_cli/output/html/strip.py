"""The timeline: one mark per message, as few paths as there are kinds of mark, so that 10,000 messages stay light."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from condense_cli.output.html.page import Fate

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.output.html.page import Mark

_LANES = {"role": (16, 14), "fate": (32, 6), "finding": (0, 14)}  # top and height
HEIGHT = 38
_FEWEST = 150  # marks of findings are at least this part of the strip wide


class Lane(NamedTuple):
    """All marks of one class: the class and the path."""

    name: str
    path: str


def lanes(marks: Sequence[Mark]) -> tuple[Lane, ...]:
    """Return the paths of a strip whose unit of width is one message."""
    found: dict[str, list[str]] = {}
    for lane, names in (
        ("role", [m.role for m in marks]),
        ("fate", [m.fate.value for m in marks]),
        ("finding", [m.severity for m in marks]),
    ):
        top, height = _LANES[lane]
        wide = max(1.0, len(marks) / _FEWEST) if lane == "finding" else 0.0
        for name, start, length in _runs(names):
            found.setdefault(f"{lane}-{name}", []).append(_bar(start, length, wide, top, height, len(marks)))
    return tuple(Lane(name, "".join(bars)) for name, bars in found.items())


def _runs(names: list[str]) -> Iterator[tuple[str, int, int]]:
    at = 0
    for name, group in groupby(names):
        length = sum(1 for _ in group)
        if name:
            yield name, at, length
        at += length


def _bar(start: int, length: int, wide: float, top: int, height: int, total: int) -> str:
    width = max(float(length), wide)
    left = min(start, max(0.0, total - width))
    return f"M{left:g} {top}h{width:g}v{height}h-{width:g}z"


LEGEND = (
    ("role-user", "user"),
    ("role-assistant", "assistant"),
    ("role-result", "result"),
    ("finding-error", "error"),
    ("finding-warning", "warning"),
    (f"fate-{Fate.COMPACTED}", "compacted"),
    (f"fate-{Fate.PRUNED}", "pruned"),
    (f"fate-{Fate.REPLACEMENT}", "in place of what is pruned"),
    (f"fate-{Fate.OTHER_THREAD}", "other thread"),
    (f"fate-{Fate.OTHER_AGENT}", "sub-agent"),
    (f"fate-{Fate.ADDED}", "added by the repair"),
    (f"fate-{Fate.MOVED}", "moved by the repair"),
    (f"fate-{Fate.REMOVED}", "changed by the repair"),
)


def legend(paths: Sequence[Lane]) -> tuple[tuple[str, str], ...]:
    """Return class and word of the marks that the strip has."""
    there = {lane.name for lane in paths}
    return tuple((name, word) for name, word in LEGEND if name in there)
