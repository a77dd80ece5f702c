"""Where the strings of a file are, and which of them may be words of its format. Spans are without the quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from condense_cli.jsonbytes import jsonread, jsonspan

_FREE = frozenset(
    [
        "text",
        "thinking",
        "output",
        "arguments",
        "input",
        "args",
        "summary",
        "toolUseResult",
        "details",
        "description",
        "title",
        "content",
        "reasoning",
        "reasoning_content",
        "refusal",
        "prompt",
        "parameters",
        "query",
        "result",
        "response",
        "metadata",
        "lastPrompt",
        "name",
        "customTitle",
        "instructions",
        "snapshot",
        "rawInput",
        "partialJson",
        "aggregated_output",
        "message",
        "display",
        "errorMessage",
        "command",
    ]
)
"""Fields whose text is a user's, a model's or a tool's own: nothing in it is a word of the format."""
_OWN = frozenset(
    ["toolUseResult", "details", "input", "arguments", "args", "parameters", "response", "metadata", "snapshot"]
)
"""Fields whose whole value is of that kind, names of fields in it included."""
_LETTERS = rb"[A-Za-z\x80-\xff][\w\x80-\xff]*(?:\.[\w\x80-\xff]+)*"
_STRING = re.compile(rb'"((?:[^"\\]|\\.)*)("|\\?\Z)|%b|\b\d\w*' % _LETTERS, re.DOTALL)
_BARE = frozenset((b"true", b"false", b"null", b"NaN"))


class StringSpan(NamedTuple):
    """One string: its bytes in the file; free: it is nobody's word but the session's."""

    start: int
    end: int
    free: bool


def spans(data: bytes) -> list[StringSpan]:
    """Return the strings of a file of lines, or of one JSON document, in order."""
    whole = _parsed(data, 0)
    if whole is not None:
        return whole
    found: list[StringSpan] = []
    unread = at = 0
    while at < len(data):
        end = data.find(b"\n", at) + 1 or len(data)
        inside = _parsed(data[at:end], at)
        if inside is not None:
            found += [*_torn(data[unread:at], unread), *inside]
            unread = end
        at = end
    return [*found, *_torn(data[unread:], unread)]


def _parsed(raw: bytes, offset: int) -> list[StringSpan] | None:
    start = jsonspan.space_end(raw, 0)
    if raw[start : start + 1] not in (b"{", b"["):
        return [] if not raw.strip() else None
    parsed = jsonread.parse(raw)
    if parsed is None:
        return None
    try:
        return [
            StringSpan(span.start + offset, span.end + offset, span.free)
            for span in _walk(raw, start, free=False, own=False)
        ]
    except ValueError:
        return None


def _walk(raw: bytes, at: int, *, free: bool, own: bool) -> Iterator[StringSpan]:
    kind = raw[at : at + 1]
    if kind == b'"':
        yield StringSpan(at + 1, jsonspan.value_end(raw, at) - 1, free)
    elif kind == b"{":
        for member in jsonspan.members(raw, at):
            yield StringSpan(member.key_start + 1, jsonspan.value_end(raw, member.key_start) - 1, own)
            # A list of messages or blocks is no text, whatever its field is called.
            yield from _walk(
                raw,
                member.start,
                free=own or member.key in _FREE,
                own=own or (member.key in _OWN and raw[member.start : member.start + 1] == b"{"),
            )
    elif kind == b"[":
        for start, _ in jsonspan.elements(raw, at):
            yield from _walk(raw, start, free=free, own=own)


def _torn(raw: bytes, offset: int) -> Iterator[StringSpan]:
    """Yield the strings of lines that are no JSON: quotes may open or close there, so words outside of them count as
    well.
    """
    for match in _STRING.finditer(raw):
        if match[1] is not None:
            yield StringSpan(match.start(1) + offset, match.end(1) + offset, free=False)
        elif match[0] not in _BARE and not match[0].isdigit():
            yield StringSpan(match.start() + offset, match.end() + offset, free=False)
