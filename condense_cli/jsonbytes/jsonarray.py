"""The elements of a long array with their values: found by the joint between two of them, and proved by the parser.

A walk over every byte takes three times as long as the parser does. The objects of an array mostly look alike where one
ends and the next begins (`},{"role"`), so the next such joint is where an element should end, and parsing it says
whether it does. What is not proved is walked over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from condense_cli.jsonbytes.jsonspan import STRING, space_end, value_end

_MOST_MISSES = 64  # an array whose elements are not told apart by their joint is walked over
_LEAD = re.compile(rb'\{[ \t\r\n]*"[^"\\]*"')


class Element(NamedTuple):
    """One element: where its bytes are, and its value, None where nobody parsed it (null is None, too)."""

    start: int
    end: int
    value: Any


def elements(raw: bytes, at: int) -> Iterator[Element]:
    """Yield the elements of the array that starts at `at`; raise ValueError when one of them does not end.

    The spans are those of `jsonspan.elements`; a value is given for nearly all of them, where that is strict JSON.
    """
    import orjson  # the rules are listed without it

    if raw[at : at + 1] != b"[":
        return
    at = space_end(raw, at + 1)
    view, joint, gap, misses = memoryview(raw), None, 0, 0
    while at < len(raw) and raw[at] != 0x5D:
        place = raw.find(joint, at) if joint else -1
        if place >= 0:
            try:
                value = orjson.loads(view[at : place + 1])
            except ValueError:
                misses += 1
                joint = joint if misses < _MOST_MISSES else b""
            else:
                yield Element(at, place + 1, value)
                at = place + 1 + gap
                continue
        end = value_end(raw, at)
        yield Element(at, end, None)
        at = space_end(raw, end)
        if raw[at : at + 1] != b",":
            break
        at = space_end(raw, at + 1)
        if joint is None:
            joint, gap = _joint(raw, end, at), at - end


def _joint(raw: bytes, end: int, following: int) -> bytes:
    """Return the bytes from the last one of an element to the first key of the next, b"" where these are no objects."""
    lead = _LEAD.match(raw, following)
    return raw[end - 1 : lead.end()] if lead is not None and raw[end - 1] == 0x7D else b""


def opening(raw: bytes, at: int, key: str) -> int:
    """Return where the value of the first member with this key starts in the object at `at`, -1 where there is none.

    Nothing after that place is looked at. Keys with escapes are passed over.
    """
    wanted = b'"%s"' % key.encode("utf-8", "surrogatepass")
    at = space_end(raw, at + 1)
    while match := STRING.match(raw, at):
        colon = space_end(raw, match.end())
        if raw[colon : colon + 1] != b":":
            return -1
        start = space_end(raw, colon + 1)
        if match[0] == wanted:
            return start
        at = space_end(raw, value_end(raw, start))
        if raw[at : at + 1] != b",":
            return -1
        at = space_end(raw, at + 1)
    return -1
