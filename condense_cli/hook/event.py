"""What a client's hook says on standard input: one JSON object with an event and the path of the session."""

from __future__ import annotations

import json
import os
from typing import Any, NamedTuple

MOST_BYTES = 16 << 20

_NAMES = ("hook_event_name", "hookEventName", "event")
_PATHS = ("transcript_path", "transcriptPath", "session_file")
_BEGINNINGS = frozenset({"SessionStart", "sessionStart", "session_start"})
_GOES_ON = frozenset({"compact", "clear", "reload"})


class Event(NamedTuple):
    """One event: its name as the client spells it, the session's path, and whether a session is taken up again."""

    name: str
    path: str
    begins: bool


def read_event(data: bytes) -> Event | None:
    """Understand an event; None where the bytes are no JSON object or name no session."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    path = _text(value, _PATHS)
    if not path or "\0" in path:
        return None
    name = _text(value, _NAMES)
    begins = name in _BEGINNINGS and value.get("source") not in _GOES_ON
    return Event(name, os.path.expanduser(path), begins)


def _text(value: dict[str, Any], names: tuple[str, ...]) -> str:
    """Return the first text among members of these names, or ""."""
    return next((value[name] for name in names if isinstance(value.get(name), str)), "")
