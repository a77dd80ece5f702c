"""Media rules: what is found in the facts of a thread's images and documents, and which contract says what of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from condense_cli.document.memory import BytesInMemory
from condense_cli.formats.read import read_document
from condense_cli.model.medium import Medium
from condense_cli.model.messages import Record
from condense_cli.rules import media
from condense_cli.rules.limits import limit_for

FIELD = Path(__file__).parents[3] / "shared" / "field"


def opened(name, data):
    document = read_document("s.json", BytesInMemory(data), name)
    view = next(iter(document.format.views(document, None, False)))
    return document, view, media.sent_media(document, view)


def places(findings):
    return [(finding.rule, finding.line, finding.part) for finding in findings]


def image(**facts):
    return media.Sent(Record(1, 0, 0), Medium((0,), False, "image/png", kind="image/png", width=10, height=10, size=100)._replace(**facts))


@pytest.fixture(name="view")
def make_view():
    return opened("anthropic", json.dumps([{"role": "user", "content": "hello"}]).encode())[1]


def test_a_thread_without_media_has_nothing_to_look_at(view):
    """No message with media, no work."""
    document = opened("anthropic", json.dumps([{"role": "user", "content": "hello"}]).encode())[0]
    assert media.sent_media(document, view) == ()


def test_a_side_over_the_limit_is_one_finding_that_each_contract_judges(view):
    """8200 pixels: an error for Anthropic, a warning for Gemini, nothing for OpenAI."""
    (found,) = media.oversized([image(width=8200)], view.model_in_use)
    assert (limit_for(found.variant, "anthropic").severity, limit_for(found.variant, "gemini").severity) == ("error", "warning")
    assert limit_for(found.variant, "openai-chat") is None
    assert found.detail == "8,200 pixels a side"


@pytest.mark.parametrize(("others", "number"), [(19, 0), (20, 1)])
def test_a_large_image_is_too_large_once_there_are_many(view, others, number):
    """More than twenty images: 2000 pixels a side and no more."""
    assert len(list(media.oversized([image(width=2100), *[image()] * others], view.model_in_use))) == number


def test_documents_do_not_make_many_images(view):
    """Only images count for the smaller size."""
    documents = [media.Sent(Record(1, 0, 0), Medium((0,), True, "application/pdf"))] * 30
    assert list(media.oversized([image(width=2100), *documents], view.model_in_use)) == []


def test_pages_count_only_where_they_are_proved(view):
    """A number of pages that was guessed is no finding."""
    document = Medium((0,), True, "application/pdf", pages=700, sure=True)
    assert len(list(media.oversized([media.Sent(Record(1, 0, 0), document)], view.model_in_use))) == 1
    assert list(media.oversized([media.Sent(Record(1, 0, 0), document._replace(sure=False))], view.model_in_use)) == []


def test_too_many_is_one_finding(view):
    """601 images are one too many for Anthropic; 600 are not."""
    (found,) = media.too_many([image()] * 601, view.model_in_use)
    assert limit_for(found.variant, "anthropic").most == 600
    assert all(limit_for(one.variant, "anthropic") is None for one in media.too_many([image()] * 600, view.model_in_use))


@pytest.mark.skipif(not FIELD.exists(), reason="the cases of the field are not here")
@pytest.mark.parametrize(
    ("file", "name", "scan", "expected"),
    [
        ("anth-media-type-01.json", "anthropic", media.mislabelled, [("media-type-mismatch", 4, 0)]),
        ("pi-media-type-01.jsonl", "pi", media.mislabelled, [("media-type-mismatch", 3, 1)]),
        ("cc-media-type-01.jsonl", "claude-code", media.mislabelled, None),
        ("oai-media-type-01.json", "openai-chat", media.mislabelled, [("media-type-mismatch", 3, 1)]),
        ("anth-document-empty-01.json", "anthropic", media.invalid_documents, [("invalid-document", 2, 0), ("invalid-document", 4, 1)]),
        ("cc-document-no-pdf-01.jsonl", "claude-code", media.invalid_documents, None),
        ("oai-image-in-result-01.json", "openai-chat", media.in_results, [("image-in-result", 6, 1)]),
        ("anth-image-pixels-ok-01.json", "anthropic", media.mislabelled, []),
        ("anth-documents-ok-01.json", "anthropic", media.invalid_documents, []),
    ],
)
def test_cases_of_the_field(file, name, scan, expected):
    """Each case has its finding where it is expected, and the controls have none."""
    _, view, sent = opened(name, (FIELD / file).read_bytes())
    found = places(scan(sent, view.model_in_use) if scan is media.mislabelled else scan(sent))
    assert found == expected if expected is not None else len(found) == 1


@pytest.mark.skipif(not FIELD.exists(), reason="the cases of the field are not here")
@pytest.mark.parametrize(
    ("file", "number"),
    [("anth-image-pixels-01.json", 1), ("anth-many-image-pixels-01.json", 1), ("anth-image-pixels-ok-01.json", 0), ("anth-documents-ok-01.json", 0)],
)
def test_sizes_of_the_field(file, number):
    """What Anthropic refuses for its size is found, and nothing else."""
    _, view, sent = opened("anthropic", (FIELD / file).read_bytes())
    assert sum(1 for one in media.oversized(sent, view.model_in_use) if limit_for(one.variant, "anthropic")) == number


@pytest.mark.skipif(not FIELD.exists(), reason="the cases of the field are not here")
@pytest.mark.parametrize(
    ("file", "name", "scan", "number"),
    [
        ("anth-too-many-media-01.json", "anthropic", media.too_many, 1),
        ("anth-media-count-ok-01.json", "anthropic", media.too_many, 0),
        ("cc-document-pages-01.jsonl", "claude-code", media.oversized, 1),
        ("anth-documents-ok-01.json", "anthropic", media.oversized, 0),
    ],
)
def test_the_window_of_the_model_decides(file, name, scan, number):
    """The model that a file names has 100 or 600 images and pages."""
    document, view, sent = opened(name, (FIELD / file).read_bytes())
    model_in_use = view.model_in_use._replace(model=document.format.model_of(document, view))
    assert sum(1 for one in scan(sent, model_in_use) if limit_for(one.variant, name)) == number
