"""JSON as bytes: read leniently, find the span of a value, change one value and nothing else.

orjson is the fast path. It refuses lone surrogates, NaN, a BOM and depth above 1024; the fallback here
accepts what the clients' own parsers accept. Changing a record splices bytes: key order, number spelling,
escapes and white space of everything else stay as they are.
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any, NamedTuple

import orjson

Path = tuple[str | int, ...]

_SPACE = re.compile(rb"[ \t\r\n]*")
_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]]', re.DOTALL)
_SCALAR = re.compile(rb"[^,\]}\s]+")
_DEPTH = 2000  # orjson reads values that nest deeper than the module json writes
_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPED_HALF = re.compile(rb"(?<!\\)((?:\\\\)*)\\u(d[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|d[89a-f][0-9a-f]{2})", re.IGNORECASE)


class Parsed(NamedTuple):
    """A value, and what had to be forgiven to read it: "", "lone-surrogate" or "invalid-utf8"."""

    value: Any
    fault: str


def parse(raw: bytes) -> Parsed | None:
    """Read one JSON value as the clients would, or return None. Trailing white space is fine, a BOM is not."""
    try:
        return Parsed(orjson.loads(raw), "")
    except ValueError:
        return _lenient(raw)


def _lenient(raw: bytes) -> Parsed | None:
    fault = ""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        try:
            text = raw.decode("utf-8", "surrogatepass")
            fault = "lone-surrogate"
        except UnicodeDecodeError:
            text = raw.decode("utf-8", "replace")
            fault = "invalid-utf8"
    try:
        value = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    if not fault and _ESCAPED_HALF.search(raw) and holds_surrogate(value):
        fault = "lone-surrogate"
    return Parsed(value, fault)


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


def loads(raw: bytes) -> Any:
    """Read one JSON value leniently; raise ValueError where no client could."""
    parsed = parse(raw)
    if parsed is None:
        raise ValueError("not JSON")
    return parsed.value


def holds_surrogate(value: Any) -> bool:
    """Say whether any string or key in the value holds half of a surrogate pair."""
    return any(_SURROGATE.search(text) for text in strings(value))


def strings(value: Any) -> list[str]:
    """Return all strings of a value, keys included."""
    found: list[str] = []
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            found.append(item)
        elif isinstance(item, dict):
            found.extend(item)
            todo.extend(item.values())
        elif isinstance(item, list):
            todo.extend(item)
    return found


def mend_surrogates(raw: bytes) -> bytes:
    """Replace each lone half, escaped or raw, by U+FFFD and leave whole pairs; an escaped half keeps its length."""

    def escaped(match: re.Match[bytes]) -> bytes:
        half = match[2]
        if len(half) > 4 and half[1:2].lower() in b"89ab":
            return match[0]
        return match[1] + b"\\ufffd"

    text = _ESCAPED_HALF.sub(escaped, raw)
    # An escaped low half behind an escaped backslash run is found by the same expression, one at a time.
    if _raw_half(text):
        text = text.decode("utf-8", "surrogatepass").encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()
    return text


def _raw_half(raw: bytes) -> bool:
    return b"\xed" in raw and re.search(rb"\xed[\xa0-\xbf]", raw) is not None


def dump(value: Any, *, spaced: bool = False) -> bytes:
    """Write a value compactly, or with a blank behind `,` and `:`; halves of surrogate pairs become U+FFFD."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit + _DEPTH)
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(", ", ": ") if spaced else (",", ":"))
    finally:
        sys.setrecursionlimit(limit)
    return _SURROGATE.sub("\ufffd", text).encode()


def is_spaced(raw: bytes) -> bool:
    """Say whether the record was written with a blank behind the colon."""
    found = _STRING.search(raw)
    return bool(found) and raw[found.end() : found.end() + 2] == b": " if found else False


def space_end(raw: bytes, at: int) -> int:
    """Return the position behind white space."""
    match = _SPACE.match(raw, at)
    return match.end() if match else at


def value_end(raw: bytes, at: int) -> int:
    """Return the position behind the value that starts at `at`; raise ValueError when it does not end."""
    first = raw[at : at + 1]
    if first == b'"':
        match = _STRING.match(raw, at)
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
    at = space_end(raw, at + 1)
    while raw[at : at + 1] == b'"':
        key_end = value_end(raw, at)
        start = space_end(raw, space_end(raw, key_end) + 1)
        end = value_end(raw, start)
        key = loads(raw[at:key_end])
        found.append(Member(key, at, start, end))
        at = space_end(raw, end)
        if raw[at : at + 1] != b",":
            break
        at = space_end(raw, at + 1)
    return found


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


def replace(raw: bytes, path: Path, value: Any) -> bytes:
    """Write a value at a path; a missing last key is added at the end of its object. bytes are written as they are."""
    data = value if isinstance(value, bytes) else dump(value, spaced=is_spaced(raw))
    found = span(raw, path)
    if found:
        return raw[: found[0]] + data + raw[found[1] :]
    outer = span(raw, path[:-1])
    if not outer or raw[outer[0] : outer[0] + 1] != b"{":
        raise ValueError("no object at the path")
    inside = members(raw, outer[0])
    spaced = is_spaced(raw)
    text = dump(str(path[-1])) + (b": " if spaced else b":") + data
    if inside:
        at = inside[-1].end
        return raw[:at] + (b", " if spaced else b",") + text + raw[at:]
    return raw[: outer[0] + 1] + text + raw[outer[0] + 1 :]


def remove(raw: bytes, path: Path) -> bytes:
    """Take a member or an element out, with its comma; a path that is not there changes nothing."""
    outer = span(raw, path[:-1])
    if not outer:
        return raw
    step = path[-1]
    if isinstance(step, str):
        if raw[outer[0] : outer[0] + 1] != b"{":
            return raw
        inside = members(raw, outer[0])
        spans = [(m.key_start, m.end) for m in inside]
        wanted = [n for n, m in enumerate(inside) if m.key == step]
    else:
        spans = elements(raw, outer[0])
        wanted = [step] if step < len(spans) else []
    if not wanted:
        return raw
    n = wanted[-1]
    start, end = spans[n]
    if n + 1 < len(spans):
        raw = raw[:start] + raw[spans[n + 1][0] :]
    elif n:
        raw = raw[: spans[n - 1][1]] + raw[end:]
    else:
        raw = raw[:start] + raw[end:]
    return remove(raw, path) if len(wanted) > 1 else raw  # a repeated key goes in all its copies


def insert(raw: bytes, path: Path, at: int, value: Any) -> bytes:
    """Put a new element into the array at a path, before index `at` (its length: at the end)."""
    outer = span(raw, path)
    if not outer or raw[outer[0] : outer[0] + 1] != b"[":
        raise ValueError("no array at the path")
    spaced = is_spaced(raw)
    data = value if isinstance(value, bytes) else dump(value, spaced=spaced)
    spans = elements(raw, outer[0])
    comma = raw[spans[0][1] : spans[1][0]] if len(spans) > 1 else b", " if spaced else b","
    if not spans:
        return raw[: outer[0] + 1] + data + raw[outer[0] + 1 :]
    if at >= len(spans):
        return raw[: spans[-1][1]] + comma + data + raw[spans[-1][1] :]
    return raw[: spans[at][0]] + data + comma + raw[spans[at][0] :]


def reorder(raw: bytes, path: Path, order: list[int]) -> bytes:
    """Put the elements of the array at a path into another order; the text between them stays."""
    outer = span(raw, path)
    spans = elements(raw, outer[0]) if outer else []
    if not spans:
        return raw
    out = [raw[: spans[0][0]]]
    for n, which in enumerate(order):
        out.append(raw[spans[which][0] : spans[which][1]])
        if n + 1 < len(spans):
            out.append(raw[spans[n][1] : spans[n + 1][0]])
    out.append(raw[spans[-1][1] :])
    return b"".join(out)


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


_NUL = re.compile(rb"(?<!\\)((?:\\\\)*)\\u0000")


def without_nul(raw: bytes, leave: set[str]) -> bytes:
    """Replace each escaped U+0000 by U+FFFD, but in the strings that are to be left."""

    def mended(match: re.Match[bytes]) -> bytes:
        text = match[0]
        if b"\\u0000" not in text or (leave and loads(text) in leave):
            return text
        return _NUL.sub(rb"\1\\ufffd", text)

    return _STRING.sub(mended, raw)
