"""How calls and results of a message are answered, dropped and renamed; a changed line is appended again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.formats.gemini import turns
from condense_cli.formats.gemini.places import paths_of
from condense_cli.formats.gemini.threads import listed
from condense_cli.formats.gemini.writing import depth_of, of_one_message, put, raw_message, with_result
from condense_cli.jsonbytes import jsonedit, jsonspan
from condense_cli.model.blocks import ANSWER, USER_NOTE
from condense_cli.model.ids import fresh_id
from condense_cli.model.messages import Call, Record, Result, TurnResult
from condense_cli.model.plan import Change

if TYPE_CHECKING:
    from condense_cli.document.draft import Draft
    from condense_cli.document.records import Records
    from condense_cli.jsonbytes.jsonspan import Path
    from condense_cli.model.findings import Finding

_LISTS: dict[str, Path] = {"$set": ("$set", "messages"), "session": ("messages",)}


def answer(document: Records, call: Call, after: Record, text: str) -> dict[str, Any]:
    """Build the response that takes the place of a result; `add_answer` puts it where it belongs."""
    named = {"id": call.id} if call.id else {}
    return {"functionResponse": {**named, "name": call.name or "unknown_tool", "response": {"error": text}}}


def user_note(document: Records, before: Record, text: str) -> dict[str, Any]:
    """Build a user message before another one, with an id that derives from it."""
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
    """Put a user note before the line, or into the list, that decides where the first message is."""
    first = next((one for one in listed(draft) if one.message is not None and one.record is finding.record), None)
    listed_in = _LISTS.get(first.origin.kind) if first is not None and first.origin is not None else None
    if first is None or first.origin is None or (first.origin is finding.record and listed_in is None):
        return False
    value = user_note(draft, finding.record, USER_NOTE)
    if listed_in is not None:
        raw = jsonedit.insert(draft.raw(first.origin), listed_in, first.nth, value)
        draft.rewrite(first.origin, raw, finding.rule, Change.INSERT)
    else:
        draft.insert_before(value, first.origin, finding.rule)
    return True


def add_answer(draft: Draft, call: Call, rule: str) -> bool:
    """Write a marked error into each tool call of the message that lacks a result; of a line the message is appended
    again.
    """
    mine = of_one_message(draft, call, rule)
    if call is mine[-1]:
        raw = raw_message(draft, call)
        for one in mine:
            raw = with_result(raw, one, answer(draft, one, call.record, ANSWER), failed=True)
        put(draft, mine, raw, rule)
    return True


def drop_call(draft: Draft, call: Call, rule: str) -> bool:
    """Take tool calls out of their message, with what the content says of them."""
    mine = sorted(of_one_message(draft, call, rule), key=lambda one: -one.part)
    if call is mine[-1]:
        raw = raw_message(draft, call)
        for one in mine:
            for path in dict.fromkeys(paths_of(one.family)):
                if path:
                    raw = jsonedit.remove(raw, path[depth_of(path) :])
        put(draft, mine, raw, rule)
    return True


def drop_result(draft: Draft, result: Result, rule: str) -> bool:
    """Take a result out of its tool call, or out of the turn of its own."""
    if isinstance(result, TurnResult):
        turns.drop(draft, result, rule)
        return True
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


def move_result(result: Result, draft: Draft, rule: str) -> bool:
    """Move a result in a turn of its own into the tool call that it answers; those in tool calls are in place."""
    if isinstance(result, TurnResult):
        turns.move(draft, result, rule)
    return True


def follow_rename(draft: Draft, call: Call, result: Result | None, new: str, rule: str) -> None:
    """Let the response repeat the new id of its call."""
    if result is None or isinstance(result, TurnResult):
        return
    path = (*paths_of(result.family)[1], "result", 0, "functionResponse", "id")
    raw = draft.raw(result.record)
    if jsonspan.span(raw, path):
        draft.rewrite(
            result.record, jsonedit.replace(raw, path, new), rule, Change.REPLACE, part=result.part, call_id=result.id
        )
