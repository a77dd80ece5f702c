"""A session in pieces that can be left out: lines, or elements of its arrays; children of what is left out get its
parent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from condense_cli.jsonbytes import jsonedit, jsonread, jsonspan

_LINKS = (("id", "parentId"), ("uuid", "parentUuid"), ("uuid", "logicalParentUuid"))


class Pieces(NamedTuple):
    """What is before the pieces, the pieces, what is between two of them, and what is after the last."""

    head: bytes
    parts: tuple[bytes, ...]
    comma: bytes
    tail: bytes

    def joined(self, kept: Sequence[int]) -> bytes:
        """Return the bytes with these pieces alone."""
        return self.head + self.comma.join(self.parts[n] for n in kept) + self.tail

    def linked(self, kept: Sequence[int]) -> bytes:
        """Return the same, where a link to a piece that is left out goes on to what that one links to."""
        left_out = sorted(set(range(len(self.parts))) - set(kept))
        return (
            self.head
            + self.comma.join(_relinked([self.parts[n] for n in kept], [self.parts[n] for n in left_out]))
            + self.tail
        )


def lines(data: bytes) -> Pieces:
    """Return the lines of a file, with their endings."""
    return Pieces(b"", tuple(_cut(data)), b"", b"")


def _cut(data: bytes) -> Iterator[bytes]:
    at = 0
    while at < len(data):
        end = data.find(b"\n", at) + 1 or len(data)
        yield data[at:end]
        at = end


def array(data: bytes, path: jsonspan.Path) -> Pieces | None:
    """Return the elements of the array at a path; None where there is none."""
    found = jsonspan.span(data, path)
    if found is None or data[found[0] : found[0] + 1] != b"[":
        return None
    spans = jsonspan.elements(data, found[0])
    if not spans:
        return None
    return Pieces(data[: spans[0][0]], tuple(data[start:end] for start, end in spans), b",", data[spans[-1][1] :])


def arrays(value: Any, path: jsonspan.Path = ()) -> Iterator[jsonspan.Path]:
    """Yield the paths of all arrays of objects or texts in a value, the outer ones first."""
    if isinstance(value, list) and value:
        yield path
        for n, item in enumerate(value):
            yield from arrays(item, (*path, n))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from arrays(item, (*path, key))


def _relinked(kept: list[bytes], left_out: list[bytes]) -> list[bytes]:
    """Return the kept pieces with links past those that are left out."""
    parents: list[dict[str, Any]] = [{}, {}, {}]
    for raw in left_out:
        value = _object(raw)
        for known, (own, link) in zip(parents, _LINKS, strict=True):
            if isinstance(value.get(own), str) and link in value:
                known[value[own]] = value[link]
    if not any(parents):
        return kept
    there = {value[own] for value in map(_object, kept) for own, _ in _LINKS if isinstance(value.get(own), str)}
    return [_relink(raw, parents, there) for raw in kept]


def _relink(raw: bytes, parents: list[dict[str, Any]], there: set[str]) -> bytes:
    value = _object(raw)
    for known, (_, link) in zip(parents, _LINKS, strict=True):
        to = before = value.get(link)
        seen: set[str] = set()
        while isinstance(to, str) and to not in there and to in known and to not in seen:
            seen.add(to)
            to = known[to]
        if to != before:
            raw = jsonedit.replace(raw, (link,), to)
    return raw


def _object(raw: bytes) -> dict[str, Any]:
    try:
        value = jsonread.loads(raw)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
