"""The one thread of an export, from its last finished compaction on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from condense_cli.document.format import unknown_leaf
from condense_cli.document.model_in_use import ModelInUse
from condense_cli.document.views import View
from condense_cli.formats.opencode.reading import Facts
from condense_cli.model.messages import Message, Record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense_cli.document.records import Records


def views(document: Records, leaf: str | None = None, every: bool = False) -> Iterator[View]:
    """Yield the one thread from its last finished compaction on; a leaf ends it there."""
    path = [record for record in document.readable() if isinstance(record.extra, Facts)]
    if leaf is not None:
        end = next((n for n, record in enumerate(path) if record.id == leaf), None)
        if end is None:
            raise unknown_leaf(document, leaf, "message", "messages")
        path = path[: end + 1]
    kept = select(path)
    found = [_sent(record.message) for record in kept if record.message is not None]
    now = next((r.extra.written for r in reversed(path) if r.kind == "assistant"), ModelInUse())
    yield View(path, found, now, path[-1] if path else None)


def select(path: list[Record]) -> list[Record]:
    """Return the messages from the last finished compaction on, with the tail that it kept."""
    place = {record.id: n for n, record in enumerate(path)}
    for record in reversed(path):
        asked = place.get(record.extra.answers) if record.extra.summary else None
        if asked is not None and path[asked].extra.compaction:
            return path[min(asked, place.get(path[asked].extra.tail, asked)) :]
    return path


def _sent(message: Message) -> Message:
    """A message that is left out takes its calls and results with it."""
    return replace(message, calls=(), results=()) if message.skipped else message
