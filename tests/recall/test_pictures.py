"""Pictures of outputs in every shape that a format has for them."""

import base64

import pytest
from condense_cli.recall.pictures import picture_blocks, picture_of

BYTES = b"\x89PNG"
DATA = base64.b64encode(BYTES).decode()
URL = f"data:image/png;base64,{DATA}"


@pytest.mark.parametrize(
    "block",
    [
        {"type": "image", "data": DATA, "mimeType": "image/png"},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": DATA}},
        {"type": "image_url", "image_url": {"url": URL}},
        {"type": "input_image", "image_url": URL},
        {"inlineData": {"mimeType": "image/png", "data": DATA}},
    ],
)
def test_a_picture_is_read_from_every_shape(block):
    """Its bytes and its type; inside a result it is found at its place."""
    picture = picture_of(block)

    assert picture.data == BYTES and picture.media_type == "image/png"
    assert picture.file_name.endswith(".png")
    assert list(picture_blocks({"content": [{"type": "text"}, block]})) == [block]


@pytest.mark.parametrize("block", [{"type": "image"}, {"type": "image", "data": "a"}, {"type": "image_url", "image_url": "https://example.org/a.png"}])
def test_what_holds_no_bytes_is_none(block):
    """An address is not followed."""
    assert picture_of(block) is None
