"""What one message says: its halves and flaws. What ran at the provider is left alone: it needs no answer here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from condense_cli.document.records import UNKNOWN
from condense_cli.formats.messages import is_blank
from condense_cli.formats.vercel_model.detection import is_message
from condense_cli.formats.vercel_model.output import text_of
from condense_cli.model.blocks import is_placeholder, words
from condense_cli.model.messages import Call, Flaw, Message, Record, Result, Role

_ROLES = {"system": Role.SYSTEM, "user": Role.USER, "assistant": Role.ASSISTANT, "tool": Role.RESULT}


def read(record: Record, value: dict[str, Any]) -> None:
    """Read one message; extra says whether it is spelled as version 4 of the library does."""
    record.kind = words(value.get("role")) or "?"
    record.message, record.extra = None, False
    if not is_message(value):
        record.kind = UNKNOWN
        return
    content = value["content"]
    role = _ROLES[record.kind]
    if isinstance(content, str):
        empty = is_blank(content) and role is not Role.SYSTEM
        record.message = Message(record, role, flaws=(_empty(role, blank=bool(content)),) if empty else ())
        return
    record.extra = any(part["type"] in ("tool-call", "tool-result") and _is_old(part) for part in content)
    record.message = _of_parts(record, role, content)


def _is_old(part: dict[str, Any]) -> bool:
    return ("args" in part and "input" not in part) or ("result" in part and "output" not in part)


def _of_parts(record: Record, role: Role, content: list[dict[str, Any]]) -> Message:
    calls = tuple(_calls(record, content)) if role is Role.ASSISTANT else ()
    results = tuple(_results(record, content)) if role is Role.RESULT else ()
    places = {call.part for call in calls} | {result.part for result in results}
    blank = [n for n, part in enumerate(content) if part["type"] == "text" and is_blank(part.get("text"))]
    flaws = [flaw for call in calls for flaw in _argument_flaws(content[call.part], call)]
    if len(blank) < len(content):
        flaws += [Flaw("blank-text", "white" if content[n].get("text") else "empty", n) for n in blank]
    elif role is not Role.SYSTEM:
        flaws = [_empty(role, blank=bool(blank))]
    said = any(n not in places and n not in blank for n in range(len(content)))
    return Message(record, role, calls, results, said, False, tuple(flaws))


def _empty(role: Role, *, blank: bool) -> Flaw:
    return Flaw("empty-message", "user" if role is Role.USER else "blank-assistant" if blank else "empty-assistant", 0)


def is_call(part: dict[str, Any]) -> bool:
    """Say whether a part is a call that the client answers."""
    return part.get("type") == "tool-call" and part.get("providerExecuted") is not True


def _calls(record: Record, content: list[dict[str, Any]]) -> Iterator[Call]:
    done = {words(part.get("toolCallId")) for part in content if part["type"] == "tool-result"}
    for n, part in enumerate(content):
        if is_call(part) and not (done and words(part.get("toolCallId")) in done):
            yield Call(record, n, _text(part.get("toolCallId")), _text(part.get("toolName")))


def _results(record: Record, content: list[dict[str, Any]]) -> Iterator[Result]:
    for n, part in enumerate(content):
        if part["type"] == "tool-result":
            yield Result(record, n, _text(part.get("toolCallId")), is_placeholder(text_of(part)))


def _argument_flaws(part: dict[str, Any], call: Call) -> Iterator[Flaw]:
    given = part.get("input", part.get("args"))
    if not isinstance(given, dict):
        missing = "input" not in part and "args" not in part
        yield Flaw("missing-arguments" if missing else "invalid-arguments", "", call.part, "", call.id)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
