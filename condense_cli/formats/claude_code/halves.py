"""How calls and results of a Claude Code session are answered, dropped and moved."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from condense_cli.document.views import ResultPaths
from condense_cli.formats.claude_code.facts import facts
from condense_cli.formats.claude_code.made import OF_RESULTS, answer, new_record
from condense_cli.jsonbytes import jsonedit, jsonspan
from condense_cli.model.blocks import ANSWER
from condense_cli.model.messages import Call, Record, Result, Role
from condense_cli.model.plan import Change
from condense_cli.model.times import shifted

if TYPE_CHECKING:
    from condense_cli.document.draft import Draft


def result_paths(result: Result) -> ResultPaths:
    """A result is a block of message.content; it does not name its tool."""
    block = ("message", "content", result.part)
    return ResultPaths(block, (*block, "tool_use_id"))


def add_answer(draft: Draft, call: Call, anchor: Record, rule: str) -> bool:
    """Answer a call where its response ends."""
    beside = call.record in draft.known.beside
    # A call on a side branch has its result there, as the client would write it.
    anchor = call.record if beside else anchor
    made = draft.insert(answer(draft, call, anchor, ANSWER), anchor, rule, call_id=call.id)
    _preserve(draft, anchor, made, rule)
    return True


def _preserve(draft: Draft, anchor: Record, made: Record, rule: str) -> None:
    """Let a compaction that preserved a record preserve what was put after it."""
    boundary = draft.known.boundary
    if boundary is None or draft.is_gone(boundary):
        return
    raw = changed = draft.raw(boundary)
    base = ("compactMetadata", "preservedMessages")
    for key in ("uuids", "allUuids"):
        listed = value_at(draft.value(boundary), (*base, key))
        if isinstance(listed, list) and anchor.id in listed:
            changed = jsonedit.insert(changed, (*base, key), listed.index(anchor.id) + 1, made.id)
    for last in (("compactMetadata", "preservedSegment", "tailUuid"), ("logicalParentUuid",)):
        if value_at(draft.value(boundary), last) == anchor.id:
            changed = jsonedit.replace(changed, last, made.id)
    if changed != raw:
        draft.rewrite(boundary, changed, rule, Change.REPARENT)


def value_at(value: Any, path: jsonspan.Path) -> Any:
    """Return what is at a path of objects, or None."""
    for step in path:
        if not isinstance(value, dict) or step not in value:
            return None
        value = value[step]
    return value


def drop_result(draft: Draft, result: Result, rule: str) -> bool:
    """Take a result out of a record that says more; what the client kept for showing it goes with the last one."""
    record = result.record
    raw = draft.raw(record)
    content = jsonspan.span(raw, ("message", "content"))
    if content is None or len(jsonspan.elements(raw, content[0])) < 2:
        return False
    draft.rewrite(
        record, _without(raw, draft.now(record), result), rule, Change.STRIP, part=result.part, call_id=result.id
    )
    return True


def _without(raw: bytes, record: Record, result: Result) -> bytes:
    raw = jsonedit.remove(raw, result_paths(result).whole)
    if record.message is not None and len(record.message.results) < 2:
        for key in OF_RESULTS:
            raw = jsonedit.remove(raw, (key,))
    return raw


def move_result(draft: Draft, result: Result, anchor: Record, call: Call | None, rule: str) -> bool:
    """Move a result that is no record of its own; a plain one is left to the common way."""
    record = result.record
    if result.server:
        if call is not None and facts(record).response == facts(call.record).response:
            _close_ranks(draft, call, result, rule)
        elif call is not None:
            _join_response(draft, call, result, rule)
        return True
    if record in draft.known.beside:
        return True  # results on side branches stand at their call already
    value = draft.value(record)
    content = value_at(value, ("message", "content"))
    if not isinstance(content, list) or len(content) < 2:
        return False
    time = max(facts(anchor).time, shifted(facts(call.record).time, 1) if call is not None else "")
    made = new_record(
        draft,
        record,
        anchor,
        time,
        f"move {result.id} {result.part}",
        {"role": "user", "content": [content[result.part]]},
    )
    message = draft.message(record)
    if message is not None and len(message.results) == 1:
        made.update((key, value[key]) for key in OF_RESULTS if key in value)
    elif call is not None:
        made["sourceToolAssistantUUID"] = call.record.id
    draft.rewrite(
        record,
        _without(draft.raw(record), draft.now(record), result),
        rule,
        Change.STRIP,
        part=result.part,
        call_id=result.id,
    )
    inserted = draft.insert(made, anchor, rule, call_id=result.id)
    _preserve(draft, anchor, inserted, rule)
    return True


def _join_response(draft: Draft, call: Call, result: Result, rule: str) -> None:
    """Put the result of a server-side tool after its call, into the same response: the client drops it from another
    one.
    """
    record, response = result.record, facts(call.record).response
    value = draft.value(record)
    content = value_at(value, ("message", "content"))
    if response is None or not isinstance(content, list):
        return
    if len(content) == 1:
        moved = draft.move(record, call.record, rule, call_id=result.id)
        draft.rewrite(moved, jsonedit.replace(draft.raw(moved), ("message", "id"), response), rule, call_id=result.id)
        return
    message = {**value["message"], "id": response, "content": [content[result.part]]}
    made = new_record(
        draft, record, call.record, value.get("timestamp", ""), f"move {result.id} {result.part}", message
    )
    made["type"] = "assistant"
    draft.rewrite(
        record,
        _without(draft.raw(record), draft.now(record), result),
        rule,
        Change.STRIP,
        part=result.part,
        call_id=result.id,
    )
    draft.insert(made, call.record, rule, call_id=result.id)


def _close_ranks(draft: Draft, call: Call, result: Result, rule: str) -> None:
    """Bring the records of one response together: what is between them goes after the last of them, in its
    order.
    """
    name = facts(result.record).response
    mine = [call.record]
    others: list[Record] = []
    at = draft.next(call.record)
    while at is not None and at is not result.record:
        (mine if _is_part(at, name) else others).append(at)
        at = draft.next(at)
    if at is None or any(draft.is_gone(r) for r in (*mine, *others)) or not others:
        return
    while at is not None and _is_part(at, name):
        mine.append(at)
        at = draft.next(at)
    order = [*mine, *others]
    for above, below in itertools.pairwise(order):
        draft.reparent(below, above.id, rule)
    if at is not None and draft.now(at).parent == mine[-1].id:
        draft.reparent(at, order[-1].id, rule)
    anchor = mine[-1]
    for record in others:
        anchor = draft.shift(record, anchor, rule)


def _is_part(record: Record, name: str | None) -> bool:
    message = record.message
    return (
        message is not None
        and message.role is Role.ASSISTANT
        and not message.skipped
        and facts(record).response == name
    )
