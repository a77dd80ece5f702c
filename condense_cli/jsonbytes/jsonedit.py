"""JSON as bytes: change one value and nothing else.

A change splices bytes: key order, number spelling, escapes and white space of everything else stay as they are.
"""

from __future__ import annotations

import json
import math
import re
import sys
from json.encoder import encode_basestring
from typing import Any

from condense_cli.jsonbytes.jsonread import DEPTH, SURROGATE, loads
from condense_cli.jsonbytes.jsonspan import STRING, Path, elements, members, span

_COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)
_SPACED = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


def dump(value: Any, *, spaced: bool = False) -> bytes:
    """Write a value compactly, or with a blank after `,` and `:`; halves of surrogate pairs become U+FFFD, infinite
    numbers null.
    """
    if value is None:
        return b"null"
    if isinstance(value, str):
        if value.isascii():
            return encode_basestring(value).encode()
        return SURROGATE.sub("\ufffd", encode_basestring(value)).encode()
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit + DEPTH)
    encoder = _SPACED if spaced else _COMPACT
    try:
        try:
            text = encoder.encode(value)
        except ValueError:  # a number of the file such as 1e999
            text = encoder.encode(_finite(value))
    finally:
        sys.setrecursionlimit(limit)
    return SURROGATE.sub("\ufffd", text).encode()


def _finite(value: Any) -> Any:
    """Return the value as JSON.stringify writes it, with null for numbers that are not finite."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return {key: _finite(item) for key, item in value.items()} if isinstance(value, dict) else value


def is_spaced(raw: bytes) -> bool:
    """Say whether the record was written with a blank after the colon."""
    found = STRING.search(raw)
    return bool(found) and raw[found.end() : found.end() + 2] == b": " if found else False


def replace(raw: bytes, path: Path, value: Any) -> bytes:
    """Write a value at a path; a missing last key is added at the end of its object. bytes are written as they are."""
    data = value if isinstance(value, bytes) else _in_style(value, raw)
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


def _in_style(value: Any, raw: bytes) -> bytes:
    return dump(value, spaced=isinstance(value, (dict, list)) and is_spaced(raw))


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


_NUL = re.compile(rb"(?<!\\)((?:\\\\)*)\\u0000")


def without_nul(raw: bytes, leave: set[str]) -> bytes:
    """Replace each escaped U+0000 by U+FFFD, but in the strings that are to be left."""

    def repaired(match: re.Match[bytes]) -> bytes:
        text = match[0]
        if b"\\u0000" not in text or (leave and loads(text) in leave):
            return text
        return _NUL.sub(rb"\1\\ufffd", text)

    return STRING.sub(repaired, raw)
