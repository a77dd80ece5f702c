"""The content of an Anthropic message, loaded to be shown or sent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from condense_cli.document.views import Block, Turn
from condense_cli.formats.anthropic.reading import SERVER_CALLS
from condense_cli.formats.files import anthropic_document
from condense_cli.jsonbytes import jsonedit
from condense_cli.model.blocks import words
from condense_cli.model.messages import Message

if TYPE_CHECKING:
    from condense_cli.document.records import Records


def turn(document: Records, message: Message) -> Turn:
    """Load one message; of joined ones only the first record's."""
    records = dict.fromkeys([message.record, *(call.record for call in message.calls)])
    parts = [block for record in records for block in content_blocks(document.value(record).get("content"))]
    return Turn(message.record, message.role, tuple(parts))


def content_blocks(content: Any) -> Iterator[Block]:  # noqa: C901 - the kinds that are told apart are read best side by side
    """Yield the parts of an Anthropic content."""
    if isinstance(content, str):
        yield Block("text", content)
        return
    for block in content if isinstance(content, list) else []:
        if not isinstance(block, dict):
            continue
        kind = words(block.get("type"))
        if "type" not in block:  # parts of Cline's results
            yield Block("text", jsonedit.dump(block, spaced=True).decode())
        elif kind == "text":
            yield Block("text", words(block.get("text")))
        elif kind == "tool_use":
            yield Block("call", id=block.get("id"), name=block.get("name"), arguments=block.get("input", {}))
        elif kind == "tool_result":
            inner = tuple(content_blocks(block.get("content")))
            text = "\n".join(b.text for b in inner if b.kind == "text")
            yield Block("result", text, block.get("tool_use_id"), error=block.get("is_error") is True, inner=inner)
        elif kind == "thinking":
            yield Block("thinking", words(block.get("thinking")), signature=words(block.get("signature")))
        elif kind == "image":
            source = block.get("source")
            source = source if isinstance(source, dict) else {}
            yield Block(
                "image",
                media_type=words(source.get("media_type")),
                data=words(source.get("data")),
                url=words(source.get("url")),
            )
        elif kind == "document":
            yield anthropic_document(block)
        elif kind in SERVER_CALLS:
            yield Block("other", kind, block.get("id"), block.get("name"), block.get("input"))
        else:
            yield Block("other", kind)
