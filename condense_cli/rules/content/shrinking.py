"""How an image is made smaller: fewer pixels, the same picture. The only module that imports Pillow (extra `images`)."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, NamedTuple

from condense_cli.model.media import GIF, JPEG, PNG, WEBP

if TYPE_CHECKING:
    from PIL import Image

_WRITERS = {PNG: "PNG", JPEG: "JPEG", WEBP: "WEBP", GIF: "PNG"}  # a GIF of one frame is a PNG with fewer colours
_PIXELS = 200_000_000  # more are not opened: 20,000 x 10,000 pixels take 800 MB
_QUALITY = 85
_ATTEMPTS = 8


class Picture(NamedTuple):
    """An image that was made smaller: its bytes, its media type, and its size in pixels."""

    data: bytes
    kind: str
    width: int
    height: int


def shrunk(data: bytes, kind: str, *, side: int | None, size: int) -> Picture | None:
    """Return the image with at most `side` pixels on its longer side and at most `size` bytes.

    Return None where that cannot be had: no Pillow, another type, an image that cannot be decoded or has too many pixels.
    """
    try:
        from PIL import Image, ImageOps
    except ImportError:
        return None
    writer = _WRITERS.get(kind)
    if writer is None:
        return None
    try:
        with Image.open(io.BytesIO(data), formats=(kind.removeprefix("image/").upper(),)) as opened:
            if opened.width * opened.height > _PIXELS:
                return None
            whole = _plain(ImageOps.exif_transpose(opened), writer)
        return _fitting(whole, writer, side or max(whole.size), size)
    except (OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError):
        return None  # Pillow's ways to say that the bytes are no such image


def _plain(image: Image.Image, writer: str) -> Image.Image:
    """Return the image in colours that can be scaled: a palette cannot."""
    if image.mode in ("RGB", "L") or (image.mode in ("RGBA", "LA") and writer != "JPEG"):
        return image.copy()
    return image.convert("RGB" if writer == "JPEG" else "RGBA")


def _fitting(whole: Image.Image, writer: str, side: int, size: int) -> Picture | None:
    """Write the image smaller and smaller until its bytes fit."""
    for _ in range(_ATTEMPTS):
        image = whole.copy()
        image.thumbnail((side, side))
        data = _written(image, writer)
        if len(data) <= size:
            return Picture(data, f"image/{writer.lower()}", image.width, image.height)
        side = int(max(image.size) * min(0.9, 0.95 * (size / len(data)) ** 0.5))
        if side < 1:
            return None
    return None


def _written(image: Image.Image, writer: str) -> bytes:
    out = io.BytesIO()
    options = {"quality": _QUALITY} if writer != "PNG" else {"optimize": True}
    image.save(out, writer, **options)
    return out.getvalue()
