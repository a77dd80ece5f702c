"""Fields of items that the Responses API refuses, though the client sends them as they are."""

from __future__ import annotations

from typing import Any

from condense_cli.model.messages import Flaw

_MOST = 64  # characters of an item's id
_ACTIONS = frozenset({"search", "open_page", "find_in_page"})
_STATES = frozenset({"in_progress", "searching", "completed", "incomplete", "failed"})
_SENT_STATE = frozenset(
    {"web_search_call", "custom_tool_call", "tool_search_call"}
)  # of other items the client leaves it out
MAY_BE_INVALID = _SENT_STATE | {"reasoning"}
"""Kinds of items that are looked at; of others the id alone is."""
_NEED_ID = frozenset({"image_generation_call"})


def invalid(payload: dict[str, Any], at: int) -> tuple[Flaw, ...]:
    """Return the fields of an item that the API refuses; at: its number in its record. Variants name the field."""
    kind, ident = payload.get("type", "message"), payload.get("id")
    found: list[Flaw] = []
    if type(ident) is str and not 0 < len(ident) <= _MOST and _may_lose_id(kind, payload):
        found.append(_flaw("id", at, f"its id has {len(ident)} characters"))
    if kind == "reasoning":
        content = payload.get("content")
        if type(content) is list and content:
            found.append(
                _flaw(
                    "content-beside" if payload.get("encrypted_content") else "content", at, "reasoning in plain words"
                )
            )
    elif kind in _SENT_STATE:
        state = payload.get("status")
        if type(state) is str and state not in _STATES:
            found.append(_flaw("status", at, "unknown status"))
        action = payload.get("action")
        named = action.get("type") if type(action) is dict else None
        if kind == "web_search_call" and type(named) is str and named not in _ACTIONS:
            found.append(_flaw("action", at, "unknown action"))
    return tuple(found)


def _may_lose_id(kind: Any, payload: dict[str, Any]) -> bool:
    """Say whether the id of an item is its own and optional: old shell calls are answered by it."""
    return kind not in _NEED_ID and not (kind == "local_shell_call" and payload.get("call_id") is None)


def _flaw(field: str, at: int, detail: str) -> Flaw:
    return Flaw("invalid-item", field, at, detail)
