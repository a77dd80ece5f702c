"""Put several sequences into one that holds each of them in its own order, with equal elements once."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple


class Placed(NamedTuple):
    """An element of the merged sequence: its number from 0 in each of the two, None where it is not in one."""

    first: int | None
    second: int | None


def merge(first: Sequence[Hashable], second: Sequence[Hashable]) -> list[Placed]:
    """Merge two sequences; what is equal in both is one element as often as their orders allow.

    Elements that are unique in both are matched first (longest common order), then those between, one after the other:
    the time is that of sorting, whatever was moved.
    """
    out: list[Placed] = []
    at = there = 0
    for one, two in (*_between(first, second, _anchors(first, second)), (len(first), len(second))):
        out.extend(Placed(n, None) for n in range(at, one))
        out.extend(Placed(None, n) for n in range(there, two))
        if one < len(first):
            out.append(Placed(one, two))
        at, there = one + 1, two + 1
    return out


def _anchors(first: Sequence[Hashable], second: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Return the longest common order of the elements that are unique in both, as pairs of places."""
    ours, theirs = Counter(first), Counter(second)
    place = {key: n for n, key in enumerate(first) if ours[key] == 1 and theirs[key] == 1}
    ends: list[int] = []  # the smallest place that ends an ascending run of each length
    chosen: list[tuple[int, int]] = []
    before: list[int] = []
    owner: list[int] = []
    for n, key in enumerate(second):
        if key not in place:
            continue
        length = bisect_left(ends, place[key])
        ends[length : length + 1] = [place[key]]
        before.append(owner[length - 1] if length else -1)
        owner[length : length + 1] = [len(chosen)]
        chosen.append((place[key], n))
    found: list[tuple[int, int]] = []
    at = owner[-1] if owner else -1
    while at >= 0:
        found.append(chosen[at])
        at = before[at]
    return found[::-1]


def _between(
    first: Sequence[Hashable], second: Sequence[Hashable], anchors: list[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """Yield the anchors and, between each two of them, further equal elements in order."""
    at = there = 0
    for one, two in (*anchors, (len(first), len(second))):
        if at < one and there < two:
            yield from _greedy(first, second, range(at, one), range(there, two))
        if one < len(first):
            yield one, two
        at, there = one + 1, two + 1


def _greedy(
    first: Sequence[Hashable], second: Sequence[Hashable], ours: range, theirs: range
) -> Iterator[tuple[int, int]]:
    places: dict[Hashable, list[int]] = {}
    for n in ours:
        places.setdefault(first[n], []).append(n)
    at = ours.start
    for n in theirs:
        mine = places.get(second[n])
        if mine is None:
            continue
        found = bisect_left(mine, at)
        if found < len(mine):
            yield mine[found], n
            at = mine[found] + 1
