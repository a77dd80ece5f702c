"""Ids of records: whether they are all different, whether they form one chain, and a fresh one."""

from __future__ import annotations

import hashlib
from collections.abc import Container, Hashable, Iterable, Sequence

from condense_cli.model.messages import Record

_FEW = 1 << 15
_PILES = 16


def are_distinct(texts: Sequence[Hashable]) -> bool:
    """Say whether no text is there twice.

    One set of all ids of a large session would be the most memory that a check ever needs at once: many texts
    are dealt into piles, equal ones into the same, and each pile gets a set of its own.
    """
    if len(texts) <= _FEW:
        return len(set(texts)) == len(texts)
    piles: list[list[Hashable]] = [[] for _ in range(_PILES)]
    for text in texts:
        piles[hash(text) % _PILES].append(text)
    return all(len(set(pile)) == len(pile) for pile in piles)


def is_chain(records: Iterable[Record]) -> bool:
    """Say whether each record has an id, and the one before it as its parent."""
    before: str | None = None
    for record in records:
        if record.id is None or record.parent != before:
            return False
        before = record.id
    return True


def fresh_id(like: str, raw: bytes, taken: Container[str]) -> str:
    """Make an id that looks like `like` (8 hex digits, a UUID, else with a suffix), fixed by the record's bytes."""
    for attempt in range(1000):
        digest = hashlib.sha256(raw.strip() + str(attempt).encode()).hexdigest()
        if len(like) == 36 and like.count("-") == 4:
            ident = f"{digest[:8]}-{digest[8:12]}-4{digest[13:16]}-8{digest[17:20]}-{digest[20:32]}"
        elif len(like) == 8 and all(c in "0123456789abcdef" for c in like):
            ident = digest[:8]
        else:
            ident = f"{like}-{digest[:8]}"
        if ident not in taken:
            return ident
    raise AssertionError("a thousand collisions")
