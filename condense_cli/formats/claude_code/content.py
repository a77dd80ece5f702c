"""The content of a Claude Code message, loaded to be shown or sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.document.views import Block, Turn
from condense_cli.formats.claude_code.responses import members
from condense_cli.formats.files import anthropic_document
from condense_cli.model.blocks import words
from condense_cli.model.messages import Message, Record, Role

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense_cli.document.records import Records


def turn(document: Records, message: Message) -> Turn:
    """Load a message with its content: a response with all of its records."""
    record = message.record
    if record.kind == "system":
        return Turn(record, message.role, (Block("text", words(document.value(record).get("content")), record=record),))
    found: list[Block] = []
    if message.role is Role.ASSISTANT:
        for part in members(message):
            found.extend(_blocks(_content(document, part), part))
        if not message.results:
            # What is set apart from the response is shown where it is.
            found = [b for b in found if b.kind != "result"]
    else:
        found.extend(_blocks(_content(document, record), record))
        if record.kind == "assistant":
            found = [b for b in found if b.kind == "result"]
    return Turn(record, message.role, tuple(found), message.skipped)


def _content(document: Records, record: Record) -> Any:
    message = document.value(record).get("message")
    return message.get("content") if isinstance(message, dict) else None


def _blocks(content: Any, record: Record | None) -> Iterator[Block]:  # noqa: C901 - kinds are read best side by side
    if isinstance(content, str):
        yield Block("text", content, record=record)
    for block in content if isinstance(content, list) else ([content] if isinstance(content, dict) else []):
        if isinstance(block, str):
            yield Block("text", block, record=record)
        if not isinstance(block, dict):
            continue
        kind = words(block.get("type"))
        if kind == "text":
            yield Block("text", words(block.get("text")), record=record)
        elif kind in ("thinking", "redacted_thinking"):
            yield Block(
                "thinking", words(block.get("thinking")), signature=words(block.get("signature")), record=record
            )
        elif kind.endswith("tool_use"):
            yield Block(
                "call", id=block.get("id"), name=block.get("name"), arguments=block.get("input", {}), record=record
            )
        elif kind.endswith("tool_result"):
            inner = tuple(_blocks(block.get("content"), None))
            text = "\n".join(b.text for b in inner if b.kind == "text")
            yield Block(
                "result",
                text,
                block.get("tool_use_id"),
                error=block.get("is_error") is True,
                inner=inner,
                record=record,
            )
        elif kind == "image":
            source = block.get("source")
            source = source if isinstance(source, dict) else {}
            yield Block(
                "image",
                media_type=words(source.get("media_type")),
                data=words(source.get("data")),
                url=words(source.get("url")),
                record=record,
            )
        elif kind == "document":
            yield anthropic_document(block, record)
        else:
            yield Block("other", words(block.get("text")) or kind, record=record)
