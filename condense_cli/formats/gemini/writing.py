"""How a changed message is written: of a line it is appended again, elsewhere it is changed where it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.document.records import Shape
from condense_cli.formats.gemini.places import paths_of
from condense_cli.jsonbytes import jsonedit, jsonread, jsonspan
from condense_cli.model.plan import Change

if TYPE_CHECKING:
    from condense_cli.document.draft import Draft
    from condense_cli.document.records import Records
    from condense_cli.jsonbytes.jsonspan import Path
    from condense_cli.model.messages import Call, Record

_IN_LISTS = {"$set": 3, "messages": 2}  # by how a path to a message in a list begins: its length


def depth_of(place: Path) -> int:
    """Return how many steps of a path lead to the message that it goes into."""
    return _IN_LISTS.get(str(place[0]), 0) if place else 0


def message_place(call: Call) -> Path:
    """Return where the message of a call is in its record."""
    place = paths_of(call.family)[0]
    return place[: depth_of(place)]


def of_one_message(draft: Draft, call: Call, rule: str) -> list[Call]:
    """Return the calls of the same message that this rule is to repair: they are repaired at once."""
    place = message_place(call)
    mine = draft.known.faults_of_calls.get((rule, call.record), ())
    return [fault.call for fault in mine if fault.call is not None and message_place(fault.call) == place]


def raw_message(document: Records, call: Call) -> bytes:
    """Return the bytes of the message that a call is in, without a line ending."""
    raw = document.raw(call.record).strip()
    place = jsonspan.span(raw, message_place(call))
    assert place is not None
    return raw[place[0] : place[1]]


def with_result(raw: bytes, call: Call, response: bytes | dict[str, Any], *, failed: bool) -> bytes:
    """Put a response into the tool call that goes with a call; where the content alone has the call, one is added."""
    _, tool = paths_of(call.family)
    data = response if isinstance(response, bytes) else jsonedit.dump(response, spaced=jsonedit.is_spaced(raw))
    if tool:
        return jsonedit.replace(raw, (*tool[depth_of(tool) :], "result"), b"[" + data + b"]")
    asked = {key: value for key, value in (("id", call.id), ("name", call.name or "unknown_tool")) if value}
    made = jsonedit.dump({**asked, "args": {}, "status": "error" if failed else "success"})
    made = jsonedit.replace(made, ("result",), b"[" + data + b"]")
    if jsonspan.span(raw, ("toolCalls",)):
        return jsonedit.insert(raw, ("toolCalls",), 1 << 30, made)
    return jsonedit.replace(raw, ("toolCalls",), b"[" + made + b"]")


def put(draft: Draft, calls: list[Call], message: bytes, rule: str) -> None:
    """Write a changed message: as a new line with the same id, which takes its place, or where it is."""
    record = calls[0].record
    value = jsonread.loads(message)
    if draft.shape is Shape.LINES and record.end and isinstance(value.get("id"), str):
        last = draft.records[-1]
        draft.insert_line(value, message + draft.newline, last)
        for call in calls:
            draft.inserted(rule, record, last, part=call.part, call_id=call.id, detail="the message is appended again")
        return
    raw = draft.raw(record)
    place = jsonspan.span(raw, message_place(calls[0]), jsonspan.space_end(raw, 0))
    assert place is not None
    for call in calls[1:]:
        draft.note(Change.REPLACE, rule, record, part=call.part, call_id=call.id)
    draft.rewrite(
        record,
        raw[: place[0]] + message + raw[place[1] :],
        rule,
        Change.REPLACE,
        part=calls[0].part,
        call_id=calls[0].id,
    )


def without_elements(record: Record, raw: bytes, path: Path, gone: dict[int, bytes | None]) -> bytes:
    """Take elements of an array out, or put others in their place, all at once: number from 0 -> bytes or None."""
    outer = jsonspan.span(raw, path)
    spans = jsonspan.elements(raw, outer[0]) if outer else []
    if not spans:
        raise ValueError(f"no array in the record of line {record.line}")
    out = [raw[: spans[0][0]]]
    for n, (start, end) in enumerate(spans):
        data = gone.get(n, raw[start:end])
        if data is not None:
            out.append((raw[spans[n - 1][1] : start] if len(out) > 1 else b"") + data)
    return b"".join((*out, raw[spans[-1][1] :]))
