"""Where a value is inside the bytes of a JSON text: spans of members, elements and paths, and where a text breaks
off.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from condense_cli.jsonbytes.jsonread import loads

Path = tuple[str | int, ...]

_SPACE = re.compile(rb"[ \t\r\n]*")
STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]]', re.DOTALL)
_MEMBER = re.compile(
    rb'[ \t\r\n]*("[^"\\]*(?:\\.[^"\\]*)*")[ \t\r\n]*.[ \t\r\n]*("[^"\\]*(?:\\.[^"\\]*)*"|[^,\]}\s"{\[][^,\]}\s]*)?',
    re.DOTALL,
)
_SCALAR = re.compile(rb"[^,\]}\s]+")


def space_end(raw: bytes, at: int) -> int:
    """Return the position behind white space."""
    match = _SPACE.match(raw, at)
    return match.end() if match else at


def value_end(raw: bytes, at: int) -> int:
    """Return the position behind the value that starts at `at`; raise ValueError when it does not end."""
    first = raw[at : at + 1]
    if first == b'"':
        match = STRING.match(raw, at)
        if not match:
            raise ValueError("string does not end")
        return match.end()
    if first in (b"{", b"["):
        depth = 0
        for token in _TOKEN.finditer(raw, at):
            kind = raw[token.start()]
            if kind in (0x7B, 0x5B):
                depth += 1
            elif kind in (0x7D, 0x5D):
                depth -= 1
                if not depth:
                    return token.end()
        raise ValueError("value does not end")
    match = _SCALAR.match(raw, at)
    if not match:
        raise ValueError("no value")
    return match.end()


class Member(NamedTuple):
    """One key of an object: where key and value stand (byte offsets)."""

    key: str
    key_start: int
    start: int
    end: int


def members(raw: bytes, at: int) -> list[Member]:
    """Return the members of the object that starts at `at`, in order."""
    found: list[Member] = []
    if raw[at : at + 1] != b"{":
        return found
    at += 1
    while match := _MEMBER.match(raw, at):
        key_start, key_end = match.start(1), match.end(1)
        start, end = match.span(2)
        if end < 0:  # an array, an object, or no value
            start = match.end()
            end = value_end(raw, start)
        found.append(Member(_key(raw[key_start:key_end]), key_start, start, end))
        at = space_end(raw, end)
        if raw[at : at + 1] != b",":
            return found
        at += 1
    if raw[(end := space_end(raw, at)) : end + 1] == b'"':
        raise ValueError("member does not end")
    return found


def _key(raw: bytes) -> str:
    plain = raw[1:-1]
    if b"\\" not in plain and plain.isascii() and (known := plain.decode()).isprintable():
        return known
    key: str = loads(raw)
    return key


def elements(raw: bytes, at: int) -> list[tuple[int, int]]:
    """Return the spans of the elements of the array that starts at `at`."""
    found: list[tuple[int, int]] = []
    if raw[at : at + 1] != b"[":
        return found
    at = space_end(raw, at + 1)
    while at < len(raw) and raw[at : at + 1] != b"]":
        end = value_end(raw, at)
        found.append((at, end))
        at = space_end(raw, end)
        if raw[at : at + 1] != b",":
            break
        at = space_end(raw, at + 1)
    return found


def span(raw: bytes, path: Path, at: int | None = None) -> tuple[int, int] | None:
    """Return the span of the value at a path of keys and indexes, or None. Of a repeated key the last counts."""
    start = space_end(raw, 0) if at is None else at
    for step in path:
        kind = raw[start : start + 1]
        if isinstance(step, str):
            if kind != b"{":
                return None
            places = [m.start for m in members(raw, start) if m.key == step]
            if not places:
                return None
            start = places[-1]
        else:
            if kind != b"[":
                return None
            spans = elements(raw, start)
            if not -len(spans) <= step < len(spans):
                return None
            start = spans[step][0]
    return start, value_end(raw, start)


def is_cut(raw: bytes) -> bool:
    """Say whether the bytes are the beginning of one JSON object that breaks off before its end."""
    at = space_end(raw, 0)
    if raw[at : at + 1] != b"{":
        return False
    try:
        value_end(raw, at)
    except ValueError:
        return True
    return False


def cut_in_string(raw: bytes) -> bool:
    """Say whether the bytes break off inside a string."""
    at = 0
    while True:
        match = _TOKEN.search(raw, at)
        quote = raw.find(b'"', at)
        if quote < 0:
            return False
        if not match:
            return True
        if match.start() == quote or raw[match.start()] == 0x22 or match.start() < quote:
            at = match.end()
        else:
            return True
