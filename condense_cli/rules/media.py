"""What is wrong with the media of a thread: scans of the facts that messages have of their images and documents.

A value over a limit is one finding. Its variant is the tier of `rules/limits.py`, by which each contract judges it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from condense_cli.document.document import Document
from condense_cli.document.draft import Draft
from condense_cli.document.model_in_use import ModelInUse
from condense_cli.document.views import View
from condense_cli.jsonbytes.jsonspan import Path
from condense_cli.model.findings import Finding
from condense_cli.model.medium import Medium
from condense_cli.model.messages import Message, Record
from condense_cli.rules.limits import MANY, Measure, tier


class Sent(NamedTuple):
    """A medium that the client sends, and the record that it is in."""

    record: Record
    medium: Medium


def sent_media(document: Document, view: View) -> tuple[Sent, ...]:
    """Return the images and documents of a thread in the order in which they are sent; () costs a look at each
    message.
    """
    if not any(message.media for message in view.messages):
        return ()
    found: list[Sent] = []
    for message in view.messages:
        if message.media and not message.skipped:
            records = dict.fromkeys(records_of(document, message))
            found.extend(Sent(record, medium) for record in records for medium in _media(record))
    return tuple(found)


def records_of(document: Document, message: Message) -> Iterator[Record]:
    """Yield the records that a message is spread over; some come twice."""
    yield message.record
    yield from document.format.records_of(document, message)
    yield from (half.record for half in message.halves)


def _media(record: Record) -> Sequence[Medium]:
    return record.message.media if record.message is not None else ()


def media_of_record(draft: Draft, record: Record) -> tuple[Medium, ...]:
    """Return the images and documents of a record as it is now, those inside of results too."""
    message = draft.message(record)
    return message.media if message is not None else ()


def path_of(draft: Draft, record: Record, medium: Medium) -> Path:
    """Say where an image or document is in its record."""
    if len(medium.path) == 1:
        return draft.format.block_path(record, medium.part)
    return (*draft.format.content_path(record), *medium.path)


def mislabelled(sent: Sequence[Sent], model_in_use: ModelInUse) -> Iterator[Finding]:
    """Yield images whose bytes are of another type than their label says."""
    variant = "native" if model_in_use.speaks_anthropic else ""
    for record, medium in sent:
        if medium.mislabelled:
            yield _finding(
                "media-type-mismatch", record, medium, variant, f"{medium.label} is the label, {medium.kind} the image"
            )


def invalid_documents(sent: Sequence[Sent]) -> Iterator[Finding]:
    """Yield documents that cannot be one."""
    for record, medium in sent:
        if medium.document and medium.fault:
            yield _finding("invalid-document", record, medium, "", medium.fault)


def oversized(sent: Sequence[Sent], model_in_use: ModelInUse) -> Iterator[Finding]:
    """Yield images and documents that are too large: bytes, pixels a side, pages; in a request with many images,
    too.
    """
    many = sum(1 for _, medium in sent if not medium.document) > MANY
    for record, medium in sent:
        for measure, value, unit in _sizes(medium, many=many) if not medium.fault else ():
            variant = tier(measure, value, model=model_in_use.model, api=model_in_use.api)
            if variant:
                yield _finding("oversized-media", record, medium, variant, f"{value:,} {unit}")


def _sizes(medium: Medium, *, many: bool) -> Iterator[tuple[Measure, int, str]]:
    if medium.document:
        yield Measure.DOCUMENT_BYTES, medium.size, "bytes"
        if medium.sure:
            yield Measure.PAGES, medium.pages, "pages"
        return
    yield Measure.IMAGE_BYTES, medium.size, "bytes"
    yield Measure.SIDE, max(medium.width, medium.height), "pixels a side"
    if many:
        yield Measure.SIDE_OF_MANY, max(medium.width, medium.height), f"pixels a side, with more than {MANY} images"


def too_many(sent: Sequence[Sent], model_in_use: ModelInUse) -> Iterator[Finding]:
    """Yield one finding for a request with too many images and documents, or too many documents, on the oldest of
    them.
    """
    documents = [one for one in sent if one.medium.document]
    for measure, counted, what in (
        (Measure.MEDIA, sent, "images and documents"),
        (Measure.DOCUMENTS, documents, "documents"),
    ):
        variant = tier(measure, len(counted), model=model_in_use.model, api=model_in_use.api)
        if variant:
            yield _finding("too-many-media", counted[0].record, counted[0].medium, variant, f"{len(counted):,} {what}")


def in_results(sent: Sequence[Sent]) -> Iterator[Finding]:
    """Yield images inside results, where a contract may allow text alone."""
    for record, medium in sent:
        if medium.in_result and not medium.document:
            yield _finding("image-in-result", record, medium, "", "")


def _finding(rule: str, record: Record, medium: Medium, variant: str, detail: str) -> Finding:
    return Finding(rule, record.line, record, variant=variant, part=medium.part, detail=detail, cause=medium)
