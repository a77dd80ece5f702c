"""What tells a Qwen Code session from Claude Code's, whose records have the same links."""

from __future__ import annotations

from typing import Any

from condense_cli.document.views import Head
from condense_cli.model.blocks import words

TYPES = frozenset({"user", "assistant", "tool_result", "system"})


def detect(head: Head) -> bool:
    """Records of the chain whose message holds Gemini's parts, or that say where they come from."""
    return any(is_record(value) for value in head.records)


def is_record(value: dict[str, Any]) -> bool:
    """A record with its links, of a known type, that has parts, a provenance, or a payload of the system."""
    if not isinstance(value.get("uuid"), str) or "parentUuid" not in value or words(value.get("type")) not in TYPES:
        return False
    message = value.get("message")
    if isinstance(message, dict) and isinstance(message.get("parts"), list):
        return True
    return value["type"] == "system" and "systemPayload" in value and isinstance(value.get("subtype"), str)
