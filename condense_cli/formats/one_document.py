"""Decide whether a file that is not one JSON value is a damaged array or document, or lines of records.

Lines of an array look like records with a comma after them. Edited one by one, without what is on the broken line,
a second repair would remove results whose call is there. So a damaged document is read as a whole or not at all.
"""

from __future__ import annotations

import re
from typing import Any

from condense_cli.jsonbytes import jsonread

_MOST_LINES = 200
_BRACKETS = frozenset({b"[", b"]", b"{", b"}", b"},", b"],"})
LISTS = ("messages", "input", "contents", "history", "items")  # keys under which documents hold their messages
_STATES = ("values", "channel_values")  # keys under which LangGraph keeps what holds them
_LIST = re.compile(rb'"(?:%s)"\s*:\s*\[\s*\{' % "|".join(LISTS).encode())
_LIST_WITHIN = 1 << 12


def holds_list(value: dict[str, Any]) -> bool:
    """Say whether an object has a list of messages under one of the keys, itself or in its state."""
    states = (held for key in _STATES if isinstance(held := value.get(key), dict))
    return any(isinstance(held.get(key), list) for held in (value, *states) for key in LISTS)


def is_document(raw: bytes) -> bool:
    """Say whether the beginning of a file, cut at a line, is that of an array or a document with a list of messages."""
    lines = [line for part in raw.removeprefix(b"\xef\xbb\xbf").split(b"\n") if (line := part.rstrip(b"\r\0 \t"))]
    if not lines:
        return False
    records = elements = 0
    for line in lines[:_MOST_LINES]:
        if _is_object(line):
            records += 1
        elif line.strip() in _BRACKETS or _is_element(line):
            elements += 1
    if records > elements:
        return False
    return elements > 1 or lines[0].lstrip(b"\0 \t").startswith(b"[") or (len(lines) == 1 and _holds_list(lines[0]))


def _is_object(line: bytes) -> bool:
    """Say whether a line is one object; one that is indented belongs to a document."""
    if line[:1] != b"{":
        return False
    parsed = jsonread.parse(line)
    return parsed is not None and isinstance(parsed.value, dict)


def _is_element(line: bytes) -> bool:
    """Say whether a line is an object with what separates it from its neighbours in an array."""
    inside = line.lstrip(b"[ \t").rstrip(b"], \t")
    return inside != line and _is_object(inside)


def _holds_list(line: bytes) -> bool:
    return not _is_object(line) and _LIST.search(line, 0, _LIST_WITHIN) is not None
