"""The order of names that localeCompare gives in the root locale: punctuation, digits, letters; case counts last."""

from __future__ import annotations

import unicodedata
from functools import cache

_ORDER = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz"
_WEIGHTS = {char: weight for weight, char in enumerate(_ORDER)}
_BEYOND = len(_ORDER)

Key = tuple[tuple[int, ...], tuple[int, ...], tuple[bool, ...]]


@cache
def collation_key(name: str) -> Key:
    """Return a key that sorts like localeCompare: exactly for ASCII; accents after letters, others by code point."""
    primary: list[int] = []
    accents: list[int] = []
    upper: list[bool] = []
    for char in unicodedata.normalize("NFD", name):
        if unicodedata.combining(char):
            accents.append(ord(char))
        elif unicodedata.category(char) not in ("Cc", "Cf"):
            low = char.lower()
            primary.append(_WEIGHTS.get(low, _BEYOND + ord(low[0])))
            upper.append(low != char)
    return tuple(primary), tuple(accents), tuple(upper)
