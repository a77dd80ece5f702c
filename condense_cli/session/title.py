"""What a session is about, in a few words: what its user said first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson

_MOST = 60
_MOST_LINES = 60
_NOT_SAID = ("<", "# AGENTS.md", "Caveat:")
"""How texts begin that a client puts into the user's mouth."""


def title_of(head: bytes) -> str:
    """Return the first words of the first user message in the first lines of a session, "" where there are none."""
    for line in head.split(b"\n")[:_MOST_LINES]:
        try:
            value = orjson.loads(line)
        except ValueError:
            continue
        for text in _said(value):
            words = " ".join(text.split())
            if words and not words.startswith(_NOT_SAID):
                return words if len(words) <= _MOST else f"{words[: _MOST - 1]}…"
    return ""


def _said(value: Any, depth: int = 0) -> Iterator[str]:
    """Yield the texts of the user messages in a value."""
    if isinstance(value, list):
        for item in value:
            yield from _said(item, depth)
    elif isinstance(value, dict) and depth < 4:
        if value.get("role") == "user" or (value.get("type") == "user" and "message" not in value):
            yield from _texts(value.get("content", value.get("parts")))
        else:
            for key in ("message", "payload", "messages"):
                yield from _said(value.get(key), depth + 1)


def _texts(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        yield from (part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str))
