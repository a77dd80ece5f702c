"""Media: headers of images are read from as few bytes as they need."""

from __future__ import annotations

import base64
import io
import struct

import pytest
from condense_cli.model import media
from hypothesis import given
from hypothesis import strategies as st


def encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def png(width, height):
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", width, height) + b"\x08\x02\x00\x00\x00"


def jpeg(width, height, before=b""):
    return b"\xff\xd8" + before + b"\xff\xc2" + struct.pack(">HBHHB", 17, 8, height, width, 3) + b"\0" * 9 + b"\xff\xd9"


def segment(size):
    return b"\xff\xe1" + struct.pack(">H", size + 2) + b"\0" * size


def gif(width, height):
    return b"GIF89a" + struct.pack("<HH", width, height) + b"\0\0\0;"


def webp(kind, body):
    return b"RIFF" + struct.pack("<I", 12 + len(body)) + b"WEBP" + kind + struct.pack("<I", len(body)) + body + b"\0" * 16


IMAGES = [
    (png(8200, 3), "image/png", 8200, 3),
    (jpeg(640, 480), "image/jpeg", 640, 480),
    (jpeg(640, 480, segment(65000)), "image/jpeg", 640, 480),
    (jpeg(640, 480, segment(65000) * 40), "image/jpeg", 640, 480),
    (jpeg(640, 480, b"\xff\xc4\0\x04\0\0\xff\xff"), "image/jpeg", 640, 480),
    (gif(21, 9), "image/gif", 21, 9),
    (webp(b"VP8X", b"\0\0\0\0" + (2099).to_bytes(3, "little") + (1).to_bytes(3, "little")), "image/webp", 2100, 2),
    (webp(b"VP8 ", b"\0\0\0\x9d\x01\x2a" + struct.pack("<HH", 320, 200)), "image/webp", 320, 200),
    (webp(b"VP8L", b"\x2f" + ((319) | (199 << 14)).to_bytes(4, "little")), "image/webp", 320, 200),
]


@pytest.mark.parametrize(("data", "kind", "width", "height"), IMAGES, ids=lambda value: value if isinstance(value, str) else "")
def test_type_and_size_come_from_the_header(data, kind, width, height):
    """Each type gives its media type and both sides."""
    assert media.picture_of(encoded(data)) == (kind, width, height)


@pytest.mark.parametrize("name", ["PNG", "JPEG", "GIF", "WEBP"])
def test_real_encoders_agree(name):
    """What a library writes is read with the size that it was given."""
    image = pytest.importorskip("PIL.Image").new("RGB", (33, 17), "red")
    out = io.BytesIO()
    image.save(out, name)
    assert media.picture_of(encoded(out.getvalue())) == (f"image/{name.lower()}", 33, 17)


def test_a_header_that_was_cut_off_gives_the_type_without_a_size():
    """No size is made up."""
    assert media.picture_of(encoded(jpeg(9, 9)[:8])) == ("image/jpeg", 0, 0)
    assert media.picture_of(encoded(png(9, 9)[:18])) == ("image/png", 0, 0)
    assert media.picture_of(encoded(webp(b"VP8 ", b"\0" * 10))) == ("image/webp", 0, 0)


@pytest.mark.parametrize("data", ["", "a", "!!!!", "aGVsbG8gd29ybGQ=", encoded(b"%PDF-1.7 x"), encoded(b"<html>")])
def test_what_is_no_image_is_none(data):
    """Neither other files nor text that is not base64 is an image."""
    assert media.picture_of(data) is None


def test_no_more_is_decoded_than_the_header(monkeypatch):
    """Of a large image only its beginning is decoded."""
    seen = []
    decode = media.binascii.a2b_base64
    monkeypatch.setattr(media.binascii, "a2b_base64", lambda text: seen.append(len(text)) or decode(text))
    assert media.picture_of(encoded(png(5, 5) + b"\0" * 3_000_000)) == ("image/png", 5, 5)
    assert seen == [512]


@given(st.binary(max_size=200))
def test_base64_is_measured_without_decoding(data):
    """Size and validity of a base64 text are those of the bytes; a foreign character makes it invalid."""
    text = encoded(data)
    assert media.is_base64(text)
    assert media.decoded_size(text) == len(data)
    assert not media.is_base64(text + "*")
    assert not media.is_base64("=" + text) or not text


@given(st.binary(max_size=400), st.sampled_from([b"", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"GIF89a", b"RIFF0000WEBP"]))
def test_any_bytes_are_judged_without_an_error(data, start):
    """Damaged headers give a type without a size, or nothing."""
    found = media.picture(start + data)
    assert found is None or found.media_type in ("image/png", "image/jpeg", "image/gif", "image/webp")


def test_the_mark_of_a_pdf_may_come_after_some_bytes():
    """Readers look for it in the first kilobyte."""
    assert media.media_type_of(b"\n" * 900 + b"%PDF-1.4") == "application/pdf"
    assert not media.is_pdf(b"\n" * 1024 + b"%PDF-1.4")
    assert not media.is_pdf(b"<html>")
