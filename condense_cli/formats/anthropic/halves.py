"""How results of an array of Anthropic messages are put in, dropped and moved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.jsonbytes import jsonedit, jsonspan
from condense_cli.model.blocks import ANSWER
from condense_cli.model.messages import Call, Record, Result, Role
from condense_cli.model.plan import Change

if TYPE_CHECKING:
    from condense_cli.document.draft import Draft
    from condense_cli.document.records import Records


_NO_CALL = "[condense] A tool result stood here whose call is not in this conversation."


def _result_block(call: Call, text: str) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call.id, "content": text, "is_error": True}


def answer(document: Records, call: Call, after: Record, text: str) -> dict[str, Any]:
    """Build a user message that answers a call."""
    return {"role": "user", "content": [_result_block(call, text)]}


def add_answer(draft: Draft, call: Call, cycle: int, rule: str) -> bool:
    """Put the answer into the user message behind the call, behind the results that stand there."""
    at = draft.pairing.cycles[cycle].at
    after = draft.view.messages[at + 1] if at + 1 < len(draft.view.messages) else None
    if after is None or after.role is not Role.USER or draft.is_gone(after.record):
        return False
    put_block(
        draft,
        after.record,
        jsonedit.dump(_result_block(call, ANSWER), spaced=jsonedit.is_spaced(draft.raw(after.record))),
        rule,
        call.id,
    )
    return True


def put_block(draft: Draft, record: Record, block: bytes, rule: str, call_id: str | None) -> None:
    """Insert a result block behind the results that a user message begins with; a string content becomes a block."""
    raw = draft.raw(record)
    place = jsonspan.span(raw, ("content",))
    if place and raw[place[0] : place[0] + 1] == b'"':
        text = raw[place[0] : place[1]]
        raw = jsonedit.replace(raw, ("content",), b"[" + block + b',{"type":"text","text":' + text + b"}]")
    elif place is None or raw[place[0] : place[0] + 1] != b"[":
        raw = jsonedit.replace(raw, ("content",), b"[" + block + b"]")
    else:
        message = draft.message(record)
        results = message.results if message else ()
        first = 0
        for result in results:
            first = result.part + 1 if result.part == first else first
        raw = jsonedit.insert(raw, ("content",), first, block)
    draft.rewrite(record, raw, rule, Change.INSERT, call_id=call_id)


def drop_result(draft: Draft, result: Result, rule: str) -> bool:
    """A user message left empty at the front becomes a short note; elsewhere it goes."""
    record = result.record
    raw = draft.raw(record)
    first = draft.known.first
    place = jsonspan.span(raw, ("content",))
    alone = place is not None and len(jsonspan.elements(raw, place[0])) == 1
    if not result.server and alone and first is not None and first.record is record:
        raw = jsonedit.replace(raw, ("content",), [{"type": "text", "text": _NO_CALL}])
        draft.rewrite(record, raw, rule, Change.REPLACE, part=result.part, call_id=result.id)
        return True
    return False


def move_result(draft: Draft, result: Result, anchor: Record, call: Call | None, rule: str) -> bool:
    """Move a message that holds nothing but results of the call's turn; else move the block into the message behind
    the call.
    """
    record = result.record
    if call is None:
        return False
    if result.server:
        return True  # it belongs into the message of its call, which is the provider's
    number = draft.known.cycle_of.get(call)
    if number is None:
        return False
    cycle = draft.pairing.cycles[number]
    ids = {one.id for one in cycle.calls}
    message = draft.message(record)
    near = draft.message(anchor)
    beside_text = near is not None and near.role is Role.USER and near.said
    if message is not None and not message.said and not beside_text and all(r.id in ids for r in message.results):
        if not draft.is_gone(record):
            draft.move(record, anchor, rule, call_id=result.id)
        return True
    raw = draft.raw(record)
    place = jsonspan.span(raw, ("content", result.part))
    if place is None:
        return False
    block = raw[place[0] : place[1]]
    target = draft.view.messages[cycle.at + 1] if cycle.at + 1 < len(draft.view.messages) else None
    left = jsonedit.remove(raw, ("content", result.part))
    if jsonspan.elements(left, (jsonspan.span(left, ("content",)) or (0, 0))[0]):
        draft.rewrite(record, left, rule, Change.MOVE, part=result.part, call_id=result.id)
    else:
        draft.drop(record, rule, part=result.part, call_id=result.id)
    if target is not None and target.role is Role.USER and not draft.is_gone(target.record):
        put_block(draft, target.record, block, rule, result.id)
    else:
        new = draft.insert({"role": "user", "content": []}, anchor, rule, call_id=result.id)
        draft.rewrite(
            new, jsonedit.insert(draft.raw(new), ("content",), 0, block), rule, Change.MOVE, call_id=result.id
        )
    return True
