"""Where items and their parts are in a record of a rollout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.document.views import CallPaths, ResultPaths
from condense_cli.formats.codex.history import Compaction
from condense_cli.formats.codex.items import ARGUMENTS, BARE, SEARCH, Item, inside
from condense_cli.model.messages import Call, Record, Result, Role

if TYPE_CHECKING:
    from condense_cli.jsonbytes.jsonspan import Path


def item_path(record: Record, at: int) -> Path:
    """Say where an item is in its record."""
    if record.kind == "compacted":
        return ("payload", "replacement_history", at)
    return () if record.kind == BARE else ("payload",)


def item_of(record: Record, at: int) -> Item | None:
    """Return the item at a place of a record: its own, or one of a compaction."""
    extra = record.extra
    if type(extra) is Compaction:
        return next((item for item in extra.items or () if item.at == at), None)
    return extra if type(extra) is Item else None


def call_paths(call: Call) -> CallPaths:
    """A call is a record of its own, or an element of a replacement_history."""
    record = call.record
    base = item_path(record, call.part)
    item = item_of(record, call.part)
    key = ARGUMENTS.get(item.kind if item else "", "arguments")
    return CallPaths(
        base if record.kind == "compacted" else (),
        (*base, "call_id"),
        (*base, "name"),
        (*base, key),
        key != "action" and call.family != SEARCH,
    )


def result_paths(result: Result) -> ResultPaths:
    """A result is a record of its own, or an element of a replacement_history; it has no tool name."""
    base = item_path(result.record, result.part)
    return ResultPaths(base if result.record.kind == "compacted" else (), (*base, "call_id"))


def block_path(record: Record, part: int) -> Path:
    """A block of a message's content, or of an output."""
    at, block = inside(part) if record.kind == "compacted" else (0, part)
    item = item_of(record, at)
    return (*item_path(record, at), "content" if item is None or item.kind == "message" else "output", block)


def content_path(record: Record) -> Path:
    """The content of a message."""
    return (*item_path(record, 0), "content")


def text_block(record: Record, part: int, text: str) -> dict[str, Any]:
    """Build a text block: what the model said is output, all else is input."""
    item = item_of(record, inside(part)[0] if record.kind == "compacted" else 0)
    said = item is not None and item.message.role is Role.ASSISTANT
    return {"type": "output_text" if said else "input_text", "text": text}
