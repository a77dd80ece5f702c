"""What differs between two JSON values, field by field: elements of a list are matched before they are compared."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.jsonbytes.javascript import stringify

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MOST_ELEMENTS = 1000


class Missing:
    """There is no such field."""


MISSING = Missing()


class Field(NamedTuple):
    """One field that differs: its path as people write it, and its values, MISSING where it is not there."""

    path: str
    old: Any
    new: Any


def fields(old: Any, new: Any, path: str = "") -> Iterator[Field]:
    """Yield the fields that differ, in the order of the new value."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in (*new, *(old.keys() - new.keys() and [key for key in old if key not in new])):
            was, will = old.get(key, MISSING), new.get(key, MISSING)
            if type(was) is str and was == will:
                continue  # most fields are the same text
            yield from fields(was, will, f"{path}.{key}" if path else str(key))
    elif isinstance(old, list) and isinstance(new, list):
        yield from _elements(old, new, path)
    elif type(old) is not type(new) or old != new:
        yield Field(path, old, new)


def _elements(old: list[Any], new: list[Any], path: str) -> Iterator[Field]:
    ours, theirs = [stringify(value) for value in old], [stringify(value) for value in new]
    for tag, a, b, c, d in _opcodes(ours, theirs):
        if tag == "equal":
            continue
        both = min(b - a, d - c)
        for n in range(both):
            yield from fields(old[a + n], new[c + n], f"{path}[{c + n}]")
        for n in range(a + both, b):
            yield Field(f"{path}[{n}]", old[n], MISSING)
        for n in range(c + both, d):
            yield Field(f"{path}[{n}]", MISSING, new[n])


def _opcodes(ours: list[bytes], theirs: list[bytes]) -> Sequence[tuple[str, int, int, int, int]]:
    if ours == theirs:
        return ()
    if len(ours) == len(theirs) == 1 or max(len(ours), len(theirs)) > _MOST_ELEMENTS:
        return [("replace", 0, len(ours), 0, len(theirs))]
    return difflib.SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes()
