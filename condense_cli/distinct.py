"""Whether texts are all different, told without a table of all of them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

_FEW = 1 << 15
_PILES = 16


def are_distinct(texts: Sequence[Hashable]) -> bool:
    """Say whether no text stands there twice.

    One set of all ids of a large session would be the most memory that a check ever needs at once: many texts
    are dealt into piles, equal ones into the same, and each pile gets a set of its own.
    """
    if len(texts) <= _FEW:
        return len(set(texts)) == len(texts)
    piles: list[list[Hashable]] = [[] for _ in range(_PILES)]
    for text in texts:
        piles[hash(text) % _PILES].append(text)
    return all(len(set(pile)) == len(pile) for pile in piles)
