"""What tells a session of GitHub Copilot CLI from other event logs in the same envelope."""

from __future__ import annotations

from typing import Any

from condense_cli.document.views import Head

HEADERS = frozenset({"session.start", "session.resume"})
_OWN_DATA = {
    "session.start": ("copilotVersion", "producer"),
    "session.resume": ("resumeTime",),
    "assistant.message": ("messageId", "toolRequests"),
    "tool.execution_start": ("toolCallId",),
    "tool.execution_complete": ("toolCallId",),
    "user.message": ("content",),
}


def detect(head: Head) -> bool:
    """Events of the envelope, one of them with data that only this client writes, and none of VS Code or of a
    stream.
    """
    own = [value for value in head.records if is_record(value)]
    if any(value.get("ephemeral") is True or "vscodeVersion" in value["data"] for value in own):
        return False
    return any(all(key in value["data"] for key in _OWN_DATA.get(value["type"], ("",))) for value in own)


def is_record(value: dict[str, Any]) -> bool:
    """An event: a type with a dot, its data, an id, a time and a parent."""
    kind = value.get("type")
    return (
        isinstance(kind, str)
        and ("." in kind or kind == "abort")
        and isinstance(value.get("data"), dict)
        and isinstance(value.get("id"), str)
        and "parentId" in value
        and "timestamp" in value
    )
