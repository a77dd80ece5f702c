"""The content of a pi message, loaded to be shown or sent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from condense_cli.document.views import Block, Turn
from condense_cli.model.blocks import words
from condense_cli.model.messages import Message

if TYPE_CHECKING:
    from condense_cli.document.records import Records


def turn(document: Records, message: Message) -> Turn:
    """Load one message with its content, as pi has it in context."""
    record = message.record
    value = document.value(record)
    if record.kind == "message":
        said = value.get("message")
        said = said if isinstance(said, dict) else {}
        if said.get("role") == "bashExecution":
            blocks = [Block("text", f"Ran `{said.get('command', '')}`\n{said.get('output') or '(no output)'}")]
        elif said.get("role") == "toolResult":
            inner = tuple(blocks_of(said.get("content")))
            blocks = [
                Block(
                    "result",
                    "\n".join(b.text for b in inner if b.kind == "text"),
                    said.get("toolCallId", said.get("toolUseId")),
                    said.get("toolName"),
                    error=said.get("isError") is True,
                    inner=inner,
                )
            ]
        else:
            blocks = list(blocks_of(said.get("content")))
    elif record.kind == "custom_message":
        blocks = list(blocks_of(value.get("content")))
    else:
        blocks = [Block("text", words(value.get("summary")))]
    return Turn(record, message.role, tuple(blocks), message.skipped)


def blocks_of(content: Any) -> Iterator[Block]:
    """Yield the parts of a pi content."""
    if isinstance(content, str):
        yield Block("text", content)
    for block in content if isinstance(content, list) else ([content] if isinstance(content, dict) else []):
        if not isinstance(block, dict):
            continue
        kind = block.get("type")
        if kind == "text":
            yield Block("text", words(block.get("text")))
        elif kind == "thinking":
            yield Block("thinking", words(block.get("thinking")), signature=words(block.get("thinkingSignature")))
        elif kind in ("toolCall", "toolUse", "functionCall"):
            yield Block(
                "call",
                id=block.get("id"),
                name=block.get("name"),
                arguments=block.get("arguments", block.get("input", {})),
                signature=words(block.get("thoughtSignature")),
            )
        elif kind == "image":
            yield Block("image", media_type=words(block.get("mimeType")), data=words(block.get("data")))
        else:
            yield Block("other", words(kind))
