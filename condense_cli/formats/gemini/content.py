"""The content of a message, loaded to be shown or sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.document.views import Block, Turn
from condense_cli.formats.gemini.places import text_of
from condense_cli.formats.gemini.reading import answer_text, is_answered, is_response, parts_of
from condense_cli.formats.parts import inline_block
from condense_cli.model.blocks import words
from condense_cli.model.messages import Message, Record, Result, Role

if TYPE_CHECKING:
    from condense_cli.document.records import Records


def turn(document: Records, message: Message) -> Turn:
    """Load one message: thoughts, content, and each tool call with its result."""
    value = _value_of(document, message.record) if message.inside else document.value(message.record)
    for step in message.inside:
        value = value[step]
    content = value.get("content")
    if message.role is Role.USER and message.results:
        # By the ids of their calls, which the client does not write in the same way everywhere.
        found = iter(message.results)
        parts = (_response(part, next(found)) if is_response(part) else _block(part) for part in parts_of(content))
        return Turn(message.record, message.role, tuple(parts))
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
    blocks += [_result(tool, text_of(tool.get("id"))) for tool in tools if is_answered(tool.get("result"))]
    return Turn(message.record, message.role, tuple(blocks))


def _value_of(document: Records, record: Record) -> Any:
    """Return the value of a record that holds many messages: that of the last one is kept."""
    known = document.derived(_no_values)
    if record not in known:
        known.clear()
        known[record] = document.value(record)
    return known[record]


def _no_values(_: Records) -> dict[Record, Any]:
    return {}


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
        return inline_block(inline)
    if isinstance(part.get("text"), str):
        return Block("thinking" if part.get("thought") is True else "text", part["text"])
    return Block("other", next(iter(part), ""))


def _response(part: dict[str, Any], result: Result) -> Block:
    said = part["functionResponse"]
    response = said.get("response")
    failed = isinstance(response, dict) and "error" in response and "output" not in response
    return _result({"result": [part], "name": said.get("name"), "status": "error" if failed else ""}, result.id)


def _result(tool: dict[str, Any], ident: str | None) -> Block:
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
        ident,
        text_of(tool.get("name")),
        error=tool.get("status") == "error",
        inner=inner,
    )
