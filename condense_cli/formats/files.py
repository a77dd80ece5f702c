"""An image at an address, or a document: PDF, text, or another file that a model reads, as a block of any API."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from condense_cli.document.views import Block
from condense_cli.model.blocks import words

if TYPE_CHECKING:
    from condense_cli.model.messages import Record


def image_at(url: str) -> Block:
    """Build the block of an image at an address; a data URL holds the image and names its type."""
    head, comma, data = url.partition(",")
    if comma and head.startswith("data:"):
        return Block("image", media_type=head[5:].split(";", 1)[0], data=data)
    return Block("image", url=url)


def document(
    kind: str, media_type: str, data: str = "", *, url: str = "", name: Any = None, record: Record | None = None
) -> Block:
    """Build the block of a document.

    kind: what the format calls the part; data is base64, or a data URL that names its own type.
    """
    head, comma, inside = data.partition(",") if data[:5].lower() == "data:" else ("", "", "")
    if comma:
        media_type, data = head[5:].split(";", 1)[0] or media_type, inside
    named = name if isinstance(name, str) and name else None
    return Block("document", kind, name=named, media_type=media_type, data=data, url=url, record=record)


def anthropic_document(block: dict[str, Any], record: Record | None = None) -> Block:
    """Load a document of Anthropic's: base64, a text, or a URL; one that is kept by the provider has only its kind."""
    source = block.get("source")
    source = source if isinstance(source, dict) else {}
    kind, held = words(source.get("type")), words(source.get("data"))
    if kind == "file" or not (held or source.get("url")):
        return Block("other", "document", record=record)
    data = base64.b64encode(held.encode("utf-8", "replace")).decode() if kind == "text" else held
    label, url = words(source.get("media_type")), words(source.get("url"))
    return document("document", label, data, url=url, name=block.get("title"), record=record)


def openai_file(part: dict[str, Any]) -> Block:
    """Load a file of the OpenAI APIs, `file` or `input_file`; one that is kept by the provider has only its kind."""
    kind = words(part.get("type"))
    inner = part.get("file")
    held = inner if isinstance(inner, dict) else part
    data, url = words(held.get("file_data")), words(held.get("file_url"))
    if not data and not url:
        return Block("other", kind)
    return document(kind, "application/pdf", data, url=url, name=held.get("filename"))
