"""What one entry of an OpenClaw session says: pi's facts, and what OpenClaw adds to them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from condense_cli.document.model_in_use import ModelInUse
from condense_cli.formats.pi import reading as pi_reading
from condense_cli.formats.pi.reading import Shared
from condense_cli.model.messages import Call, Message, Record, Result

CALLS = frozenset({"toolCall", "toolUse", "functionCall"})


FOLLOWS = ""  # the parent of an entry that has no parentId: the leaf at that place


# pi's `usage` and `context_edit` are carried along here, but they are not followed.
CANONICAL = (pi_reading.ENTRY_TYPES | {"reset"}) - {"usage", "context_edit"}


def is_entry(value: dict[str, Any]) -> bool:
    """Say whether this is an entry of OpenClaw."""
    kind = value.get("type")
    return (
        isinstance(kind, str)
        and (kind in CANONICAL or kind == "leaf")
        and isinstance(value.get("id"), str)
        and ("parentId" in value or "timestamp" in value)
    )


def is_record(value: dict[str, Any]) -> bool:
    """A header, or an entry."""
    return pi_reading.is_record(value) or is_entry(value)


class _InputCall(Call):
    """A call whose arguments stand in `input`."""

    __slots__ = ()


class _ToolUseResult(Result):
    """A result whose id is in `toolUseId`."""

    __slots__ = ()


class Aside(str):
    """The kind of an entry that is beside the thread: appending it does not make it the leaf."""

    __slots__ = ()


class Control(NamedTuple):
    """What a `leaf` entry says: where the leaf goes, and what the parent of the next entry without one is."""

    target: str | None
    append: str | None


def read(record: Record, value: dict[str, Any], shared: Shared) -> None:
    """Read one entry: pi's facts, and what OpenClaw adds to them."""
    pi_reading.read(record, value, shared, CALLS)
    kind = record.kind
    if value.get("appendMode") == "side":
        record.kind = Aside(kind)
    if record.parent is None and kind != "session" and value.get("parentId", FOLLOWS) == FOLLOWS:
        record.parent = FOLLOWS
    if kind == "message":
        message = record.message
        if (
            message is not None
            and isinstance(record.extra, ModelInUse)
            and record.extra.provider == "openclaw"
            and not message.calls
        ):
            record.message = replace(
                message, skipped=True, flaws=()
            )  # what was delivered, written down by the client itself
        elif message is not None and (message.calls or message.results):
            record.message = _with_other_names(message, value["message"])
    elif kind == "leaf":
        record.extra = Control(_text(value.get("targetId")), _text(value.get("appendParentId", value.get("targetId"))))
    elif kind == "reset":
        record.extra = _text(value.get("firstKeptEntryId"))


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _with_other_names(message: Message, value: dict[str, Any]) -> Message:
    """Remember which halves use the older names, so that an edit finds them."""
    if message.results:
        if "toolCallId" in value or "toolUseId" not in value:
            return message
        return replace(
            message,
            results=tuple(
                _ToolUseResult(result.record, result.part, result.id, result.placeholder) for result in message.results
            ),
        )
    content = value["content"]
    others = {
        call.part for call in message.calls if "arguments" not in content[call.part] and "input" in content[call.part]
    }
    if not others:
        return message
    return replace(
        message,
        calls=tuple(
            _InputCall(call.record, call.part, call.id, call.name) if call.part in others else call
            for call in message.calls
        ),
    )
