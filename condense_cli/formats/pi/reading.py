"""What one entry of a pi session says: its kind, its links, its message with its halves and flaws."""

from __future__ import annotations

from collections.abc import Callable
from sys import intern
from typing import Any

from condense_cli.document.model_in_use import ModelInUse
from condense_cli.document.records import UNKNOWN
from condense_cli.formats.media import image_flaws, media_of
from condense_cli.formats.messages import missing_content
from condense_cli.formats.pi.assistant import SKIPPED, blankness, read_assistant
from condense_cli.model.blocks import is_placeholder
from condense_cli.model.medium import Medium
from condense_cli.model.messages import Flaw, Message, Record, Result, Role

ENTRY_TYPES = frozenset({
    "message", "model_change", "thinking_level_change", "compaction", "context_edit", "branch_summary",
    "custom", "custom_message", "label", "session_info", "usage",
})  # fmt: skip


_CALLS = frozenset({"toolCall"})
_USER, _RESULT = Role.USER, Role.RESULT


class Shared:
    """What the entries of one file share, so that it is kept once: ids of the latest calls, and the models."""

    __slots__ = ("asked", "models_in_use")

    def __init__(self) -> None:
        self.asked: dict[str, str] = {}
        self.models_in_use: dict[tuple[Any, Any, Any], ModelInUse] = {}

    def model_in_use(self, api: Any, provider: Any, model: Any) -> ModelInUse:
        """Return the one value for a model, so that a million messages share it."""
        key = (api, provider, model)
        try:
            return self.models_in_use[key]
        except KeyError:
            return self.models_in_use.setdefault(key, model_in_use(*key))
        except TypeError:
            return ModelInUse()


def is_record(value: dict[str, Any]) -> bool:
    """A header, an entry of a tree, or an entry of a version 1 file."""
    kind = value.get("type")
    if not isinstance(kind, str):
        return False
    if kind == "session":
        return isinstance(value.get("id"), str)
    return ("id" in value and "parentId" in value) or (kind in ENTRY_TYPES and "timestamp" in value)


def read(record: Record, value: dict[str, Any], shared: Shared, call_types: frozenset[str] = _CALLS) -> None:
    """Set the facts of one entry; call_types are the block types that ask for a tool."""
    kind = value.get("type")
    ident = value.get("id")
    record.id = ident if type(ident) is str and ident else None
    parent = value.get("parentId")
    record.parent = parent if type(parent) is str and parent else None
    if kind == "message":  # most of them
        record.kind = "message"
        _read_entry(record, value, shared, call_types)
        return
    record.kind = intern(kind) if type(kind) is str and kind else "?"
    if kind == "session":
        record.extra = value.get("version")
        record.id = record.parent = None
    elif record.kind in _READERS:
        _READERS[record.kind](record, value, shared)


def _read_entry(record: Record, value: dict[str, Any], shared: Shared, call_types: frozenset[str]) -> None:
    message = value.get("message")
    if type(message) is not dict:
        record.message = None
        if "role" in value:
            record.kind = UNKNOWN
        return
    record.message = read_message(record, message, shared, call_types)
    if record.kind is UNKNOWN:
        record.message = None
    elif message.get("role") == "assistant":
        record.extra = shared.model_in_use(message.get("api"), message.get("provider"), message.get("model"))


def _read_custom_message(record: Record, value: dict[str, Any], _: Shared) -> None:
    record.message = _custom(record, value.get("content"))
    record.extra = value.get("customType")


def _custom(record: Record, content: Any) -> Message:
    """Read what an extension says: pi sends it, with its images, as a message of the user."""
    media = media_of(content)
    return Message(record, Role.CUSTOM, flaws=image_flaws(media), media=media)


def _read_custom(record: Record, value: dict[str, Any], _: Shared) -> None:
    record.extra = value.get("customType")


def _read_branch_summary(record: Record, value: dict[str, Any], _: Shared) -> None:
    record.message = Message(record, Role.SUMMARY) if value.get("summary") else None
    record.extra = value.get("fromId")


def _read_compaction(record: Record, value: dict[str, Any], _: Shared) -> None:
    record.message = Message(record, Role.SUMMARY)
    record.extra = value.get("firstKeptEntryId", value.get("firstKeptEntryIndex"))


def _read_context_edit(record: Record, value: dict[str, Any], _: Shared) -> None:
    target = value.get("targetId")
    record.extra = (target if type(target) is str else "", value.get("replacement") is None)


def _read_model_change(record: Record, value: dict[str, Any], shared: Shared) -> None:
    record.extra = shared.model_in_use("", value.get("provider"), value.get("modelId"))


def _read_label(record: Record, value: dict[str, Any], _: Shared) -> None:
    target = value.get("targetId")
    record.extra = target if type(target) is str else ""


_READERS: dict[str, Callable[[Record, dict[str, Any], Shared], None]] = {
    "custom_message": _read_custom_message,
    "custom": _read_custom,
    "branch_summary": _read_branch_summary,
    "compaction": _read_compaction,
    "context_edit": _read_context_edit,
    "model_change": _read_model_change,
    "label": _read_label,
}


def model_in_use(api: Any, provider: Any, model: Any) -> ModelInUse:
    """Return the model that an entry names."""
    return ModelInUse(*(part if isinstance(part, str) else "" for part in (api, provider, model)))


def read_message(  # noqa: PLR0911 - one answer for each kind
    record: Record, message: dict[str, Any], shared: Shared, call_types: frozenset[str] = _CALLS
) -> Message | None:
    """Read the facts of a pi-shaped message; a role that never reaches a provider gives None."""
    role = message.get("role")
    content = message.get("content")
    if role == "toolResult":
        return _read_result(record, message, content, shared)
    if content is None and role in ("user", "assistant"):
        return _read_without_content(record, message, Role.USER if role == "user" else Role.ASSISTANT)
    if role == "assistant":
        return read_assistant(record, message, content, shared.asked, call_types, own_calls=call_types is _CALLS)
    if role == "user":
        flaws, media = _read_user(record, content)
        return Message(record, _USER, (), (), True, False, flaws, False, media)
    if role in ("custom", "hookMessage"):
        return _custom(record, content)
    if role == "bashExecution":
        return None if message.get("excludeFromContext") else Message(record, Role.USER)
    if role == "tool":
        record.kind = UNKNOWN
    return None


def _read_without_content(record: Record, message: dict[str, Any], role: Role) -> Message:
    stop = message.get("stopReason")
    return Message(
        record, role, (), (), role is Role.USER, type(stop) is str and stop in SKIPPED, (missing_content(role),)
    )


def _read_result(record: Record, message: dict[str, Any], content: Any, shared: Shared) -> Message:
    ident = message.get("toolCallId", message.get("toolUseId"))
    media: tuple[Medium, ...] = ()
    blank: tuple[Flaw, ...] = ()
    made_up = False
    if type(content) is list and content:
        first = content[0]
        if type(first) is dict and len(content) == 1 and first.get("type") == "text":
            text = first.get("text")
            if type(text) is str:
                record.weight = len(text)
                made_up = len(text) < 300 and is_placeholder(text)
        else:
            media = media_of(content, in_result=True)
            blank = _blanks_beside_media(content) if media else ()
    elif type(content) is str:
        made_up = is_placeholder(content)
    flaws = (missing_content(Role.RESULT),) if content is None else (*blank, *image_flaws(media)) if media else ()
    result = Result(record, 0, shared.asked.pop(ident, ident) if type(ident) is str else None, made_up)
    return Message(record, _RESULT, (), (result,), False, False, flaws, False, media)


def _blanks_beside_media(content: list[Any]) -> tuple[Flaw, ...]:
    """Return the blank texts of a result with images, which pi sends as they are: of one without it joins the texts."""
    return tuple(
        Flaw("blank-text", "white" if block.get("text") else "in-result", part)
        for part, block in enumerate(content)
        if type(block) is dict and block.get("type") == "text" and _is_blank(block.get("text"))
    )


def _is_blank(text: Any) -> bool:
    return not text or (isinstance(text, str) and text.isspace())


def _read_user(record: Record, content: Any) -> tuple[tuple[Flaw, ...], tuple[Medium, ...]]:
    only = content[0] if type(content) is list and len(content) == 1 else None  # nearly always a text
    text = only.get("text") if type(only) is dict and only.get("type") == "text" else content
    if type(text) is str and text and not text.isspace():
        record.weight = len(text)
        return (), ()
    if type(content) is not list:
        return (Flaw("empty-message", "user", 0),), ()
    if any(type(block) is dict and block.get("type") in ("tool_use", "tool_result") for block in content):
        record.kind = UNKNOWN
    blank = [
        part
        for part, block in enumerate(content)
        if type(block) is dict and block.get("type") == "text" and _is_blank(block.get("text"))
    ]
    if len(blank) == len(content):
        return (Flaw("empty-message", "user", 0),), ()
    media: tuple[Medium, ...] = ()
    flaws = [Flaw("blank-text", blankness(content[part]), part) for part in blank]
    if len(content) > 1 or (type(content[0]) is dict and content[0].get("type") != "text"):
        media = media_of(content)
        flaws.extend(image_flaws(media))
    return tuple(flaws), media
