"""Media of contents: every API's way to write an image or document gives the same facts."""

from __future__ import annotations

import base64
import json
import struct

import pytest
from condense_cli.document.memory import BytesInMemory
from condense_cli.formats.media import image_flaws, media_of
from condense_cli.formats.read import read_document
from condense_cli.rules.catalogue import RULES
from hypothesis import given
from hypothesis import strategies as st

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 30, 20) + b"\x08\x02\x00\x00\x00").decode()
PDF = base64.b64encode(b"%PDF-1.4 << /Type /Pages /Count 1 >> << /Type /Page >>").decode()
TEXT = {"type": "text", "text": "a"}
SOURCE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}

IMAGES = {
    "anthropic": SOURCE,
    "pi": {"type": "image", "mimeType": "image/png", "data": PNG},
    "chat": {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}},
    "chat as text": {"type": "image_url", "image_url": f"data:image/png;base64,{PNG}"},
    "responses": {"type": "input_image", "image_url": f"data:image/png;base64,{PNG}"},
    "opencode": {"type": "file", "mime": "image/png", "url": f"data:image/png;base64,{PNG}"},
    "gemini": {"inlineData": {"mimeType": "image/png", "data": PNG}},
}
DOCUMENTS = {
    "anthropic": {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": PDF}},
    "chat": {"type": "file", "file": {"file_data": f"data:application/pdf;base64,{PDF}"}},
    "responses": {"type": "input_file", "file_data": f"data:application/pdf;base64,{PDF}"},
    "gemini": {"inlineData": {"mimeType": "application/pdf", "data": PDF}},
}
ELSEWHERE = [
    {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}},
    {"type": "image", "source": {"type": "file", "file_id": "f1"}},
    {"type": "input_image", "file_id": "f1"},
    {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
    {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "hello"}},
    {"type": "document", "source": {"type": "content", "content": [TEXT]}},
    {"type": "input_file", "file_id": "f1"},
]


@pytest.mark.parametrize("shape", IMAGES)
def test_images_of_every_shape(shape):
    """Path, label, type and size are the same however the image is written."""
    (found,) = media_of([TEXT, IMAGES[shape]])
    assert (found.path, found.label, found.kind, found.width, found.height) == ((1,), "image/png", "image/png", 30, 20)
    assert (found.fault, found.document, found.in_result) == ("", False, False)


@pytest.mark.parametrize("shape", DOCUMENTS)
def test_documents_of_every_shape(shape):
    """A PDF has its pages."""
    (found,) = media_of([DOCUMENTS[shape]])
    assert (found.document, found.kind, found.pages, found.sure) == (True, "application/pdf", 1, True)


@pytest.mark.parametrize("block", ELSEWHERE)
def test_what_is_elsewhere_counts_and_has_no_fault(block):
    """A URL, a file's id, a plain text: one medium each, of which nothing can be said."""
    (found,) = media_of([block])
    assert (found.fault, found.size) == ("", 0)


def test_media_inside_results_are_found_with_their_path():
    """An image in a result is named by both of its places."""
    content = [TEXT, {"type": "tool_result", "tool_use_id": "t", "content": [TEXT, SOURCE]}]
    (found,) = media_of(content)
    assert (found.path, found.part, found.in_result) == ((1, "content", 1), 1, True)


def test_one_flaw_for_each_block():
    """Two bad images in one result are one flaw, the first one's; documents are no images."""
    bad = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": ""}}
    worse = {"type": "image", "source": {"type": "base64", "media_type": "image/x", "data": PNG}}
    empty = {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": ""}}
    found = image_flaws(media_of([{"type": "tool_result", "content": [bad, worse]}, worse, empty]))
    assert [(flaw.part, flaw.detail) for flaw in found] == [(0, "no data"), (1, "unsupported media type")]


ODD = st.sampled_from([None, True, 7, "", "image", "image/png", PNG, "data:image/png;base64,x", [], [TEXT], {}, {"type": "base64"}, {"url": 1}, {"file_data": PDF}])
KEYS = ["source", "data", "media_type", "image_url", "url", "content", "mime", "file", "inlineData", "mimeType", "file_data"]
TYPES = st.sampled_from([None, 1, [], "image", "document", "file", "input_image", "image_url", "input_file", "tool_result", "text"])
BLOCKS = st.builds(lambda kind, more: {"type": kind} | more, TYPES, st.dictionaries(st.sampled_from(KEYS), ODD, max_size=3))


@given(ODD | st.lists(ODD | BLOCKS, max_size=3))
def test_any_content_is_read_without_an_error(content):
    """What is of the wrong kind anywhere is a medium with a fault, or none."""
    assert all(isinstance(one.fault, str) for one in media_of(content))
    assert all(isinstance(one.fault, str) for one in media_of([content]))


SESSIONS = {
    "pi": [RULES["trailing-call"].example.data.splitlines()[0], {"type": "message", "id": "m1", "parentId": None, "timestamp": "2026-01-01T00:00:01Z", "message": {"role": "user", "content": [TEXT, IMAGES["pi"]]}}],
    "claude-code": [{"type": "user", "uuid": "a", "parentUuid": None, "sessionId": "s", "message": {"role": "user", "content": [TEXT, SOURCE]}}],
    "codex": [{"timestamp": "2026-01-01T00:00:00Z", "type": "response_item", "payload": {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "q"}, IMAGES["responses"]]}}],
    "openai-chat": [{"role": "user", "content": [TEXT, IMAGES["chat"]]}],
    "anthropic": [{"role": "user", "content": [TEXT, SOURCE]}],
}


@pytest.mark.parametrize("name", SESSIONS)
def test_messages_have_their_media(name):
    """Each format's reader keeps the facts with the message."""
    rows = [row if isinstance(row, bytes) else json.dumps(row).encode() for row in SESSIONS[name]]
    document = read_document("s.jsonl", BytesInMemory(b"\n".join(rows) + b"\n"), name)
    (found,) = [medium for record in document.records if record.message for medium in record.message.media]
    assert (found.path, found.kind, found.width) == ((1,), "image/png", 30)
