"""The longest beginning of a broken-off JSON document that is whole: a client that overwrites such a file loses it all.

Only whole messages count: the list is closed after the last of them, and the object after its last whole member.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from condense_cli.jsonbytes import jsonread, jsonspan

_SPACE = b" \t\r\n"
_LIST = "messages"


class Beginning(NamedTuple):
    """The value of the beginning once it is closed, where it ends (a byte offset), and the bytes that close it."""

    value: Any
    end: int
    closing: bytes


def beginning(raw: bytes, start: int) -> Beginning | None:
    """Return the longest whole beginning of the document that starts at a byte, or None where nothing of it is whole.

    A document that is whole and followed by something else is its own beginning.
    """
    try:
        end = jsonspan.value_end(raw, start)
    except ValueError:
        end, closing = _cut(raw, start)
    else:
        end, closing = jsonspan.space_end(raw, end), b""
    parsed = jsonread.parse(raw[start:end] + closing) if end > start else None
    return Beginning(parsed.value, end, closing) if parsed is not None else None


def _cut(raw: bytes, start: int) -> tuple[int, bytes]:
    """Return where the last whole piece of a document that breaks off ends, and what closes it."""
    if raw[start : start + 1] == b"[":
        return _cut_list(raw, start, b"\n")
    end, at = start + 1, start
    lead = _lead(raw, start + 1)
    while raw[start : start + 1] == b"{":
        key = jsonspan.space_end(raw, at + 1)
        named = jsonspan.STRING.match(raw, key)
        colon = jsonspan.space_end(raw, named.end()) if named else key
        if not named or raw[colon : colon + 1] != b":":
            break
        value = jsonspan.space_end(raw, colon + 1)
        stop = _end(raw, value)
        if stop is None:
            if jsonread.parse(named[0]) == (_LIST, "") and raw[value : value + 1] == b"[":
                end, closing = _cut_list(raw, value, lead)
                return end, closing + _closing(lead, b"\n", b"}")
            break
        end = stop
        at = jsonspan.space_end(raw, stop)
        if raw[at : at + 1] != b",":
            break
    return end, _closing(lead, b"\n", b"}")


def _cut_list(raw: bytes, start: int, outer: bytes) -> tuple[int, bytes]:
    """Return where the last whole object of a list ends, and what closes the list. outer: white space before that."""
    end = at = start + 1
    lead = _lead(raw, end)
    while True:
        place = jsonspan.space_end(raw, at)
        stop = _end(raw, place)
        if stop is None or raw[place : place + 1] != b"{" or jsonread.parse(raw[place:stop]) is None:
            return end, _closing(lead, outer, b"]")
        end = stop
        at = jsonspan.space_end(raw, stop)
        if raw[at : at + 1] != b",":
            return end, _closing(lead, outer, b"]")
        at += 1


def _end(raw: bytes, at: int) -> int | None:
    """Return where a value ends, None where it does not; a number or a word that ends the file may go on."""
    try:
        end = jsonspan.value_end(raw, at)
    except ValueError:
        return None
    return None if end == len(raw) and raw[end - 1 : end] not in (b'"', b"}", b"]") else end


def _lead(raw: bytes, at: int) -> bytes:
    """Return the white space before the first piece."""
    return raw[at : jsonspan.space_end(raw, at)]


def _closing(lead: bytes, outer: bytes, bracket: bytes) -> bytes:
    """Return a closing bracket, on a line of its own where the first piece has one."""
    return (outer if b"\n" in lead else b"") + bracket
