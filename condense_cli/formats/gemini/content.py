"""The content of a message, loaded to be shown or sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.document.views import Block, Turn
from condense_cli.formats.gemini.places import text_of
from condense_cli.formats.gemini.reading import answer_text, is_answered, parts_of
from condense_cli.model.blocks import words
from condense_cli.model.messages import Message

if TYPE_CHECKING:
    from condense_cli.document.records import Records


def turn(document: Records, message: Message) -> Turn:
    """Load one message: thoughts, content, and each tool call with its result."""
    value = document.value(message.record)
    for step in getattr(message, "place", ()):
        value = value[step]
    content = value.get("content")
    thoughts, tools = (value.get(key) for key in ("thoughts", "toolCalls"))
    blocks = [Block("thinking", _thought(t)) for t in parts_of(thoughts) if isinstance(t, dict)]
    blocks += (
        [Block("text", content)]
        if isinstance(content, str) and content
        else [_block(part) for part in parts_of(content)]
    )
    tools = [tool for tool in tools if isinstance(tool, dict)] if isinstance(tools, list) else []
    if not any(block.kind == "call" for block in blocks):
        blocks += [
            Block("call", id=text_of(t.get("id")), name=text_of(t.get("name")), arguments=t.get("args")) for t in tools
        ]
    blocks += [_result(tool) for tool in tools if is_answered(tool.get("result"))]
    return Turn(message.record, message.role, tuple(blocks))


def _thought(thought: dict[str, Any]) -> str:
    return ": ".join(filter(None, (words(thought.get(key)) for key in ("subject", "description"))))


def _block(part: Any) -> Block:
    if isinstance(part, str):
        return Block("text", part)
    if not isinstance(part, dict):
        return Block("other", type(part).__name__)
    asked, inline = part.get("functionCall"), part.get("inlineData")
    if isinstance(asked, dict):
        return Block("call", id=text_of(asked.get("id")), name=text_of(asked.get("name")), arguments=asked.get("args"))
    if isinstance(inline, dict):
        return Block("image", media_type=words(inline.get("mimeType")), data=words(inline.get("data")))
    if isinstance(part.get("text"), str):
        return Block("thinking" if part.get("thought") is True else "text", part["text"])
    return Block("other", next(iter(part), ""))


def _result(tool: dict[str, Any]) -> Block:
    result = tool["result"]
    inner = tuple(
        Block("text", answer_text(part))
        for part in (result if isinstance(result, list) else [result])
        if answer_text(part)
    )
    text = "\n".join(block.text for block in inner)
    return Block(
        "result",
        text,
        text_of(tool.get("id")),
        text_of(tool.get("name")),
        error=tool.get("status") == "error",
        inner=inner,
    )
