"""Delta debugging: leave out as many pieces of something as possible while a test holds. Source: Zeller's ddmin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

_Piece = TypeVar("_Piece")


def reduce(pieces: Sequence[_Piece], holds: Callable[[list[_Piece]], bool]) -> list[_Piece]:
    """Return pieces that hold and of which none can be left out alone. All of them must hold."""
    kept = list(pieces)
    size = len(kept)
    while kept and size:
        size = min(size, len(kept))
        at = 0
        smaller = False
        while at < len(kept):
            rest = kept[:at] + kept[at + size :]
            if holds(rest):
                kept, smaller = rest, True
            else:
                at += size
        if size > 1:
            size //= 2
        elif not smaller:
            break
    return kept
