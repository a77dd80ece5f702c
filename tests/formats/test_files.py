"""Documents in messages of every API: loaded as such, and carried into the request of any other."""

import json

import pytest
from condense_cli.formats.files import document, openai_file
from condense_cli.request.build import TARGETS
from tests.request.test_media import PDF_FILE
from tests.strategies import condense

URL = f"data:application/pdf;base64,{PDF_FILE}"
MESSAGES = {
    "anthropic": {"role": "user", "content": [{"type": "document", "title": "r", "source": {"type": "base64", "media_type": "application/pdf", "data": PDF_FILE}}]},
    "openai-chat": {"role": "user", "content": [{"type": "file", "file": {"filename": "r.pdf", "file_data": URL}}]},
    "openai-responses": {"type": "message", "role": "user", "content": [{"type": "input_file", "filename": "r.pdf", "file_data": URL}]},
    "gemini-contents": {"role": "user", "parts": [{"inlineData": {"mimeType": "application/pdf", "data": PDF_FILE}}]},
    "bedrock": {"role": "user", "content": [{"text": "Read."}, {"document": {"format": "pdf", "name": "r", "source": {"bytes": PDF_FILE}}}]},
    "vercel-model": {"role": "user", "content": [{"type": "file", "mediaType": "application/pdf", "data": PDF_FILE}]},
}


@pytest.mark.parametrize("api", list(TARGETS))
@pytest.mark.parametrize("name", list(MESSAGES))
def test_a_document_is_carried_from_every_api_to_every_api(name, api, tmp_path):
    """Its bytes are in the request, whichever way the API has them, and nothing is left out."""
    path = tmp_path / "s.json"
    path.write_text(json.dumps([MESSAGES[name]]), encoding="utf-8")
    outcome = condense("render", "--format", name, "--as", api, path)

    assert outcome.code == 0, outcome.err
    assert PDF_FILE in outcome.out.decode()
    assert "left out" not in outcome.err


@pytest.mark.parametrize("name", list(MESSAGES))
def test_it_is_shown_as_what_its_format_calls_it(name, tmp_path):
    """The page of a session and its text say that something is there, and nothing of its bytes."""
    path = tmp_path / "s.json"
    path.write_text(json.dumps([MESSAGES[name]]), encoding="utf-8")

    assert condense("view", "--format", name, path, "-o", tmp_path / "page.html").code == 0
    assert PDF_FILE not in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_what_is_kept_by_a_provider_cannot_be_carried():
    """A file's id alone is no document; a data URL says its own type."""
    assert openai_file({"type": "input_file", "file_id": "file-1"})[:2] == ("other", "input_file")
    assert document("file", "text/plain", URL).media_type == "application/pdf"
