"""How results of an array of Anthropic messages are put in, dropped and moved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.jsonbytes import jsonedit, jsonspan
from condense_cli.model.blocks import ANSWER
from condense_cli.model.messages import Call, Record, Result, Role
from condense_cli.model.plan import Change

if TYPE_CHECKING:
    from condense_cli.document.editing import Editable, RepairContext
    from condense_cli.document.records import Records


_NO_CALL = "[condense] A tool result stood here whose call is not in this conversation."


def _result_block(call: Call, text: str) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call.id, "content": text, "is_error": True}


def answer(document: Records, call: Call, after: Record, text: str) -> dict[str, Any]:
    """Build a user message that answers a call."""
    return {"role": "user", "content": [_result_block(call, text)]}


def add_answer(context: RepairContext, call: Call, cycle: int, rule: str) -> bool:
    """Put the answer into the user message behind the call, behind the results that stand there."""
    document = context.document
    at = context.pairing.cycles[cycle].at
    after = context.view.messages[at + 1] if at + 1 < len(context.view.messages) else None
    if after is None or after.role is not Role.USER or after.record.gone:
        return False
    put_block(document, after.record, jsonedit.dump(_result_block(call, ANSWER), spaced=jsonedit.is_spaced(document.raw(after.record))), rule, call.id)
    return True


def put_block(document: Editable, record: Record, block: bytes, rule: str, call_id: str | None) -> None:
    """Insert a result block behind the results that a user message begins with; a string content becomes a block."""
    raw = document.raw(record)
    place = jsonspan.span(raw, ("content",))
    if place and raw[place[0] : place[0] + 1] == b'"':
        text = raw[place[0] : place[1]]
        raw = jsonedit.replace(raw, ("content",), b"[" + block + b',{"type":"text","text":' + text + b"}]")
    elif place is None or raw[place[0] : place[0] + 1] != b"[":
        raw = jsonedit.replace(raw, ("content",), b"[" + block + b"]")
    else:
        results = record.message.results if record.message else ()
        first = 0
        for result in results:
            first = result.part + 1 if result.part == first else first
        raw = jsonedit.insert(raw, ("content",), first, block)
    document.rewrite(record, raw, rule, Change.INSERT, call_id=call_id)


def drop_result(context: RepairContext, result: Result, rule: str) -> bool:
    """A user message left empty at the front becomes a short note; elsewhere it goes."""
    document, record = context.document, result.record
    raw = document.raw(record)
    first = next((m for m in context.view.messages if m.role is not Role.SYSTEM), None)
    place = jsonspan.span(raw, ("content",))
    alone = place is not None and len(jsonspan.elements(raw, place[0])) == 1
    if not result.server and alone and first is not None and first.record is record:
        raw = jsonedit.replace(raw, ("content",), [{"type": "text", "text": _NO_CALL}])
        document.rewrite(record, raw, rule, Change.REPLACE, part=result.part, call_id=result.id)
        return True
    return False


def move_result(context: RepairContext, result: Result, anchor: Record, call: Call | None, rule: str) -> bool:
    """Move a message that holds nothing but results of the call's turn; else move the block into the message behind the call."""
    document, record = context.document, result.record
    if call is None:
        return False
    if result.server:
        return True  # it belongs into the message of its call, which is the provider's
    cycle = next((c for c in context.pairing.cycles if any(one is call for one in c.calls)), None)
    if cycle is None:
        return False
    ids = {one.id for one in cycle.calls}
    message = record.message
    beside_text = anchor.message is not None and anchor.message.role is Role.USER and anchor.message.said
    if message is not None and not message.said and not beside_text and all(r.id in ids for r in message.results):
        if not record.gone:
            context.surgery.move(record, anchor, rule, call_id=result.id)
        return True
    raw = document.raw(record)
    place = jsonspan.span(raw, ("content", result.part))
    if place is None:
        return False
    block = raw[place[0] : place[1]]
    target = context.view.messages[cycle.at + 1] if cycle.at + 1 < len(context.view.messages) else None
    left = jsonedit.remove(raw, ("content", result.part))
    if jsonspan.elements(left, (jsonspan.span(left, ("content",)) or (0, 0))[0]):
        document.rewrite(record, left, rule, Change.MOVE, part=result.part, call_id=result.id)
    else:
        context.surgery.drop(record, rule, part=result.part, call_id=result.id)
    if target is not None and target.role is Role.USER and not target.record.gone:
        put_block(document, target.record, block, rule, result.id)
    else:
        new = context.surgery.insert({"role": "user", "content": []}, anchor, rule, call_id=result.id)
        document.rewrite(new, jsonedit.insert(document.raw(new), ("content",), 0, block), rule, Change.MOVE, call_id=result.id)
    return True
