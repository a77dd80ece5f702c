"""The content of a message, loaded to be shown or sent: blocks of several providers, and the library's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.document.views import Block
from condense_cli.formats.files import anthropic_document, document, image_at, openai_file
from condense_cli.formats.langchain.calls import is_copy, places
from condense_cli.jsonbytes import jsonread
from condense_cli.model.blocks import words

if TYPE_CHECKING:
    from collections.abc import Iterator


def plain(content: Any) -> Any:
    """Return a content with the library's own images and files as those of a provider, to be judged like them."""
    return [_plain(block) for block in content] if isinstance(content, list) else content


def _plain(block: Any) -> Any:
    if not isinstance(block, dict) or block.get("type") not in ("image", "file") or not _is_own(block):
        return block
    data, label = _data(block), words(block.get("mime_type"))
    if block["type"] == "file":
        source = {"type": "base64", "media_type": label, "data": data} if data else {"type": "file"}
        return {"type": "document", "source": source}
    return {"type": "image", "mimeType": label, "data": data} if data else {"type": "image", "source": {"type": "url"}}


def _is_own(block: dict[str, Any]) -> bool:
    return "source_type" in block or ("base64" in block or "url" in block or "file_id" in block)


def _data(block: dict[str, Any]) -> str:
    return words(block.get("base64") or (block.get("data") if block.get("source_type") == "base64" else ""))


def blocks_of(held: dict[str, Any]) -> Iterator[Block]:
    """Yield reasoning, content, then calls; a call that the content tells, too, is one."""
    more = held.get("additional_kwargs")
    reasoning = more.get("reasoning_content") if isinstance(more, dict) else None
    if isinstance(reasoning, str) and reasoning:
        yield Block("thinking", reasoning)
    content = held.get("content")
    yield from said(content)
    for place in places(held):
        yield Block("call", id=place.id, name=place.called, arguments=jsonread.of_text(place.given))
    function = more.get("function_call") if isinstance(more, dict) and not places(held) else None
    if isinstance(function, dict):
        name = function.get("name")
        name = name if isinstance(name, str) else None
        yield Block("call", id=name, name=name, arguments=jsonread.of_text(function.get("arguments")))


def said(content: Any) -> Iterator[Block]:
    """Yield the blocks of a content, without those that tell a call."""
    if isinstance(content, str):
        if content:
            yield Block("text", content)
        return
    for block in content if isinstance(content, list) else ():
        if isinstance(block, str):
            yield Block("text", block)
        elif isinstance(block, dict) and not is_copy(block):
            yield _block(block)


def _block(block: dict[str, Any]) -> Block:  # noqa: PLR0911 - one answer for each kind
    kind = words(block.get("type"))
    if kind == "text":
        return Block("text", words(block.get("text")))
    if kind == "thinking":
        return Block("thinking", words(block.get("thinking")), signature=words(block.get("signature")))
    if kind in ("reasoning", "reasoning_content"):
        return Block("thinking", words(block.get("reasoning") or block.get("text")))
    if kind == "image_url":
        place = block.get("image_url")
        return image_at(words(place.get("url") if isinstance(place, dict) else place))
    if kind == "document":
        return anthropic_document(block)
    if kind == "image" and isinstance(block.get("source"), dict):
        source = block["source"]
        return Block("image", media_type=words(source.get("media_type")), data=words(source.get("data")), url=words(source.get("url")))  # fmt: skip  # noqa: E501 - one call
    if kind in ("image", "file") and _is_own(block):
        label, data, url = words(block.get("mime_type")), _data(block), words(block.get("url"))
        if kind == "image":
            return Block("image", media_type=label, data=data, url=url)
        return (
            document("file", label, data, url=url, name=block.get("filename")) if data or url else Block("other", kind)
        )
    return openai_file(block) if kind == "file" else Block("other", kind)


def text_of(content: Any) -> str:
    """Return the texts of a content, joined by line breaks."""
    return "\n".join(block.text for block in said(content) if block.kind == "text")
