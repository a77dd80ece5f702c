"""The content of a message, loaded to be shown or sent."""

from __future__ import annotations

from typing import Any

from condense_cli.document.views import Block
from condense_cli.formats.bedrock.reading import text_or_none
from condense_cli.formats.files import document
from condense_cli.jsonbytes import jsonedit
from condense_cli.model.blocks import words


def blocks_of(content: Any) -> tuple[Block, ...]:
    """Load the blocks of a content, or of a result."""
    return tuple(_block(block) for block in content if isinstance(block, dict)) if isinstance(content, list) else ()


def _block(block: dict[str, Any]) -> Block:
    for kind, load in _LOADERS.items():
        held = block.get(kind)
        if isinstance(held, dict):
            return load(held)
    if "text" in block:
        return Block("text", words(block["text"]))
    if "json" in block:
        return Block("text", jsonedit.dump(block["json"]).decode())
    return Block("other", next(iter(block), ""))


def _call(asked: dict[str, Any]) -> Block:
    ident, name = text_or_none(asked.get("toolUseId")), text_or_none(asked.get("name"))
    return Block("call", id=ident, name=name, arguments=asked.get("input"))


def _reasoning(held: dict[str, Any]) -> Block:
    said = held.get("reasoningText")
    if not isinstance(said, dict):
        return Block("other", "redacted_thinking")
    return Block("thinking", words(said.get("text")), signature=words(said.get("signature")))


def _image(image: dict[str, Any]) -> Block:
    source = image.get("source")
    data = words(source.get("bytes")) if isinstance(source, dict) else ""
    return Block("image", media_type=f"image/{words(image.get('format'))}", data=data)


_TYPES = {
    "pdf": "application/pdf",
    "csv": "text/csv",
    "html": "text/html",
    "md": "text/markdown",
    "txt": "text/plain",
    "doc": "application/msword",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xls": "application/vnd.ms-excel",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


def _document(held: dict[str, Any]) -> Block:
    source = held.get("source")
    data = words(source.get("bytes")) if isinstance(source, dict) else ""
    kind = _TYPES.get(words(held.get("format")), "")
    return document("document", kind, data, name=held.get("name")) if kind and data else Block("other", "document")


def _result(answered: dict[str, Any]) -> Block:
    inner = blocks_of(answered.get("content"))
    text = "\n".join(one.text for one in inner if one.kind == "text")
    ident = text_or_none(answered.get("toolUseId"))
    return Block("result", text, ident, error=answered.get("status") == "error", inner=inner)


_LOADERS = {
    "toolUse": _call,
    "toolResult": _result,
    "reasoningContent": _reasoning,
    "image": _image,
    "document": _document,
}
