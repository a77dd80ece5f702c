"""What tells the sessions of Cline and of Roo Code from a list of Anthropic messages."""

from __future__ import annotations

import os
from typing import Any

from condense_cli.document.views import Head
from condense_cli.formats.messages import blocks, is_anthropic, is_chat

_HISTORY = "api_conversation_history.json"
_OLD_HISTORY = "claude_messages.json"
_ROO_KEYS = frozenset(
    {"isSummary", "condenseId", "condenseParent", "truncationId", "truncationParent", "isTruncationMarker"}
)
_CLINE_KEYS = frozenset({"modelInfo", "metrics"})
_ROO_FOLDERS = ("roo-cline", "kilo-code", "zoo-code")
_MILLISECONDS = 10**12
_DETAILS = "<environment_details>"


def is_sdk(value: Any) -> bool:
    """Say whether a document is one of Cline's session store."""
    return (
        isinstance(value, dict)
        and value.get("version") == 1
        and type(value["version"]) is int
        and isinstance(value.get("sessionId"), str)
        and isinstance(value.get("messages"), list)
        and not {"projectHash", "steps"} & value.keys()
        and bool({"agent", "updated_at"} & value.keys())
    )


def is_second(value: Any) -> bool:
    """Say whether a document is a task of Roo Code in its second version: messages of the AI SDK, with times."""
    if not isinstance(value, dict) or value.get("version") != 2 or {"steps", "sessionId"} & value.keys():
        return False
    listed = value.get("messages")
    items = [item for item in listed if isinstance(item, dict)] if isinstance(listed, list) else []
    return any(
        "ts" in item or any(block.get("type") in ("tool-call", "tool-result") for block in blocks(item))
        for item in items
    )


def is_history(head: Head) -> bool:
    """Say whether a file is a bare list of messages as Cline or Roo Code keep it: by its times, or by its name."""
    items = _messages(head.document)
    if not items or is_chat(items):
        return False
    timed = sum(_is_time(item.get("ts")) for item in items) * 2 > len(items)
    if timed and (is_roo(head) or any(_CLINE_KEYS & item.keys() for item in items) or any(map(_has_details, items))):
        return True
    named = os.path.basename(head.path) in (_HISTORY, _OLD_HISTORY)
    return named and (is_anthropic(items) or items[0].get("role") == "user")


def is_roo(head: Head) -> bool:
    """Say whether a list has something that only Roo Code writes, or is below the folder of its extension."""
    listed = head.document if isinstance(head.document, list) else []
    own = any(
        isinstance(item, dict)
        and (_ROO_KEYS & item.keys() or ("role" not in item and item.get("type") == "reasoning" and "ts" in item))
        for item in listed
    )
    return own or os.path.basename(head.path) == _OLD_HISTORY or any(name in head.path for name in _ROO_FOLDERS)


def _messages(value: Any) -> list[dict[str, Any]]:
    """Return the messages of a bare list; none where something else than messages and reasoning is in it."""
    items = value if isinstance(value, list) else []
    found = [item for item in items if isinstance(item, dict) and isinstance(item.get("role"), str)]
    others = [item for item in items if not isinstance(item, dict) or "role" not in item]
    known = all(isinstance(item, dict) and item.get("type") == "reasoning" for item in others)
    return found if known and all("tool_calls" not in item and "parts" not in item for item in found) else []


def _is_time(value: Any) -> bool:
    return type(value) in (int, float) and value >= _MILLISECONDS


def _has_details(item: dict[str, Any]) -> bool:
    content = item.get("content")
    texts = [content] if isinstance(content, str) else [block.get("text") for block in blocks(item)]
    return any(isinstance(text, str) and _DETAILS in text for text in texts)
