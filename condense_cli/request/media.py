"""Images and documents as a provider takes them, or the note that takes the place of one that it would refuse."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, NamedTuple

from condense_cli.model.blocks import image_fault, image_note
from condense_cli.model.media import PDF, head_of, is_base64, is_pdf, media_type_of
from condense_cli.model.medium import IMAGE_TYPES, NO_DATA, NO_PDF, NOT_BASE64, UNKNOWN_TYPE

if TYPE_CHECKING:
    from condense_cli.document.views import Block

OF_RESULTS = "[condense] Images from the tool results above."
_WEB = ("https://", "http://")


class Image(NamedTuple):
    """An image that a provider takes: base64 data with its true type, or a URL; else the note that takes its place."""

    media_type: str = ""
    data: str = ""
    url: str = ""
    note: str = ""


def image_of(block: Block) -> Image:
    """Judge an image. Its type is what its bytes say."""
    if block.url and not block.data:
        if block.url.startswith(_WEB):
            return Image(block.media_type.lower(), url=block.url)
        return Image(note=image_note(block.media_type, "not a web address"))
    media_type = _true_type(block.data) or block.media_type.lower()
    fault = image_fault(media_type, block.data)
    if not fault and not _true_type(block.data):
        fault = "the bytes are no image"
    if fault:
        return Image(note=image_note(block.media_type, fault))
    return Image(media_type, block.data)


def _true_type(data: str) -> str:
    kind = media_type_of(head_of(data))
    return kind if kind in IMAGE_TYPES else ""


class Document(NamedTuple):
    """A document: a text, or base64 data with its type, or a URL; else the note that takes its place."""

    media_type: str = ""
    text: str = ""
    data: str = ""
    url: str = ""
    note: str = ""
    name: str = ""


def document_of(block: Block, kinds: frozenset[str] = frozenset({PDF}), *, urls: bool = False) -> Document:
    """Judge a document; kinds: the media types that are taken as data; urls: an address of the web is taken."""
    kind, name = block.media_type.lower(), block.name or ""
    if urls and not block.data and block.url.startswith(_WEB):
        return Document(kind or PDF, url=block.url, name=name)
    text = kind.startswith("text/") and kind not in kinds
    fault = _fault(block, kind, known=text or kind in kinds)
    if fault:
        return Document(note=document_note(kind, fault))
    if text:
        said = _text(block.data)
        return Document(kind, text=said, name=name) if said.strip() else Document(note=document_note(kind, NO_DATA))
    return Document(kind, data=block.data, name=name)


def _fault(block: Block, kind: str, *, known: bool) -> str:
    """Say why a document is not taken as data, or ""."""
    if not block.data:
        return "an address, which this API does not take" if block.url else NO_DATA
    if not is_base64(block.data):
        return NOT_BASE64
    if not known:
        return UNKNOWN_TYPE
    return NO_PDF if kind == PDF and not is_pdf(head_of(block.data, 2048)) else ""


def document_note(media_type: str, fault: str) -> str:
    """Word the text that takes the place of a document."""
    return image_note(media_type, fault).replace("[image ", "[document ", 1)


def _text(data: str) -> str:
    try:
        return base64.b64decode(data).decode("utf-8", "replace")
    except (binascii.Error, ValueError):
        return ""
