"""What tells the UI messages of the AI SDK from other arrays: parts with a type, tools among them with their state."""

from __future__ import annotations

from typing import Any

from condense_cli.model.blocks import words

ROLES = frozenset({"system", "user", "assistant"})
_KINDS = frozenset({
    "text", "reasoning", "file", "source", "source-url", "source-document", "step-start",
    "dynamic-tool", "tool-invocation",
})  # fmt: skip
_NO_TOOLS = frozenset({"tool-call", "tool-result", "tool-invocation"})
_OF_OTHERS = frozenset({"uuid", "sessionID", "info", "tool_calls", "tool_call_id", "message"})


def is_message(value: dict[str, Any]) -> bool:
    """Say whether an object is a message: a role, and parts of this library, or the content of its version 4."""
    if words(value.get("role")) not in ROLES or not _OF_OTHERS.isdisjoint(value):
        return False
    parts = value.get("parts")
    if parts is None:
        return isinstance(value.get("content"), str) and _invocations(value)
    return isinstance(parts, list) and all(map(_is_part, parts)) and _invocations(value)


def _invocations(value: dict[str, Any]) -> bool:
    listed = value.get("toolInvocations", [])
    return isinstance(listed, list) and all(isinstance(one, dict) for one in listed)


def _is_part(part: Any) -> bool:
    kind = words(part.get("type")) if isinstance(part, dict) else ""
    if kind == "tool-invocation":
        return isinstance(part.get("toolInvocation"), dict)
    if is_tool(kind):
        return "toolCallId" in part
    return kind in _KINDS or kind.startswith("data-")


def is_tool(kind: str) -> bool:
    """Say whether a part of this type is a tool use."""
    return kind == "dynamic-tool" or (kind.startswith("tool-") and kind not in _NO_TOOLS)


def is_evident(value: dict[str, Any]) -> bool:
    """Say whether a message has a part that only this library writes."""
    parts = value.get("parts")
    kinds = [words(part["type"]) for part in parts] if isinstance(parts, list) else []
    return bool(value.get("toolInvocations")) or any(
        is_tool(kind) or kind in ("step-start", "tool-invocation") or kind.startswith("data-") for kind in kinds
    )
