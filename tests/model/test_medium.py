"""Media as facts: what can be said of an image or document without keeping it."""

from __future__ import annotations

import base64
import struct

import pytest
from condense_cli.model.medium import Medium, document, image, image_url


def encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


PNG = encoded(b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 30, 20) + b"\x08\x02\x00\x00\x00")
PDF = encoded(b"%PDF-1.4\n<< /Type /Pages /Count 1 >>\n<< /Type /Page >>\n")


def test_an_image_is_known_by_its_bytes():
    """Type, sides and size come from the data, the label is kept beside them."""
    found = image((2,), "image/png", PNG)
    assert (found.kind, found.width, found.height, found.fault, found.part) == ("image/png", 30, 20, "", 2)
    assert found.size == len(base64.b64decode(PNG))
    assert found.encoded == len(PNG)
    assert not found.mislabelled


@pytest.mark.parametrize(("label", "wrong"), [("image/jpeg", True), ("image/webp", True), ("IMAGE/PNG", False), ("image/png", False)])
def test_a_label_of_another_type_is_told(label, wrong):
    """Only a known label on a known image is a mismatch."""
    assert image((), label, PNG).mislabelled is wrong


@pytest.mark.parametrize(
    ("label", "data", "fault"),
    [
        ("image/bmp", PNG, "unsupported media type"),
        (None, PNG, "unsupported media type"),
        ("image/png", "", "no data"),
        ("image/png", None, "no data"),
        ("image/png", "iVBORw0KGgo*", "not base64"),
        ("image/png", encoded(b"<html>"), "the bytes are no image"),
        ("image/png", PDF, "the bytes are no image"),
    ],
)
def test_what_cannot_be_an_image_says_why(label, data, fault):
    """The fault is one of few words, and such an image is never called mislabelled."""
    found = image((), label, data)
    assert (found.fault, found.mislabelled) == (fault, False)


def test_urls_are_judged_where_the_data_is_in_them():
    """A web address passes; a data URL is judged as its data."""
    assert image_url((), "https://example.org/a.png").fault == ""
    assert image_url((), f"data:image/png;base64,{PNG}").width == 30
    assert image_url((), f"data:image/jpeg;base64,{PNG}").mislabelled
    assert image_url((), "data:image/png,abc").fault == "not base64"
    assert image_url((), "data:nothing").fault == "not a data URL"
    assert image_url((), None).fault == "no data"


@pytest.mark.parametrize(
    ("label", "data", "fault"),
    [
        ("application/pdf", PDF, ""),
        ("application/pdf", "", "no data"),
        ("application/pdf", "JVBERi0xLjQK*not base64*", "not base64"),
        ("application/pdf", encoded(b"<html>sign in</html>"), "the bytes are no PDF"),
        ("text/plain", encoded(b"hello"), ""),
    ],
)
def test_documents(label, data, fault):
    """Empty, not base64, and labelled PDF without being one: the faults of a document."""
    found = document((0, "content", 1), label, data, in_result=True)
    assert (found.fault, found.document, found.in_result, found.part) == (fault, True, True, 0)


def test_pages_are_counted_while_the_bytes_are_there():
    """The number of pages is a fact of the document."""
    found = document((), "application/pdf", PDF)
    assert (found.pages, found.sure) == (1, True)
    assert Medium((), True, "").pages == 0
