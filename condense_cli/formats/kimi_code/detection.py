"""What tells a session of Kimi Code from other wire logs."""

from __future__ import annotations

from typing import Any

from condense_cli.document.views import Head

MESSAGE = "context.append_message"
LOOP = "context.append_loop_event"
_OWN = frozenset({MESSAGE, LOOP, "context.apply_compaction", "runtime.set_binding", "profile.bind"})


def detect(head: Head) -> bool:
    """One of the records that the client replays, or that only it writes before them."""
    return any(is_own(value) for value in head.records)


def is_own(value: dict[str, Any]) -> bool:
    """Say whether a record tells that the log is a session of Kimi Code."""
    kind = value.get("type")
    return type(kind) is str and kind in _OWN and "role" not in value


def is_record(value: dict[str, Any]) -> bool:
    """A record: its type, with a dot or of the first line, and what goes with it."""
    kind = value.get("type")
    if type(kind) is not str or "role" in value:
        return False
    if kind == MESSAGE:
        return isinstance(value.get("message"), dict)
    if kind == LOOP:
        return isinstance(value.get("event"), dict)
    return ("." in kind and "time" in value) or (kind == "metadata" and "protocol_version" in value)
