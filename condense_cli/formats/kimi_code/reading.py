"""What one record of a Kimi Code session says: a message, or an event of a step. Steps are put together in threads."""

from __future__ import annotations

from typing import Any, NamedTuple

from condense_cli.formats.kimi_code.detection import LOOP, MESSAGE
from condense_cli.formats.media import image_flaws, media_of
from condense_cli.model.blocks import is_placeholder, words
from condense_cli.model.messages import Call, Flaw, Message, Record, Result, Role

COMPACTION = "context.apply_compaction"
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "tool": Role.RESULT, "system": Role.SYSTEM}
_UNFINISHED = ("interrupted", "error")  # reasons of a step's end after which the client goes on to wait for results


class Event(NamedTuple):
    """An event of a step: its kind, the step's id ("" where it names none), and whether it ends the step."""

    kind: str
    step: str = ""
    ends: bool = False


class Compacted(NamedTuple):
    """What a compaction keeps: so many of the user's last messages, or all after so many messages."""

    users: int | None
    gone: int


def read(record: Record, value: dict[str, Any]) -> None:
    """Set kind, id, message and the event of one record; only records of the context are replayed."""
    kind = value.get("type")
    record.kind = kind if type(kind) is str and kind else "?"
    record.id = record.parent = record.message = record.extra = None
    if record.kind == MESSAGE and isinstance(value.get("message"), dict):
        _message(record, value["message"])
    elif record.kind == LOOP and isinstance(value.get("event"), dict):
        _event(record, value["event"])
    elif record.kind == COMPACTION:
        users = value.get("keptUserMessageCount")
        gone = value.get("compactedCount", value.get("count"))
        record.extra = Compacted(users if type(users) is int else None, gone if type(gone) is int else 0)
        record.message = Message(record, Role.SUMMARY)
    elif record.kind == "context.undo":
        count = value.get("count")
        record.extra = count if type(count) is int and count > 0 else 0


def _message(record: Record, message: dict[str, Any]) -> None:
    record.id = text_of(message.get("id")) or None
    role = _ROLES.get(message["role"]) if type(message.get("role")) is str else None
    if role is None:
        return
    content = message.get("content")
    if role is Role.RESULT:
        made_up = is_placeholder(shown(content))
        record.message = Message(
            record, role, (), (Result(record, 0, text_of(message.get("toolCallId")), made_up),), False
        )
        return
    asked = message.get("toolCalls")
    calls = tuple(
        Call(record, n, text_of(call.get("id")), text_of(call.get("name")))
        for n, call in enumerate(asked if isinstance(asked, list) else ())
        if isinstance(call, dict)
    )
    media = media_of(content)
    said = bool(media) or bool(shown(content).strip())
    flaws = list(image_flaws(media))
    if role is Role.USER and not said:
        flaws.append(Flaw("empty-message", "user", 0))
    record.message = Message(record, role, calls, (), said or not calls, flaws=tuple(flaws), media=media)


def _event(record: Record, event: dict[str, Any]) -> None:
    kind = event.get("type")
    kind = kind if type(kind) is str else ""
    step = text_of(event.get("uuid" if kind in ("step.begin", "step.end") else "stepUuid")) or ""
    ends = kind == "step.end" and event.get("finishReason") not in _UNFINISHED
    record.extra = Event(kind, step, ends)
    if kind != "step.end":
        record.id = text_of(event.get("uuid")) or None
    if kind == "content.part":
        part = event.get("part")
        said = part_says(part)
        record.message = Message(record, Role.ASSISTANT, said=said, media=media_of([part]))
    elif kind == "tool.call":
        call = Call(record, 0, text_of(event.get("toolCallId")), text_of(event.get("name")))
        flaws: tuple[Flaw, ...] = ()
        if not isinstance(event.get("args"), dict):
            flaws = (Flaw("invalid-arguments" if "args" in event else "missing-arguments", "", 0, "", call.id),)
        record.message = Message(record, Role.ASSISTANT, (call,), said=False, flaws=flaws)
    elif kind == "tool.result":
        result = Result(record, 0, text_of(event.get("toolCallId")), is_placeholder(shown(output_of(event))))
        record.message = Message(record, Role.RESULT, (), (result,), said=False, media=media_of(output_of(event)))


def part_says(part: Any) -> bool:
    """Say whether a part of an answer says anything: the client leaves a step out that does not."""
    if not isinstance(part, dict):
        return False
    if part.get("type") == "think":
        return part.get("encrypted") is not None or bool(words(part.get("think")).strip())
    return part.get("type") != "text" or bool(words(part.get("text")).strip())


def output_of(event: dict[str, Any]) -> Any:
    """Return the output of a finished call: a text, or parts."""
    result = event.get("result")
    return result.get("output") if isinstance(result, dict) else None


def shown(content: Any) -> str:
    """Return the texts of a content, line by line."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else ()
    return "\n".join(words(part.get("text")) for part in parts if isinstance(part, dict) and "text" in part)


def text_of(value: Any) -> str | None:
    """Return a text, or None."""
    return value if type(value) is str else None
