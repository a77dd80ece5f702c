"""What tells a Gemini CLI session from other files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.formats.gemini.places import text_of

if TYPE_CHECKING:
    from condense_cli.document.views import Head


TYPES = frozenset({"user", "gemini", "info", "warning", "error"})


def detect(head: Head) -> bool:
    """An object with the session's id and its project's hash; or lines that only this client writes."""
    if isinstance(head.document, dict):
        return is_head(head.document) and isinstance(head.document.get("messages"), list)
    return any(
        is_head(value) or _is_event(value) or (value.get("type") == "gemini" and is_record(value))
        for value in head.records
    )


def is_head(value: dict[str, Any]) -> bool:
    """Say whether this is the session's own object."""
    return isinstance(value.get("sessionId"), str) and isinstance(value.get("projectHash"), str)


def _is_event(value: dict[str, Any]) -> bool:
    return isinstance(value.get("$set"), dict) or isinstance(value.get("$rewindTo"), str)


def is_record(value: dict[str, Any]) -> bool:
    """The session's own object, an event, or a message."""
    return (
        is_head(value)
        or _is_event(value)
        or (text_of(value.get("type")) in TYPES and isinstance(value.get("id"), str) and "content" in value)
    )
