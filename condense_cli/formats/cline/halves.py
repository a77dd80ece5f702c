"""How results of a Cline session are put in, dropped and moved. A message stays wherever its place or time is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.formats.shared_results import NO_CALL, next_user, part_now, put_block
from condense_cli.jsonbytes import jsonedit, jsonspan
from condense_cli.model.blocks import ANSWER
from condense_cli.model.ids import fresh_id
from condense_cli.model.messages import Call, Record, Result
from condense_cli.model.plan import Change

if TYPE_CHECKING:
    from condense_cli.document.draft import Draft
    from condense_cli.document.records import Records

_MOVED = "[condense] The tool result that was here is with its call."


def result_block(call: Call, text: str) -> dict[str, Any]:
    """Build the result of a call as an error; Cline opens no session in which one has no name."""
    name = call.name or "unknown_tool"
    return {"type": "tool_result", "tool_use_id": call.id, "name": name, "content": text, "is_error": True}


def message(document: Records, like: Record, content: list[Any], salt: str, *, role: str = "user") -> dict[str, Any]:
    """Build a message with the keys that the client writes; its id and time derive from another one's."""
    old = document.value(like)
    made: dict[str, Any] = {"role": role, "content": content}
    if isinstance(old.get("id"), str):
        made = {"id": fresh_id(old["id"], f"{old['id']} {salt}".encode(), document.taken), **made}
    time = old.get("ts")
    return {**made, "ts": time + 1} if type(time) in (int, float) else made


def drop_result(draft: Draft, result: Result, rule: str) -> bool:
    """A message that holds nothing else says so instead; of one that holds more, the block goes."""
    record = result.record
    if len(_blocks(draft, record)) != 1:
        return False
    raw = jsonedit.replace(draft.raw(record), ("content",), [{"type": "text", "text": NO_CALL}])
    draft.rewrite(record, raw, rule, Change.REPLACE, part=result.part, call_id=result.id)
    return True


def move_block(draft: Draft, result: Result, call: Call | None, rule: str) -> bool:
    """Move the block into the message after the call, or into a new one at the end; where it was, a message stays."""
    number = draft.known.cycle_of.get(call) if call is not None else None
    if call is None or number is None or result.server:
        return True
    record, raw, part = result.record, draft.raw(result.record), part_now(draft, result)
    place = jsonspan.span(raw, ("content", part))
    anchor = draft.cycle_end(number, without=record)
    after = next_user(draft, number)
    target = after.record if after is not None and not draft.is_gone(after.record) else None
    if place is None or (target is None and anchor is not draft.last):
        return True
    block = raw[place[0] : place[1]]
    if len(_blocks(draft, record)) > 1:
        left = jsonedit.remove(raw, ("content", part))
    else:
        left = jsonedit.replace(raw, ("content",), [{"type": "text", "text": _MOVED}])
    draft.rewrite(record, left, rule, Change.MOVE, part=result.part, call_id=result.id)
    if target is not None:
        put_block(draft, target, block, rule, result.id)
        return True
    new = draft.insert(draft.format.answer(draft, call, anchor, ANSWER), anchor, rule, call_id=result.id)
    new_raw = jsonedit.replace(draft.raw(new), ("content", 0), block)
    draft.rewrite(new, new_raw, rule, Change.MOVE, call_id=result.id)
    return True


def _blocks(draft: Draft, record: Record) -> list[tuple[int, int]]:
    raw = draft.raw(record)
    place = jsonspan.span(raw, ("content",))
    return jsonspan.elements(raw, place[0]) if place is not None else []
