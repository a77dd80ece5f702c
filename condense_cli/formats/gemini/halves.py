"""How calls and results of a message are answered, dropped and renamed; a changed line is appended again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.document.records import Shape
from condense_cli.formats.gemini.places import paths_of
from condense_cli.formats.gemini.threads import listed
from condense_cli.jsonbytes import jsonedit, jsonread, jsonspan
from condense_cli.model.blocks import ANSWER, USER_NOTE
from condense_cli.model.ids import fresh_id
from condense_cli.model.messages import Call, Record, Result
from condense_cli.model.plan import Change

if TYPE_CHECKING:
    from condense_cli.document.draft import Draft
    from condense_cli.document.records import Records
    from condense_cli.jsonbytes.jsonspan import Path
    from condense_cli.model.findings import Finding


def answer(document: Records, call: Call, after: Record, text: str) -> dict[str, Any]:
    """Build the response that stands in for a result; `add_answer` puts it where it belongs."""
    named = {"id": call.id} if call.id else {}
    return {"functionResponse": {**named, "name": call.name or "unknown_tool", "response": {"error": text}}}


def user_note(document: Records, before: Record, text: str) -> dict[str, Any]:
    """Build a user message in front of another one, with an id that derives from it."""
    old = document.value(before)
    taken = document.taken
    ident = fresh_id(before.id or "note", f"note {before.id}".encode(), taken)
    return {
        "id": ident,
        "timestamp": old.get("timestamp", "1970-01-01T00:00:00.000Z"),
        "type": "user",
        "content": [{"text": text}],
    }


def add_first_user(draft: Draft, finding: Finding) -> bool:
    """Put a user note in front of the line, or into the list, that decides where the first message stands."""
    first = next((one for one in listed(draft) if one.message is not None and one.record is finding.record), None)
    if first is None or first.origin is None or (first.origin is finding.record and first.origin.kind != "$set"):
        return False
    value = user_note(draft, finding.record, USER_NOTE)
    if first.origin.kind == "$set":
        raw = jsonedit.insert(draft.raw(first.origin), ("$set", "messages"), first.nth, value)
        draft.rewrite(first.origin, raw, finding.rule, Change.INSERT)
    else:
        draft.insert_before(value, first.origin, finding.rule)
    return True


def add_answer(draft: Draft, call: Call, cycle: int, rule: str) -> bool:
    """Write a marked error into each tool call of the message that lacks a result; of a line the message is appended
    again.
    """
    mine = _of_one_message(draft, call, rule)
    if call is mine[-1]:
        raw = _raw(draft, call)
        for one in mine:
            raw = _answered(raw, one, answer(draft, one, call.record, ANSWER), _depth(one))
        _put(draft, mine, raw, rule)
    return True


def _answered(raw: bytes, call: Call, response: dict[str, Any], depth: int) -> bytes:
    _, tool = paths_of(call.family)
    if tool:
        return jsonedit.replace(raw, (*tool[depth:], "result"), [response])
    # The call stands in the content only: the tool call that goes with it is added.
    asked = {key: value for key, value in (("id", call.id), ("name", call.name or "unknown_tool")) if value}
    made = {**asked, "args": {}, "status": "error", "result": [response]}
    if jsonspan.span(raw, ("toolCalls",)):
        return jsonedit.insert(raw, ("toolCalls",), 1 << 30, made)
    return jsonedit.replace(raw, ("toolCalls",), [made])


def drop_call(draft: Draft, call: Call, rule: str) -> bool:
    """Take tool calls out of their message, with what the content says of them."""
    mine = sorted(_of_one_message(draft, call, rule), key=lambda one: -one.part)
    if call is mine[-1]:
        raw = _raw(draft, call)
        for one in mine:
            for path in dict.fromkeys(paths_of(one.family)):
                if path:
                    raw = jsonedit.remove(raw, path[_depth(one) :])
        _put(draft, mine, raw, rule)
    return True


def drop_result(draft: Draft, result: Result, rule: str) -> bool:
    """Take the result of a tool call that no call in the content goes with."""
    _, tool = paths_of(result.family)
    record = result.record
    draft.rewrite(
        record,
        jsonedit.remove(draft.raw(record), (*tool, "result")),
        rule,
        Change.STRIP,
        part=result.part,
        call_id=result.id,
    )
    return True


def follow_rename(draft: Draft, call: Call, result: Result | None, new: str, rule: str) -> None:
    """Let the response repeat the new id of its call."""
    if result is None:
        return
    path = (*paths_of(result.family)[1], "result", 0, "functionResponse", "id")
    raw = draft.raw(result.record)
    if jsonspan.span(raw, path):
        draft.rewrite(
            result.record, jsonedit.replace(raw, path, new), rule, Change.REPLACE, part=result.part, call_id=result.id
        )


def _of_one_message(draft: Draft, call: Call, rule: str) -> list[Call]:
    """Return the calls of the same message that this rule is to mend: they are mended at once, with the last of
    them.
    """
    place = _place(call)
    mine = draft.known.faults_of_calls.get((rule, call.record), ())
    return [fault.call for fault in mine if fault.call is not None and _place(fault.call) == place]


def _place(call: Call) -> Path:
    return paths_of(call.family)[0][: _depth(call)]


def _depth(call: Call) -> int:
    return 3 if call.family.startswith("$set/") else 0


def _raw(document: Records, call: Call) -> bytes:
    """Return the bytes of the message that a call stands in, without a line ending."""
    raw = document.raw(call.record).strip()
    place = jsonspan.span(raw, _place(call))
    assert place is not None
    return raw[place[0] : place[1]]


def _put(draft: Draft, calls: list[Call], message: bytes, rule: str) -> None:
    """Write a changed message: as a new line with the same id, which takes its place, or where it stands."""
    record = calls[0].record
    value = jsonread.loads(message)
    if draft.shape is Shape.LINES and record.end and isinstance(value.get("id"), str):
        last = draft.records[-1]
        draft.insert_line(value, message + draft.newline, last)
        for call in calls:
            draft.inserted(rule, record, last, part=call.part, call_id=call.id, detail="the message is appended again")
        return
    raw = draft.raw(record)
    place = jsonspan.span(raw, _place(calls[0]), jsonspan.space_end(raw, 0))
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
