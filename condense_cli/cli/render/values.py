"""What the options of `render` choose from."""

from __future__ import annotations

from enum import StrEnum


class ShownView(StrEnum):
    """Which messages are shown."""

    STORED = "stored"
    CONTEXT = "context"
    RENDERED = "rendered"
    WIRE = "wire"


class Shape(StrEnum):
    """How they are written."""

    TEXT = "text"
    JSONL = "jsonl"
    JSON = "json"


class Sweep(StrEnum):
    """Whose rule takes out results without calls."""

    TURN = "turn"
    COUNT = "count"
    CONTRACT = "contract"


class Api(StrEnum):
    """Whose request is built."""

    OPENAI_CHAT = "openai-chat"
    ANTHROPIC = "anthropic"
    OPENAI_RESPONSES = "openai-responses"
    GEMINI = "gemini"
    BEDROCK = "bedrock"
