"""How calls and results of a Claude Code session are answered, dropped and moved."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from condense_cli.document.format import ResultPaths
from condense_cli.formats.claude_code.facts import BOUNDARY, facts
from condense_cli.formats.claude_code.made import OF_RESULTS, answer, new_record
from condense_cli.jsonbytes import jsonedit, jsonspan
from condense_cli.model.blocks import ANSWER
from condense_cli.model.messages import Call, Record, Result, Role
from condense_cli.model.plan import Change
from condense_cli.model.times import shifted

if TYPE_CHECKING:
    from condense_cli.document.editing import RepairContext


def result_paths(result: Result) -> ResultPaths:
    """A result is a block of message.content; it does not name its tool."""
    block = ("message", "content", result.part)
    return ResultPaths(block, (*block, "tool_use_id"))


def add_answer(context: RepairContext, call: Call, anchor: Record, rule: str) -> bool:
    """Answer a call where its response ends."""
    beside = any(record is call.record for record in context.view.beside)
    # A call on a side branch has its result there, as the client would write it.
    anchor = call.record if beside else anchor
    made = context.surgery.insert(answer(context.document, call, anchor, ANSWER), anchor, rule, call_id=call.id)
    _preserve(context, anchor, made, rule)
    return True


def _preserve(context: RepairContext, anchor: Record, made: Record, rule: str) -> None:
    """Let a compaction that preserved a record preserve what was put behind it."""
    boundary = next((r for r in reversed(context.view.path) if facts(r).flags & BOUNDARY), None)
    if boundary is None or boundary.gone:
        return
    document = context.document
    raw = changed = document.raw(boundary)
    base = ("compactMetadata", "preservedMessages")
    for key in ("uuids", "allUuids"):
        listed = value_at(document.value(boundary), (*base, key))
        if isinstance(listed, list) and anchor.id in listed:
            changed = jsonedit.insert(changed, (*base, key), listed.index(anchor.id) + 1, made.id)
    for last in (("compactMetadata", "preservedSegment", "tailUuid"), ("logicalParentUuid",)):
        if value_at(document.value(boundary), last) == anchor.id:
            changed = jsonedit.replace(changed, last, made.id)
    if changed != raw:
        document.rewrite(boundary, changed, rule, Change.REPARENT)


def value_at(value: Any, path: jsonspan.Path) -> Any:
    for step in path:
        if not isinstance(value, dict) or step not in value:
            return None
        value = value[step]
    return value


def drop_result(context: RepairContext, result: Result, rule: str) -> bool:
    """Take a result out of a record that says more; what the client kept for showing it goes with the last one."""
    document, record = context.document, result.record
    raw = document.raw(record)
    content = jsonspan.span(raw, ("message", "content"))
    if content is None or len(jsonspan.elements(raw, content[0])) < 2:
        return False
    document.rewrite(record, _without(raw, record, result), rule, Change.STRIP, part=result.part, call_id=result.id)
    return True


def _without(raw: bytes, record: Record, result: Result) -> bytes:
    raw = jsonedit.remove(raw, result_paths(result).whole)
    if record.message is not None and len(record.message.results) < 2:
        for key in OF_RESULTS:
            raw = jsonedit.remove(raw, (key,))
    return raw


def move_result(context: RepairContext, result: Result, anchor: Record, call: Call | None, rule: str) -> bool:
    """Move a result that is no record of its own; a plain one is left to the common way."""
    document, record = context.document, result.record
    if result.server:
        if call is not None:
            _close_ranks(context, call, result, rule)
        return True
    if any(other is record for other in context.view.beside):
        return True  # results on side branches stand at their call already
    value = document.value(record)
    content = value_at(value, ("message", "content"))
    if not isinstance(content, list) or len(content) < 2:
        return False
    time = max(facts(anchor).time, shifted(facts(call.record).time, 1) if call is not None else "")
    made = new_record(document, record, anchor, time, f"move {result.id} {result.part}", {"role": "user", "content": [content[result.part]]})
    if record.message is not None and len(record.message.results) == 1:
        made.update((key, value[key]) for key in OF_RESULTS if key in value)
    elif call is not None:
        made["sourceToolAssistantUUID"] = call.record.id
    document.rewrite(record, _without(document.raw(record), record, result), rule, Change.STRIP, part=result.part, call_id=result.id)
    inserted = context.surgery.insert(made, anchor, rule, call_id=result.id)
    _preserve(context, anchor, inserted, rule)
    return True


def _close_ranks(context: RepairContext, call: Call, result: Result, rule: str) -> None:
    """Bring the records of one response together: what stands between them goes behind the last of them, in its order."""
    surgery, document = context.surgery, context.document
    name = facts(result.record).response
    mine = [call.record]
    others: list[Record] = []
    at = surgery.next(call.record)
    while at is not None and at is not result.record:
        (mine if _is_part(at, name) else others).append(at)
        at = surgery.next(at)
    if at is None or any(r.gone for r in (*mine, *others)) or not others:
        return
    while at is not None and _is_part(at, name):
        mine.append(at)
        at = surgery.next(at)
    order = [*mine, *others]
    for above, below in itertools.pairwise(order):
        surgery.hang(below, above.id, rule)
    if at is not None and at.parent == mine[-1].id:
        surgery.hang(at, order[-1].id, rule)
    anchor = mine[-1]
    for record in others:
        anchor = document.shift(record, anchor, rule)


def _is_part(record: Record, name: str | None) -> bool:
    message = record.message
    return message is not None and message.role is Role.ASSISTANT and not message.skipped and facts(record).response == name
