"""JSON as bytes, read as leniently as the clients read it.

orjson is the fast path. It refuses lone surrogates, NaN, a BOM and depth above 1024; the fallback here
accepts what the clients' own parsers accept.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

DEPTH = 2000  # orjson reads values that nest deeper than the module json writes


SURROGATE = re.compile("[\ud800-\udfff]")


_ESCAPED_HALF = re.compile(
    rb"(?<!\\)((?:\\\\)*)\\u(d[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|d[89a-f][0-9a-f]{2})", re.IGNORECASE
)


class Parsed(NamedTuple):
    """A value, and what had to be forgiven to read it: "", "lone-surrogate" or "invalid-utf8"."""

    value: Any
    fault: str


def parse(raw: bytes) -> Parsed | None:
    """Read one JSON value as the clients would, or return None. Trailing white space is fine, a BOM is not."""
    import orjson  # the rules are listed without it

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
        value = _DECODER.decode(text)
    except (ValueError, RecursionError):
        return None
    if not fault and _ESCAPED_HALF.search(raw) and holds_surrogate(value):
        fault = "lone-surrogate"
    return Parsed(value, fault)


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


_DECODER = json.JSONDecoder(parse_constant=_refuse)


def loads(raw: bytes) -> Any:
    """Read one JSON value leniently; raise ValueError where no client could."""
    parsed = parse(raw)
    if parsed is None:
        raise ValueError("not JSON")
    return parsed.value


def of_text(text: Any) -> Any:
    """Return the value that a JSON text holds; what is no text, or no JSON, is returned as it is."""
    if not isinstance(text, str):
        return text
    parsed = parse(text.encode("utf-8", "surrogatepass"))
    return text if parsed is None else parsed.value


def holds_surrogate(value: Any) -> bool:
    """Say whether any string or key in the value holds half of a surrogate pair."""
    return any(SURROGATE.search(text) for text in strings(value))


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


def repair_surrogates(raw: bytes) -> bytes:
    """Replace each lone half, escaped or raw, by U+FFFD and leave whole pairs; an escaped half keeps its length."""

    def escaped(match: re.Match[bytes]) -> bytes:
        half = match[2]
        if len(half) > 4 and half[1:2].lower() in b"89ab":
            return match[0]
        return match[1] + b"\\ufffd"

    text = _ESCAPED_HALF.sub(escaped, raw)
    # An escaped low half after an escaped backslash run is found by the same expression, one at a time.
    if _raw_half(text):
        text = (
            text.decode("utf-8", "surrogatepass").encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()
        )
    return text


def _raw_half(raw: bytes) -> bool:
    return b"\xed" in raw and re.search(rb"\xed[\xa0-\xbf]", raw) is not None
