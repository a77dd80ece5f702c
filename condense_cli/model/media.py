"""What the bytes of an image or document say about themselves: type, size in pixels, pages.

No library, no whole decode.

Everything here is a function of bytes or of base64 text. Sizes are in bytes or pixels, from the file's own header.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable
from typing import NamedTuple

PNG, JPEG, GIF, WEBP, PDF = "image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"

_ENCODED = re.compile(r"[A-Za-z0-9+/]*={0,2}")
_STEPS = (512, 1 << 17, 1 << 22)  # characters of base64 that are decoded, one after the other, until the size is known
_PDF_HEAD = 1024  # bytes in which readers look for the mark of a PDF
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # JPEG markers that are followed by the size
_ALONE = frozenset({0x01, *range(0xD0, 0xDA)})  # JPEG markers without a length


class Picture(NamedTuple):
    """An image as its header describes it; width and height are 0 where the header does not say."""

    media_type: str
    width: int = 0
    height: int = 0

    @property
    def side(self) -> int:
        """Return the longer side in pixels."""
        return max(self.width, self.height)


# ---------------------------------------------------------------------- base64
def is_base64(data: str) -> bool:
    """Say whether a text is base64 from end to end, without decoding it."""
    return len(data) % 4 == 0 and _ENCODED.fullmatch(data) is not None


def decoded_size(data: str) -> int:
    """Return how many bytes a base64 text encodes."""
    return len(data) // 4 * 3 - (2 if data.endswith("==") else 1 if data.endswith("=") else 0)


def head_of(data: str, characters: int = _STEPS[0]) -> bytes:
    """Decode the beginning of a base64 text; b"" if that is not base64."""
    try:
        return binascii.a2b_base64(data[: characters // 4 * 4])
    except (binascii.Error, ValueError):
        return b""


# ---------------------------------------------------------------------- images
def media_type_of(head: bytes) -> str:
    """Return the media type that the first bytes of a file have, or "" for one that is not known here."""
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        return PNG
    if head.startswith(b"\xff\xd8\xff"):
        return JPEG
    if head.startswith((b"GIF87a", b"GIF89a")):
        return GIF
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return WEBP
    return PDF if is_pdf(head) else ""


def is_pdf(head: bytes) -> bool:
    """Say whether a file has the mark of a PDF where readers look for it."""
    return b"%PDF-" in head[:_PDF_HEAD]


def picture_of(data: str) -> Picture | None:
    """Read an image's header from its base64 text, decoding no more than that takes; None if it is no known image."""
    found: Picture | None = None
    for characters in (*_STEPS, len(data) + 3):
        head = head_of(data, characters)
        found = picture(head)
        if found is None or found.width or characters >= len(data):
            return found
    return found


def picture(head: bytes) -> Picture | None:
    """Read an image's header; None if it is no known image. A size that is further back than `head` goes is 0."""
    kind = media_type_of(head)
    if kind not in _SIZES:
        return None
    width, height = _SIZES[kind](head)
    return Picture(kind, width, height) if width and height else Picture(kind)


def _png(head: bytes) -> tuple[int, int]:
    if head[12:16] != b"IHDR" or len(head) < 24:
        return 0, 0
    return int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")


def _gif(head: bytes) -> tuple[int, int]:
    return int.from_bytes(head[6:8], "little"), int.from_bytes(head[8:10], "little")


def _jpeg(head: bytes) -> tuple[int, int]:
    at = 2
    while at + 9 <= len(head) and head[at] == 0xFF:
        marker = head[at + 1]
        if marker == 0xFF:  # fill bytes
            at += 1
        elif marker in _ALONE:
            at += 2
        elif marker in _FRAMES:
            return int.from_bytes(head[at + 7 : at + 9], "big"), int.from_bytes(head[at + 5 : at + 7], "big")
        else:
            at += 2 + max(2, int.from_bytes(head[at + 2 : at + 4], "big"))
    return 0, 0


def _webp(head: bytes) -> tuple[int, int]:
    kind = head[12:16]
    if len(head) < 30:
        return 0, 0
    if kind == b"VP8X":
        return int.from_bytes(head[24:27], "little") + 1, int.from_bytes(head[27:30], "little") + 1
    if kind == b"VP8 " and head[23:26] == b"\x9d\x01\x2a":
        return int.from_bytes(head[26:28], "little") & 0x3FFF, int.from_bytes(head[28:30], "little") & 0x3FFF
    if kind == b"VP8L" and head[20] == 0x2F:
        bits = int.from_bytes(head[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    return 0, 0


_SIZES: dict[str, Callable[[bytes], tuple[int, int]]] = {PNG: _png, JPEG: _jpeg, GIF: _gif, WEBP: _webp}
