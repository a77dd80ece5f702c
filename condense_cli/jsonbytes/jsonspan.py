"""Where a value is inside the bytes of a JSON text: spans of members, elements and paths, and where a text breaks
off.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from condense_cli.jsonbytes.jsonread import loads

if TYPE_CHECKING:
    from collections.abc import Iterator

Path = tuple[str | int, ...]

_SPACE = re.compile(rb"[ \t\r\n]*")
STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_SHALLOW = 4  # levels of nesting that one expression passes over, ten times as fast as token by token


def _nested(levels: int) -> bytes:
    plain, string = rb'[^"{}\[\]]*', rb'"[^"\\]*(?:\\.[^"\\]*)*"'
    inner = b""
    for _ in range(levels):
        inner = rb"[{\[]" + plain + rb"(?:(?:" + string + (b"|" + inner if inner else b"") + rb")" + plain + rb")*[}\]]"
    return inner


_NESTED = re.compile(_nested(_SHALLOW), re.DOTALL)
_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]]', re.DOTALL)
_MEMBER = re.compile(
    rb'[ \t\r\n]*("[^"\\]*(?:\\.[^"\\]*)*")[ \t\r\n]*.[ \t\r\n]*("[^"\\]*(?:\\.[^"\\]*)*"|[^,\]}\s"{\[][^,\]}\s]*)?',
    re.DOTALL,
)
# The two halves of a member: its key, and its value unless that is nested deeply.
_BEGINNING = re.compile(rb'[ \t\r\n]*("[^"\\]*(?:\\.[^"\\]*)*")[ \t\r\n]*.[ \t\r\n]*', re.DOTALL)
_REST = re.compile(
    rb'(?:"[^"\\]*(?:\\.[^"\\]*)*"|[^,\]}\s"{\[][^,\]}\s]*|' + _nested(_SHALLOW) + rb")[ \t\r\n]*[,}]", re.DOTALL
)
_SCALAR = re.compile(rb"[^,\]}\s]+")
_OFTEN = 64  # a key that is looked for so often gets expressions of its own: making them costs two milliseconds
_asked: Counter[str] = Counter()


def space_end(raw: bytes, at: int) -> int:
    """Return the position after white space."""
    match = _SPACE.match(raw, at)
    return match.end() if match else at


def value_end(raw: bytes, at: int) -> int:
    """Return the position after the value that starts at `at`; raise ValueError when it does not end."""
    first = raw[at : at + 1]
    if first == b'"':
        match = STRING.match(raw, at)
        if not match:
            raise ValueError("string does not end")
        return match.end()
    if first in (b"{", b"["):
        whole = _NESTED.match(raw, at)
        if whole:
            return whole.end()
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
    return _members(raw, at + 1) if raw[at : at + 1] == b"{" else []


def _members(raw: bytes, at: int) -> list[Member]:
    found: list[Member] = []
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


def _value_of(raw: bytes, at: int, key: str) -> int:
    """Return where the value of a key begins in the object that starts at `at`, or -1. Of a repeated key the last
    counts.
    """
    _asked[key] += 1
    if _asked[key] > _OFTEN and key.isascii() and key.isalnum() and (quick := _quick_value_of(raw, at, key)):
        return quick
    found, quoted = -1, b'"%b"' % key.encode("utf-8", "surrogatepass")
    at += 1
    while match := _BEGINNING.match(raw, at):
        known = match[1]
        at = match.end()
        if known == quoted if known.isascii() and b"\\" not in known else _key(known) == key:
            found = at
            if raw.find(quoted, at) < 0 and raw.find(b"\\u00", at) < 0:
                return found  # nothing that comes can be the same key again
        rest = _REST.match(raw, at)
        if rest is None:
            at = space_end(raw, value_end(raw, at))
            if raw[at : at + 1] != b",":
                return found
            at += 1
            continue
        at = rest.end()
        if raw[at - 1] != 0x2C:
            return found
    if raw[(end := space_end(raw, at)) : end + 1] == b'"':
        raise ValueError("member does not end")
    return found


def _quick_value_of(raw: bytes, at: int, key: str) -> int:
    """Return where the value of a key begins if one expression finds it, and no second one; else 0: look closer."""
    before, after, quoted = _around(key)
    found = before.match(raw, at)
    if found is None:
        return 0
    start = found.end()
    if raw.find(quoted, start) < 0 and raw.find(b"\\u00", start) < 0:
        return start
    return start if after.match(raw, start) else 0


@lru_cache(maxsize=64)
def _around(key: str) -> tuple[re.Pattern[bytes], re.Pattern[bytes], bytes]:
    """Return what an object is up to the value of its only member with a key, and from there to its end: keys are
    plain, values not nested deeply.
    """
    space, quoted = rb"[ \t\r\n]*+", b'"%b"' % key.encode()
    value = rb'(?:"[^"\\]*+(?:\\.[^"\\]*+)*+"|[^,\]}\s"{\[][^,\]}\s]*+|' + _nested(_SHALLOW) + rb")" + space
    other = space + rb"(?!" + quoted + rb')"[^"\\]*+"' + space + b":" + space + value
    before = rb"\{(?:" + other + rb",)*+" + space + quoted + space + b":" + space
    return re.compile(before, re.DOTALL), re.compile(value + rb"(?:," + other + rb")*+\}", re.DOTALL), quoted


def _key(raw: bytes) -> str:
    plain = raw[1:-1]
    if b"\\" not in plain and plain.isascii() and (known := plain.decode()).isprintable():
        return known
    key: str = loads(raw)
    return key


def elements(raw: bytes, at: int) -> list[tuple[int, int]]:
    """Return the spans of the elements of the array that starts at `at`."""
    return list(_elements(raw, at)) if raw[at : at + 1] == b"[" else []


def _elements(raw: bytes, at: int) -> Iterator[tuple[int, int]]:
    at = space_end(raw, at + 1)
    while at < len(raw) and raw[at : at + 1] != b"]":
        end = value_end(raw, at)
        yield at, end
        at = space_end(raw, end)
        if raw[at : at + 1] != b",":
            break
        at = space_end(raw, at + 1)


def _element(raw: bytes, at: int, number: int) -> int:
    """Return where an element begins in the array that starts at `at`, or -1. A number below 0 counts from the end."""
    if number < 0:
        spans = elements(raw, at)
        return spans[number][0] if -len(spans) <= number else -1
    if number == 0:
        at = space_end(raw, at + 1)
        return at if raw[at : at + 1] not in (b"]", b"") else -1
    return next(islice(_elements(raw, at), number, None), (-1, -1))[0]


def span(raw: bytes, path: Path, at: int | None = None) -> tuple[int, int] | None:
    """Return the span of the value at a path of keys and indexes, or None. Of a repeated key the last counts."""
    start = space_end(raw, 0) if at is None else at
    for step in path:
        kind = raw[start : start + 1]
        if isinstance(step, str):
            if kind != b"{":
                return None
            start = _value_of(raw, start, step)
            if start < 0:
                return None
        else:
            if kind != b"[":
                return None
            start = _element(raw, start, step)
            if start < 0:
                return None
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
