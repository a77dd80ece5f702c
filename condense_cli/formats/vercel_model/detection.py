"""What tells messages of the AI SDK from other arrays: parts named with a hyphen, ids in camel case."""

from __future__ import annotations

from typing import Any

from condense_cli.model.blocks import words

ROLES = frozenset({"system", "user", "assistant", "tool"})
_KINDS = frozenset({
    "text", "image", "file", "reasoning", "redacted-reasoning", "reasoning-file", "source", "custom",
    "tool-call", "tool-result", "tool-approval-request", "tool-approval-response",
})  # fmt: skip
_OF_OTHERS = frozenset({"parts", "toolInvocations", "tool_calls", "tool_call_id", "message", "uuid", "sessionID"})


def is_message(value: dict[str, Any]) -> bool:
    """Say whether an object is a message: a role, and a text or parts of this library."""
    content = value.get("content")
    if words(value.get("role")) not in ROLES or not _OF_OTHERS.isdisjoint(value):
        return False
    if isinstance(content, list):
        return all(isinstance(part, dict) and words(part.get("type")) in _KINDS for part in content)
    return isinstance(content, str) and value["role"] != "tool"


def is_evident(value: dict[str, Any]) -> bool:
    """Say whether a message has a part that only this library writes: a call, a result, or its own kind of image."""
    content = value.get("content")
    return isinstance(content, list) and any(
        "toolCallId" in part if words(part.get("type")) in ("tool-call", "tool-result") else "image" in part
        for part in content
    )
