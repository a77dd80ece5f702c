"""The images and documents of a content, in the block shapes of all APIs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from condense_cli.model.media import PDF, is_base64
from condense_cli.model.medium import IMAGE_TYPES, NO_DATA, Medium, Path, document, image, image_url
from condense_cli.model.messages import Flaw, Record

_GEMINI = IMAGE_TYPES | {"image/heic", "image/heif"}
_Reader = Callable[[Path, dict[str, Any], bool], "Medium | None"]


def media_of(content: Any, *, in_result: bool = False) -> tuple[Medium, ...]:
    """Return the images and documents of a content, those inside its results too; a content of texts costs a look."""
    if type(content) is not list:
        return ()
    return tuple(_found(content, (), in_result))


def image_flaws(media: tuple[Medium, ...], record: Record | None = None) -> tuple[Flaw, ...]:
    """Return the images that cannot be one, one for each block of the content."""
    if not media:
        return ()
    bad = {medium.part: medium.fault for medium in reversed(media) if medium.fault and not medium.document}
    return tuple(Flaw("invalid-image", "", part, fault, record=record) for part, fault in reversed(bad.items()))


def _found(content: list[Any], above: Path, in_result: bool) -> Iterator[Medium]:
    for part, block in enumerate(content):
        if type(block) is not dict:
            continue
        kind = block.get("type")
        if kind in ("text", "tool_use", "toolCall"):
            continue
        if kind == "tool_result":
            inner = block.get("content")
            if type(inner) is list:
                yield from _found(inner, (*above, part, "content"), in_result=True)
            continue
        answered = block.get("toolResult") if kind is None else None
        if type(answered) is dict:
            if type(answered.get("content")) is list:
                yield from _found(answered["content"], (*above, part, "toolResult", "content"), in_result=True)
            continue
        read = _READERS.get(kind) if type(kind) is str else _untyped
        medium = read((*above, part), block, in_result) if read is not None else None
        if medium is not None:
            yield medium


def _image(path: Path, block: dict[str, Any], in_result: bool) -> Medium | None:
    """Read Anthropic's image with a source, or pi's with mimeType and data."""
    source = block.get("source")
    if "mimeType" in block:
        return image(path, block["mimeType"], block.get("data"), in_result=in_result)
    if type(source) is not dict:
        return Medium(path, False, "", fault=NO_DATA, in_result=in_result)
    if source.get("type", "base64") != "base64":
        return Medium(path, False, "", in_result=in_result)
    return image(path, source.get("media_type"), source.get("data"), in_result=in_result)


def _document(path: Path, block: dict[str, Any], in_result: bool) -> Medium | None:
    """Read Anthropic's document; text, blocks, a URL and a file's id are judged by nobody but the provider."""
    source = block.get("source")
    if type(source) is not dict or source.get("type", "base64") != "base64":
        return Medium(path, True, "", in_result=in_result)
    return document(path, source.get("media_type"), source.get("data"), in_result=in_result)


def _chat_image(path: Path, block: dict[str, Any], in_result: bool) -> Medium | None:
    url = block.get("image_url")
    return image_url(path, url.get("url") if type(url) is dict else url, in_result=in_result)


def _input_image(path: Path, block: dict[str, Any], in_result: bool) -> Medium | None:
    """Read an image of the Responses API; one without a URL has a file's id."""
    return (
        _chat_image(path, block, in_result)
        if block.get("image_url") is not None
        else Medium(path, False, "", in_result=in_result)
    )


def _file(path: Path, block: dict[str, Any], in_result: bool) -> Medium | None:
    """Read OpenCode's file part, or one of the OpenAI APIs."""
    mime = block.get("mime")
    if type(mime) is str:
        return image_url(path, block.get("url"), in_result=in_result) if mime.startswith("image/") else None
    held = block.get("file")
    data = (held if type(held) is dict else block).get("file_data")
    if type(data) is not str:
        return Medium(path, True, "", in_result=in_result)
    head, comma, text = data.partition(",")
    label = head[5:].split(";", 1)[0] if comma and head[:5].lower() == "data:" else ""
    return document(path, label, text if comma else data, in_result=in_result)


def _untyped(path: Path, block: dict[str, Any], in_result: bool) -> Medium | None:
    """Read a part of Gemini's, or an image or document of Bedrock Converse: their keys name their kinds."""
    for key in ("image", "document"):
        held = block.get(key)
        if type(held) is dict:
            return _converse(path, held, in_result, document_too=key == "document")
    return _gemini(path, block, in_result)


def _converse(path: Path, held: dict[str, Any], in_result: bool, *, document_too: bool) -> Medium:
    """Read Bedrock's image or document; bytes that are no base64 were written by others, and are not judged."""
    source, named = held.get("source"), held.get("format")
    data = source.get("bytes") if type(source) is dict else None
    name = named if type(named) is str else ""
    if type(data) is not str or not is_base64(data):
        return Medium(path, document_too, name, in_result=in_result)
    if document_too:
        return document(path, PDF if name == "pdf" else name, data, in_result=in_result)
    return image(path, f"image/{name}", data, in_result=in_result)


def _gemini(path: Path, block: dict[str, Any], in_result: bool) -> Medium | None:
    inline = block.get("inlineData")
    if type(inline) is not dict:
        return None
    kind = inline.get("mimeType")
    if type(kind) is str and kind.startswith("image/"):
        return image(path, kind, inline.get("data"), in_result=in_result, known=_GEMINI)
    return document(path, kind, inline.get("data"), in_result=in_result) if kind == "application/pdf" else None


_READERS: dict[str, _Reader] = {
    "image": _image,
    "document": _document,
    "image_url": _chat_image,
    "input_image": _input_image,
    "file": _file,
    "input_file": _file,
}
