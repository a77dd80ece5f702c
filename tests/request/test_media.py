"""Images and documents, judged before they are sent."""

import base64

import pytest
from condense_cli.document.views import Block
from condense_cli.model.media import PDF
from condense_cli.request.media import document_of, image_of
from tests.request import test_request as made

PDF_FILE = base64.b64encode(b"%PDF-1.4\n1 0 obj<</Type/Page>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n").decode()
WORDS = base64.b64encode("Grüße".encode()).decode()


def pdf(**more):
    return Block("document", "document", **{"media_type": PDF, "data": PDF_FILE, "name": "report.pdf", **more})


def test_an_image_is_what_its_bytes_say():
    """The label follows the bytes; an address goes with what is known of its type."""
    assert image_of(Block("image", media_type="image/jpeg", data=made.PNG))[:2] == ("image/png", made.PNG)
    assert image_of(Block("image", url="https://x.example/a"))[2] == "https://x.example/a"
    assert image_of(Block("image", url="file:///etc/passwd")).note == "[image removed: unknown type, not a web address]"


@pytest.mark.parametrize(
    ("block", "why"),
    [
        (pdf(data=""), "no data"),
        (pdf(data="####"), "not base64"),
        (pdf(data="AAAA"), "the bytes are no PDF"),
        (pdf(media_type="application/zip"), "unsupported media type"),
        (pdf(media_type="text/plain", data=base64.b64encode(b" ").decode()), "no data"),
        (pdf(data="", url="https://x.example/a.pdf"), "an address, which this API does not take"),
    ],
)
def test_a_document_that_cannot_be_one_is_a_note(block, why):
    """The note says why, and nothing of what was in it."""
    found = document_of(block)

    assert (found.text, found.data, found.url) == ("", "", "")
    assert found.note == f"[document removed: {block.media_type}, {why}]"


def test_a_document_is_data_an_address_or_a_text():
    """Each API says what it takes; a text is one wherever it is not taken as a file."""
    assert document_of(pdf()).data == PDF_FILE
    assert document_of(pdf(data="", url="https://x.example/a.pdf"), urls=True).url == "https://x.example/a.pdf"
    assert document_of(pdf(media_type="text/csv", data=WORDS)).text == "Grüße"
    assert document_of(pdf(media_type="text/csv", data=WORDS), frozenset({"text/csv"})).data == WORDS


def test_documents_are_carried_by_anthropic_and_chat():
    """Anthropic takes data, addresses and texts; chat takes files, and texts as texts; both behind failed results."""
    told = (pdf(), pdf(data="", url="https://x.example/a.pdf"), pdf(media_type="text/plain", data=WORDS))
    blocks = made.messages("anthropic", made.user(*told))[0]["content"]
    parts, notes = made.request("openai-chat", made.user(*told))

    assert [block["source"] for block in blocks] == [
        {"type": "base64", "media_type": PDF, "data": PDF_FILE},
        {"type": "url", "url": "https://x.example/a.pdf"},
        {"type": "text", "media_type": "text/plain", "data": "Grüße"},
    ]
    assert {block["title"] for block in blocks} == {"report.pdf"}
    assert parts["messages"][0]["content"] == [
        {"type": "file", "file": {"filename": "report.pdf", "file_data": f"data:{PDF};base64,{PDF_FILE}"}},
        {"type": "text", "text": "[document removed: application/pdf, an address, which this API does not take]"},
        {"type": "text", "text": "Grüße"},
    ]
    assert notes == ("left out: 1 × document",)
