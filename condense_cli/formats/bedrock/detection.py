"""What tells messages of Bedrock Converse from other arrays: blocks without a type, whose key is the kind."""

from __future__ import annotations

from typing import Any

from condense_cli.model.blocks import words

ROLES = frozenset({"user", "assistant"})
KINDS = frozenset({
    "toolUse", "toolResult", "reasoningContent", "cachePoint", "guardContent", "citationsContent",
    "image", "document", "video", "audio", "searchResult",
})  # fmt: skip


def is_message(value: dict[str, Any]) -> bool:
    """Say whether an object is a message: a role, and blocks of this API only."""
    content = value.get("content")
    if words(value.get("role")) not in ROLES or not {"parts", "toolInvocations", "tool_calls"}.isdisjoint(value):
        return False
    if isinstance(content, list):
        return all(is_block(block) for block in content)
    return value.keys() == {"role"}


def is_block(block: Any) -> bool:
    """Say whether a value is a block of this API: one key, which is its kind, and no type."""
    if not isinstance(block, dict) or "type" in block:
        return False
    return "text" in block or any(isinstance(block.get(kind), dict) for kind in KINDS)
