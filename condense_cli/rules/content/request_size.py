"""A request that is larger than the contract takes."""

from __future__ import annotations

from heapq import nlargest
from typing import TYPE_CHECKING

from condense_cli.jsonbytes import jsonspan
from condense_cli.model.findings import Finding
from condense_cli.model.messages import Role
from condense_cli.rules import sessions
from condense_cli.rules.limits import Measure, smallest, tier
from condense_cli.rules.rule import ELLIPSIS, Example, Layer, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense_cli.document.document import Document
    from condense_cli.model.messages import Record
    from condense_cli.rules.thread import Thread

_NAMED = 3  # records that a finding names beside the heaviest


def scan(thread: Thread) -> Iterator[Finding]:
    """Yield one finding, on the heaviest message, for a request with too many bytes, or too many bytes of images."""
    for measure, weigh, at_most, what in (
        (Measure.REQUEST_BYTES, _contents, _all_contents, "bytes"),
        (Measure.ALL_IMAGE_BYTES, _pictures, _all_bytes, "bytes of images"),
    ):
        most = smallest(measure, thread.contracts, thread.view.model_in_use.api)
        if most is None or thread.document.derived(at_most) <= most:
            continue
        bytes_of = weigh(thread)
        total = sum(bytes_of.values())
        variant = tier(measure, total, model=thread.model_in_use.model, api=thread.model_in_use.api)
        if variant:
            heaviest, *others = nlargest(_NAMED + 1, bytes_of, key=bytes_of.__getitem__)
            detail = f"at least {total:,} {what}, {bytes_of[heaviest]:,} of them here"
            yield Finding(
                "oversized-request",
                heaviest.line,
                heaviest,
                variant=variant,
                related=tuple(r.line for r in others),
                detail=detail,
            )


def _all_bytes(document: Document) -> int:
    """Return the bytes of all records: asked once, however many threads a file has."""
    return sum(map(_size, document.records))


def _all_contents(document: Document) -> int:
    """Return the bytes of the contents of all records; where nobody counted them, those of the record."""
    return sum([record.weight if record.weight >= 0 else _size(record) for record in document.records])


def _size(record: Record) -> int:
    return record.end - record.start if record.data is None else len(record.data)


def _contents(thread: Thread) -> dict[Record, int]:
    """Return the records that are sent with the bytes of each that surely are."""
    sent: dict[Record, None] = {}
    parts_of = thread.document.format.records_of
    for message in thread.view.messages:
        if not message.skipped:
            sent[message.record] = None
            for part in parts_of(thread.document, message):
                sent[part] = None
            for call in message.calls:
                sent[call.record] = None
            for result in message.results:
                sent[result.record] = None
    return {record: record.weight if record.weight >= 0 else _weight(thread, record) for record in sent}


def _weight(thread: Thread, record: Record) -> int:
    """Return the bytes of a record that are surely sent: its content where it has one, else all of it."""
    fmt = thread.document.format
    if fmt.own_shape or record.message is None or record.message.role is Role.SUMMARY:
        return _size(record)
    raw = thread.document.raw(record)
    place = jsonspan.span(raw, fmt.content_path(record))
    return place[1] - place[0] if place is not None else len(raw)


def _pictures(thread: Thread) -> dict[Record, int]:
    """Return the records with images, each with the bytes of these."""
    found: dict[Record, int] = {}
    for record, medium in thread.media:
        if not medium.document:
            found[record] = found.get(record, 0) + medium.size
    return found


_LONG = sessions.array(
    sessions.ask([sessions.say("FILL")]), sessions.reply(sessions.use()), sessions.ask([sessions.used()])
).replace(b"FILL", ELLIPSIS)

RULE = Rule(
    "oversized-request", Layer.CONTENT,
    "the request has more bytes than the contract takes",
    "",
    Example("anthropic", 2, _LONG, fill=33 << 20),
    scan_thread=scan,
)  # fmt: skip
