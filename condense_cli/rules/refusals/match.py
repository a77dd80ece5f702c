"""What a pasted text is about, as a value."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from condense_cli.rules.refusals.row import Refusal


class Match(NamedTuple):
    """A refusal found in a pasted text: what it may be about, and what the text names. Indexes count from 0.

    remedy: see Refusal.
    """

    code: str
    who: str
    contracts: tuple[str, ...]
    rules: tuple[str, ...]
    texts: tuple[str, ...]
    note: str
    ids: tuple[str, ...]
    messages: tuple[int, ...]
    parts: tuple[int, ...]
    score: int
    remedy: str = ""


def as_match(rows: list[Refusal], score: int = 0, captures: Iterable[tuple[str, str]] = ()) -> Match:
    """Return rows of one code as one match; captures are (placeholder, what is written there)."""
    captures = list(captures)
    ids = (part for kind, value in captures if kind in ("id", "ids") for part in re.split(r" ?, ?(?:and )?", value))
    return Match(
        code=rows[0].code,
        who=", ".join(dict.fromkeys(row.who for row in rows)),
        contracts=tuple(dict.fromkeys(contract for row in rows for contract in row.contracts)),
        rules=tuple(dict.fromkeys(rule for row in rows for rule in row.rules)),
        texts=tuple(dict.fromkeys(row.shown for row in rows)),
        note=rows[0].note,
        ids=tuple(dict.fromkeys(ids)),
        messages=tuple(dict.fromkeys(int(value) for kind, value in captures if kind == "n")),
        parts=tuple(dict.fromkeys(int(value) for kind, value in captures if kind == "m")),
        score=score,
        remedy=rows[0].remedy,
    )
