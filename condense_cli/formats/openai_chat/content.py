"""The content of a chat message, loaded to be shown or sent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from condense_cli.document.views import Block, Turn
from condense_cli.formats.files import image_at, openai_file
from condense_cli.model.blocks import words
from condense_cli.model.messages import Message, Role

if TYPE_CHECKING:
    from condense_cli.document.records import Records
    from condense_cli.jsonbytes.jsonspan import Path


def turn(document: Records, message: Message) -> Turn:
    """Load one message."""
    value = document.value(message.record)
    content = list(_blocks(value.get("content")))
    if message.role is Role.RESULT:
        text = "\n".join(b.text for b in content if b.kind == "text")
        block = Block(
            "result", text, value.get("tool_call_id", value.get("name")), value.get("name"), inner=tuple(content)
        )
        return Turn(message.record, message.role, (block,))
    reasoning = value.get("reasoning_content")
    if isinstance(reasoning, str) and reasoning:
        content.insert(0, Block("thinking", reasoning))
    listed = value.get("tool_calls")
    for one in listed if isinstance(listed, list) else []:
        if isinstance(one, dict):
            said = one.get("function") or one.get("custom")
            said = said if isinstance(said, dict) else {}
            content.append(
                Block(
                    "call",
                    id=one.get("id"),
                    name=said.get("name"),
                    arguments=_arguments(said.get("arguments", said.get("input"))),
                )
            )
    legacy = value.get("function_call")
    if isinstance(legacy, dict):
        content.append(
            Block("call", id=legacy.get("name"), name=legacy.get("name"), arguments=_arguments(legacy.get("arguments")))
        )
    return Turn(message.record, message.role, tuple(content))


def part_paths(message: Message, value: dict[str, Any]) -> list[Path]:
    """Say where each block of `turn` is in the message, in their order."""
    if message.role is Role.RESULT:
        return [()]
    reasoning, text = value.get("reasoning_content"), value.get("content")
    found: list[Path] = [("reasoning_content",)] if isinstance(reasoning, str) and reasoning else []
    if isinstance(text, str) and text:
        found.append(("content",))
    for key in ("content", "tool_calls"):
        listed = value.get(key)
        found.extend(
            (key, n) for n, one in enumerate(listed if isinstance(listed, list) else ()) if isinstance(one, dict)
        )
    if isinstance(value.get("function_call"), dict):
        found.append(("function_call",))
    return found


def _arguments(text: Any) -> Any:
    if isinstance(text, str):
        try:
            return json.loads(text)
        except ValueError:
            return text
    return text


def _blocks(content: Any) -> Iterator[Block]:
    if isinstance(content, str):
        if content:
            yield Block("text", content)
        return
    for block in content if isinstance(content, list) else []:
        if not isinstance(block, dict):
            continue
        kind = block.get("type")
        if kind == "text":
            yield Block("text", words(block.get("text")))
        elif kind == "image_url":
            url = block.get("image_url")
            yield image_at(words(url.get("url") if isinstance(url, dict) else url))
        elif kind == "file":
            yield openai_file(block)
        else:
            yield Block("other", words(kind))


def placeholder_or_text(content: Any) -> str:
    """Return the texts of a content, joined by line breaks."""
    return "\n".join(b.text for b in _blocks(content) if b.kind == "text")
