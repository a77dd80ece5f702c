"""Outputs as they are in the transcript, in every format: each result with the call that it answers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.jsonbytes import jsonread, jsonspan
from condense_cli.jsonbytes.javascript import UNDEFINED, is_number, milliseconds
from condense_cli.model.messages import Role, TurnResult
from condense_cli.recall.output import Output
from condense_cli.recall.pictures import picture_blocks

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from condense_cli.model.messages import Call, Message, Record, Result
    from condense_cli.session.opened import Session

_RESPONSES = ("functionResponse", "function_response")  # Gemini's result, as its clients spell it
_TEXT_KEYS = (
    "parts", "text", "content", "output", "result", *_RESPONSES, "response", "error", "errorText", "json", "value",
)  # fmt: skip
_FAILED = ("is_error", "isError")


class Occurrence(NamedTuple):
    """One result, the call before it (None: there is none), and the number of the turn that called, from 0."""

    result: Result
    call: Call | None
    turn: int


def occurrences(records: Iterable[Record]) -> list[Occurrence]:
    """Return the results of a thread in its order. A result belongs to the nearest message before it that
    called its id; of several such calls in one message, results claim theirs in order."""
    asked: dict[tuple[str, str], list[tuple[Call, int]]] = {}
    latest: dict[str | None, tuple[Call, int]] = {}  # a result in a turn of its own does not know the place of its call
    found: list[Occurrence] = []
    turn = -1
    for record in records:
        message = record.message
        if message is None:
            continue
        turn += message.role is Role.ASSISTANT
        if message.role is Role.SUMMARY and (message.calls or message.results):
            message = _news(message, asked, found)
        # A server-side result comes after its call in one message, so calls come first.
        for call in message.calls:
            if call.id is not None:
                same = asked.get((call.family, call.id), [])
                beside = [one for one in same if one[0].record is record]
                asked[call.family, call.id] = [*beside, (call, max(turn, 0))]
                latest[call.id] = (call, max(turn, 0))
        for result in message.results:
            waiting = asked.get((result.family, result.id)) if result.id is not None else None
            if waiting is None and isinstance(result, TurnResult) and result.id in latest:
                found.append(Occurrence(result, *latest[result.id]))
            elif waiting is None:
                found.append(Occurrence(result, None, max(turn, 0)))
            else:
                found.append(Occurrence(result, *(waiting.pop(0) if len(waiting) > 1 else waiting[0])))
    return found


def _news(message: Message, asked: Container[tuple[str, str | None]], found: Iterable[Occurrence]) -> Message:
    """Leave out what a compaction only repeats of the thread before it."""
    known = {(occurrence.result.family, occurrence.result.id) for occurrence in found}
    calls = tuple(call for call in message.calls if (call.family, call.id) not in asked)
    return replace(message, calls=calls, results=tuple(r for r in message.results if (r.family, r.id) not in known))


def output_of(session: Session, occurrence: Occurrence) -> Output:
    """Load one output from the file."""
    result, call, turn = occurrence
    value = _loaded(session, result.record)
    whole = _at(value, session.format.result_paths(result).whole)
    inner = _message(whole)
    name = call.name if call is not None else inner.get("toolName", inner.get("name", UNDEFINED))
    return Output(
        "transcript",
        result.id,
        UNDEFINED if name is None else name,
        _arguments(session, call),
        any(inner.get(key) is True for key in _FAILED) or inner.get("status") in ("error", "failed"),
        turn,
        _time(value, inner),
        result.record.line,
        text_of(inner),
        images=tuple(picture_blocks(inner)),
    )


def _loaded(session: Session, record: Record) -> Any:
    return session.load(record)


def _at(value: Any, path: jsonspan.Path) -> Any:
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return {}
    return value


def _message(whole: Any) -> dict[str, Any]:
    for key in ("message", "payload", "data", "toolResult"):
        if isinstance(whole, dict) and isinstance(whole.get(key), dict):
            whole = whole[key]
    return whole if isinstance(whole, dict) else {"content": whole}


def _arguments(session: Session, call: Call | None) -> Any:
    if call is None:
        return UNDEFINED
    arguments = _at(_loaded(session, call.record), session.format.call_paths(call).arguments)
    if isinstance(arguments, str):
        parsed = jsonread.parse(arguments.encode("utf-8", "surrogatepass"))
        return arguments if parsed is None else parsed.value
    return arguments


def _time(value: Any, inner: dict[str, Any]) -> Any:
    for place in (inner, value if isinstance(value, dict) else {}):
        time = place.get("timestamp")
        if isinstance(time, str):
            time = milliseconds(time)
        if is_number(time) and time == time:  # noqa: PLR0124 - not NaN
            return time
    return UNDEFINED


def text_of(value: Any) -> str:
    """Return the text of an output: strings as they are, text blocks joined by newlines, other blocks left out."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(text_of(block) for block in value if _has_text(block))
    if isinstance(value, dict):
        for key in _TEXT_KEYS:
            inside = value.get(key)
            if isinstance(inside, (str, list, dict)):
                return text_of(inside)
        from condense_cli.jsonbytes.javascript import stringify

        return "" if not value or "type" in value or "role" in value else stringify(value).decode()
    return ""


def _has_text(block: Any) -> bool:
    if not isinstance(block, dict):
        return isinstance(block, str)
    held = any(isinstance(block.get(key), (str, list)) for key in ("text", "content", "result"))
    return held or any(key in block for key in (*_RESPONSES, "json"))
