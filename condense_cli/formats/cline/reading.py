"""What one message of Cline says: an Anthropic message with a time, the model that wrote it, and results as texts."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from condense_cli.formats.anthropic import reading
from condense_cli.formats.messages import blocks
from condense_cli.model.blocks import words
from condense_cli.model.messages import Record

_ANSWER = re.compile(r"\[([A-Za-z_][\w-]{0,63})[^\n]*\] Result:")


class Facts(NamedTuple):
    """What a message says beside its content.

    provider, model: who wrote it. answers: the tools whose results it holds as texts. marks: the compactions that it is
    the summary or the marker of; hidden_by: those that left it out. modern: the blocks that are parts of the AI SDK.
    """

    provider: str = ""
    model: str = ""
    answers: tuple[str, ...] = ()
    summary: bool = False
    marks: tuple[str, ...] = ()
    hidden_by: tuple[str, ...] = ()
    modern: frozenset[int] = frozenset()


def read(record: Record, value: dict[str, Any]) -> None:
    """Set kind, id, message and facts of one message; an item without a role is none."""
    if not is_message(value):
        record.kind, record.message = words(value.get("type")) or "?", None
        return
    reading.read(record, value)
    ident = value.get("id")
    record.id = ident if isinstance(ident, str) and ident else None
    record.extra = facts(value)


def is_message(value: dict[str, Any]) -> bool:
    """Say whether an item is a message; reasoning that has no role is kept beside them."""
    return "role" in value or value.get("type") != "reasoning"


def facts(value: dict[str, Any]) -> Facts:
    """Read what a message says beside its content."""
    info = value.get("modelInfo")
    info = info if isinstance(info, dict) else {}
    provider = words(info.get("provider") or info.get("providerId"))
    return Facts(provider, words(info.get("id") or info.get("modelId")), _answers(value))


def _answers(value: dict[str, Any]) -> tuple[str, ...]:
    """Return the tools whose results a user's message says in words, as `[name …] Result:`."""
    if value.get("role") != "user":
        return ()
    found = (_ANSWER.match(text) for block in blocks(value) if isinstance(text := block.get("text"), str))
    return tuple(match[1] for match in found if match)


def shown(content: Any) -> Any:
    """Return a content with its files as the texts that are sent of them."""
    return [_shown(block) for block in content] if isinstance(content, list) else content


def _shown(block: Any) -> Any:
    if isinstance(block, dict) and block.get("type") == "file" and isinstance(block.get("content"), str):
        return {"type": "text", "text": f"{words(block.get('path'))}\n{block['content']}"}
    return block
