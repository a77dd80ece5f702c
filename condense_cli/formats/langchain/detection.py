"""What tells messages of LangChain from other arrays, and in which of its three shapes one is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.model.blocks import words

if TYPE_CHECKING:
    from condense_cli.jsonbytes.jsonspan import Path

CLASSES = {
    "HumanMessage": "human",
    "AIMessage": "ai",
    "SystemMessage": "system",
    "ToolMessage": "tool",
    "FunctionMessage": "function",
    "ChatMessage": "chat",
    "RemoveMessage": "remove",
}
TYPES = frozenset(CLASSES.values())
STATES = ("values", "channel_values")
"""Keys under which LangGraph keeps the channels of a state, `messages` among them."""
_OWN = frozenset({"additional_kwargs", "response_metadata"})
_OF_OTHERS = frozenset({
    "role", "parts", "message", "payload", "uuid", "sessionId", "session_id", "sessionID", "prompt_index",
    "synthetic_reason", "tool_call_chunks", "step_id", "event",
})  # fmt: skip


class Shape(NamedTuple):
    """The type of a message, where its members are, and the names before its class, where it is stored as one."""

    type: str
    base: tuple[str, ...]
    module: tuple[str, ...] = ()


def shape_of(value: dict[str, Any]) -> Shape | None:
    """Return the shape of a message, None where an object is none: a part of a stream is none either."""
    if value.get("lc") == 1:
        return _constructor(value)
    kind = words(value.get("type"))
    if kind not in TYPES:
        return None
    inner = value.get("data")
    base: tuple[str, ...] = ("data",) if isinstance(inner, dict) else ()
    held = inner if isinstance(inner, dict) else value
    # A chat message has a role beside its type, and stored ones have a role of their own that says nothing.
    others = _OF_OTHERS - {"role"} if base or kind == "chat" else _OF_OTHERS
    return Shape(kind, base) if others.isdisjoint(held) and _is_said(held, kind) else None


def _constructor(value: dict[str, Any]) -> Shape | None:
    named, held = value.get("id"), value.get("kwargs")
    if value.get("type") != "constructor" or not isinstance(named, list) or not isinstance(held, dict):
        return None
    names = tuple(name for name in named if isinstance(name, str))
    kind = CLASSES.get(names[-1]) if names and len(names) == len(named) else None
    return Shape(kind, ("kwargs",), names[:-1]) if kind is not None and _is_said(held, kind) else None


def _is_said(held: dict[str, Any], kind: str) -> bool:
    content = held.get("content")
    if kind == "remove":
        return isinstance(held.get("id"), str)
    if isinstance(content, list):
        return all(isinstance(block, (str, dict)) for block in content)
    return isinstance(content, str) or ("content" in held and content is None)


def is_message(value: dict[str, Any]) -> bool:
    """Say whether an object is a message in one of the shapes."""
    return shape_of(value) is not None


def is_evident(value: dict[str, Any]) -> bool:
    """Say whether a message is one that only this library writes."""
    shape = shape_of(value)
    if shape is None:
        return False
    return bool(shape.base) or shape.type in ("human", "ai") or not _OWN.isdisjoint(value)


def list_path(value: dict[str, Any]) -> Path | None:
    """Return where the messages are in an object: a state, its values, or an answer of a server with a state in it."""
    if is_message(value):
        return None
    if isinstance(value.get("messages"), list):
        return ("messages",)
    for key in STATES:
        held = value.get(key)
        if isinstance(held, dict) and isinstance(held.get("messages"), list):
            return (key, "messages")
    return None
