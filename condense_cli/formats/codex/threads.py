"""The one thread of a rollout, as Codex sends it and as it is stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.document.format import unknown_leaf
from condense_cli.document.model_in_use import ModelInUse
from condense_cli.document.views import Block, Turn, View
from condense_cli.formats.codex.blocks import blocks_of
from condense_cli.formats.codex.history import History, items_of, replay, together
from condense_cli.formats.codex.items import BARE, Item
from condense_cli.formats.codex.meta import continues, meta
from condense_cli.model.blocks import words
from condense_cli.model.messages import Message, Record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.document.records import Records


def views(document: Records, leaf: str | None = None, every: bool = False) -> Iterator[View]:
    """Yield the one thread of a rollout, or its part up to an item id."""
    path = _path(document, leaf)
    found = history_of(document, path)
    header = meta(document)
    model_in_use = ModelInUse("openai-responses", header.provider if header else "", found.model)
    items = _of_this_file(found.items) if continues(document) else found.items
    yield View(path, list(together(items, found.foreign)), model_in_use, path[-1] if path else None)


def _of_this_file(items: list[Item]) -> list[Item]:
    """Leave out the outputs whose calls stand in the file that this one continues."""
    calls = {(call.family, call.id) for item in items for call in item.message.calls}
    return [item for item in items if all((result.family, result.id) in calls for result in item.message.results)]


def _path(document: Records, leaf: str | None) -> list[Record]:
    path = list(document.readable())
    if leaf is None:
        return path
    at = next((n for n in range(len(path) - 1, -1, -1) if path[n].id == leaf), None)
    if at is None:
        raise unknown_leaf(document, leaf, "item", "records")
    return path[: at + 1]


def history_of(document: Records, path: Sequence[Record]) -> History:
    """Return the history that the client makes of a path."""
    header = meta(document)
    return replay(path, bare=header is not None and header.bare)


def stored(document: Records, view: View) -> list[Message]:
    """Return the messages of all records, whatever compactions and rollbacks took out; what a compaction repeats is
    left out.
    """
    return list(together(r.extra for r in view.path if type(r.extra) is Item))


def turn(document: Records, message: Message) -> Turn:
    """Load the items of one message."""
    blocks: list[Block] = []
    last: Record | None = None
    value: Any = None
    for item in items_of(message):
        record = item.message.record
        if record is not last:
            last, value = record, document.value(record)
        payload = value if record.kind == BARE else value["payload"]
        if item.at is not None:
            payload = payload["replacement_history"][item.at]
        blocks += (block._replace(record=record) for block in blocks_of(payload))
    if not items_of(message):
        payload = document.value(message.record).get("payload")
        blocks.append(Block("text", words(payload.get("message")) if isinstance(payload, dict) else ""))
    return Turn(message.record, message.role, tuple(blocks), message.skipped)
