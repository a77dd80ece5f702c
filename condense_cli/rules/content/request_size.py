"""A request that is larger than the contract takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.jsonbytes import jsonspan
from condense_cli.model.findings import Finding
from condense_cli.model.messages import Role
from condense_cli.rules import sessions
from condense_cli.rules.limits import Measure, smallest, tier
from condense_cli.rules.media import records_of
from condense_cli.rules.rule import ELLIPSIS, Example, Layer, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense_cli.model.messages import Record
    from condense_cli.rules.thread import Thread

_NAMED = 3  # records that a finding names beside the heaviest


def scan(thread: Thread) -> Iterator[Finding]:
    """Yield one finding, on the heaviest message, for a request with too many bytes, or too many bytes of images."""
    document = thread.document
    sent = [
        r
        for message in thread.view.messages
        if not message.skipped
        for r in dict.fromkeys(records_of(document, message))
    ]
    if sum(len(r.data) if r.data is not None else r.end - r.start for r in sent) <= smallest(Measure.REQUEST_BYTES):
        return
    weights = {record: _weight(thread, record) for record in sent}
    pictures: dict[Record, int] = {}
    for record, medium in thread.media:
        if not medium.document:
            pictures[record] = pictures.get(record, 0) + medium.size
    for measure, bytes_of, what in (
        (Measure.REQUEST_BYTES, weights, "bytes"),
        (Measure.ALL_IMAGE_BYTES, pictures, "bytes of images"),
    ):
        total = sum(bytes_of.values())
        variant = tier(measure, total, model=thread.writer.model, api=thread.writer.api)
        if variant:
            heaviest, *others = sorted(bytes_of, key=lambda record: -bytes_of[record])[: _NAMED + 1]
            detail = f"{total:,} {what}, {bytes_of[heaviest]:,} of them here"
            yield Finding(
                "oversized-request",
                heaviest.line,
                heaviest,
                variant=variant,
                related=tuple(r.line for r in others),
                detail=detail,
            )


def _weight(thread: Thread, record: Record) -> int:
    """Return the bytes of a record that are surely sent: its content where it has one, else all of it."""
    raw = thread.document.raw(record)
    fmt = thread.document.format
    if fmt.own_shape or record.message is None or record.message.role is Role.SUMMARY:
        return len(raw)
    place = jsonspan.span(raw, fmt.content_path(record))
    return place[1] - place[0] if place is not None else len(raw)


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
