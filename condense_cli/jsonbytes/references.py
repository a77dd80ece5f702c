"""Rename ids at the places of a JSON text that name other records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from condense_cli.jsonbytes import jsonedit
from condense_cli.jsonbytes.jsonspan import Path


def follow(raw: bytes, value: Any, paths: Iterable[Path], names: Mapping[str, str]) -> bytes:
    """Return the text with new names in the place of old ones at the paths ("*" is each element of an array); value
    is what the text says.
    """
    for path in paths:
        if isinstance(value, dict) and path[0] not in value:
            continue
        for place, old in list(_places(value, path)):
            if old in names:
                raw = jsonedit.replace(raw, place, names[old])
    return raw


def _places(value: Any, path: Path, before: Path = ()) -> Iterator[tuple[Path, str]]:
    if not path:
        if isinstance(value, str):
            yield before, value
        return
    step, rest = path[0], path[1:]
    if step == "*" and isinstance(value, list):
        for n, item in enumerate(value):
            yield from _places(item, rest, (*before, n))
    elif isinstance(step, str) and isinstance(value, dict) and step in value:
        yield from _places(value[step], rest, (*before, step))
