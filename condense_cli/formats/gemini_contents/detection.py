"""What tells contents of the Gemini API from other arrays of messages."""

from __future__ import annotations

from typing import Any

from condense_cli.formats.parts import KINDS, SNAKE
from condense_cli.model.blocks import words

ROLES = frozenset({"user", "model", "function"})
_KEYS = KINDS | SNAKE.keys() | {"thought", "thoughtSignature"}
_HALVES = frozenset({"functionCall", "functionResponse", "function_call", "function_response"})


def is_content(value: dict[str, Any]) -> bool:
    """Say whether an object is a content: parts without a type, by user or model."""
    parts = value.get("parts")
    return (
        isinstance(parts, list)
        and (value.get("role") is None or words(value["role"]) in ROLES)
        and "uuid" not in value
        and all(isinstance(part, dict) and "type" not in part and is_part(part) for part in parts)
    )


def is_part(part: dict[str, Any]) -> bool:
    """Say whether an object has a key of the API's parts, or none at all."""
    return not part or not _KEYS.isdisjoint(part)


def is_evident(value: dict[str, Any]) -> bool:
    """Say whether a content could be of no other API: the model's, or one with a call or a response."""
    return value.get("role") == "model" or any(not _HALVES.isdisjoint(part) for part in value["parts"])
