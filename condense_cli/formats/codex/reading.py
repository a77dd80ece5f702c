"""What one record of a rollout says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.formats.codex.detection import is_early_meta
from condense_cli.formats.codex.history import Compaction, Context, Rollback
from condense_cli.formats.codex.invalid import MAY_BE_INVALID, invalid
from condense_cli.formats.codex.items import BARE, ITEM_TYPES, Item, read_item, with_flaws
from condense_cli.formats.codex.items import READERS as ITEMS
from condense_cli.formats.codex.meta import Meta
from condense_cli.model.messages import Message, Record, Role

if TYPE_CHECKING:
    from collections.abc import Callable


def read(record: Record, value: dict[str, Any]) -> None:
    """Read one record."""
    kind = value.get("type")
    payload = value.get("payload")
    record.id = record.message = None
    if type(payload) is not dict:
        record.extra = None
        _read_bare(record, value)
        return
    ordinal = value.get("ordinal")
    if type(ordinal) is not int:
        ordinal = None
    record.extra = ordinal
    record.kind = kind if type(kind) is str and kind else "?"
    if kind == "response_item":  # most of them
        named = payload.get("type", "message")
        reader = ITEMS.get(named) if type(named) is str else None
        item = reader(record, payload, None, ordinal) if reader is not None else None
        if item is not None:
            if named in MAY_BE_INVALID or "id" in payload:
                item = with_flaws(item, invalid(payload, 0))
            record.extra = item
            record.message = item.message
            record.id = item.id
    elif record.kind in _READERS:
        _READERS[record.kind](record, payload, ordinal)


def _read_bare(record: Record, value: dict[str, Any]) -> None:
    kind = value.get("type")
    record.kind = "?"
    if "record_type" in value:
        record.kind = "state"
    elif kind in ITEM_TYPES if type(kind) is str else False:
        record.kind = BARE
        _take(record, read_item(record, value))
    elif is_early_meta(value):
        record.kind = "session_meta"
        record.extra = Meta(value["id"], "legacy", None, "", bare=True)


def _take(record: Record, item: Item | None) -> None:
    if item is not None:
        record.id, record.message, record.extra = item.id, item.message, item


def _read_event(record: Record, payload: dict[str, Any], ordinal: int | None) -> None:
    kind = payload.get("type")
    if kind == "thread_rolled_back":
        turns = payload.get("num_turns")
        record.extra = Rollback(turns if type(turns) is int else 0, ordinal)
    elif kind == "thread_settings_applied":
        settings = payload.get("settings", payload.get("thread_settings"))
        _read_context(record, settings if type(settings) is dict else {}, ordinal)


def _read_context(record: Record, payload: dict[str, Any], ordinal: int | None) -> None:
    model = payload.get("model")
    if type(model) is str and model:
        record.extra = Context(model, ordinal)


def _read_compacted(record: Record, payload: dict[str, Any], ordinal: int | None) -> None:
    kept = payload.get("replacement_history")
    if type(kept) is not list:
        record.message = Message(record, Role.SUMMARY)
        record.extra = Compaction(None, ordinal)
        return
    found = (read_item(record, value, at) for at, value in enumerate(kept) if type(value) is dict)
    items = tuple(item for item in found if item is not None)
    calls = tuple(call for item in items for call in item.message.calls)
    results = tuple(result for item in items for result in item.message.results)
    record.message = Message(record, Role.SUMMARY, calls, results)
    record.extra = Compaction(items, ordinal)


def _read_agent(record: Record, payload: dict[str, Any], ordinal: int | None) -> None:
    _take(record, Item("agent_message", Message(record, Role.CUSTOM), ordinal=ordinal))


def _read_meta(record: Record, payload: dict[str, Any], ordinal: int | None) -> None:
    ident, mode, version, provider = (
        payload.get(key) for key in ("id", "history_mode", "cli_version", "model_provider")
    )
    record.extra = Meta(
        ident if type(ident) is str else "",
        mode if type(mode) is str else "legacy",
        version if type(version) is str else None,
        provider if type(provider) is str else "",
        isinstance(payload.get("history_base"), dict),
        ordinal=ordinal,
    )


_READERS: dict[str, Callable[[Record, dict[str, Any], int | None], None]] = {
    "event_msg": _read_event,
    "turn_context": _read_context,
    "compacted": _read_compacted,
    "session_meta": _read_meta,
    "inter_agent_communication": _read_agent,
}
