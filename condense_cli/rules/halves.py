"""Dropping and moving the halves of a tool use: what the fixes of several rules share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.jsonbytes import jsonedit, jsonspan
from condense_cli.model.plan import Change

if TYPE_CHECKING:
    from collections.abc import Iterable

    from condense_cli.document.draft import Draft
    from condense_cli.model.messages import Call, Record, Result
    from condense_cli.pairing.pair import Fault


def last_part_first(faults: Iterable[Fault], *, of_calls: bool = False) -> list[Fault]:
    """Order faults so that taking a block out leaves the places of those still to come."""

    def part(fault: Fault) -> int:
        half = fault.call if of_calls else fault.result
        return half.part if half is not None else 0

    return sorted(faults, key=part, reverse=True)


def drop_result(draft: Draft, result: Result, rule: str) -> None:
    """Take one result out: the record, or its block where the record holds more."""
    record = result.record
    if draft.is_gone(record) or draft.format.drop_result(draft, result, rule):
        return
    paths = draft.format.result_paths(result)
    if paths.whole:
        raw = draft.raw(record)
        place = jsonspan.span(raw, paths.whole[:-1])
        if place and len(jsonspan.elements(raw, place[0])) > 1:
            draft.rewrite(
                record, jsonedit.remove(raw, paths.whole), rule, Change.STRIP, part=result.part, call_id=result.id
            )
            return
    draft.drop(record, rule, part=result.part if paths.whole else None, call_id=result.id)


def move_result(draft: Draft, result: Result, anchor: Record, call: Call | None, rule: str) -> None:
    """Move a result to the end of its cycle's block, or after its call where both are in one message."""
    if call is not None and result.server and result.record is call.record:
        _move_inside(draft, result, call, rule)
    elif draft.format.move_result(draft, result, anchor, call, rule):
        return
    elif not draft.format.shared_results and draft.can_link(result.record) and draft.can_link(anchor):
        draft.move(result.record, anchor, rule, call_id=result.id)


def _move_inside(draft: Draft, result: Result, call: Call, rule: str) -> None:
    record = call.record
    raw, path = draft.raw(record), draft.format.content_path(record)
    place = jsonspan.span(raw, path)
    if place is not None:
        order = [part for part in range(len(jsonspan.elements(raw, place[0]))) if part != result.part]
        order.insert(order.index(call.part) + 1, result.part)
        draft.rewrite(
            record, jsonedit.reorder(raw, path, order), rule, Change.MOVE, part=result.part, call_id=result.id
        )


def drop_call(draft: Draft, call: Call, rule: str, *, keep_record: bool = False) -> None:
    """Take one call out; a message that is left without content is dropped, unless it is to stay."""
    record = call.record
    if draft.is_gone(record) or draft.format.drop_call(draft, call, rule):
        return
    whole = draft.format.call_paths(call).whole
    if not whole:
        draft.drop(record, rule, call_id=call.id)
        return
    raw = jsonedit.remove(draft.raw(record), whole)
    outer = jsonspan.span(raw, whole[:-1])
    empty = outer is not None and not jsonspan.elements(raw, outer[0])
    message = draft.message(record)
    if empty and not keep_record and (message is None or (not message.said and not message.signed)):
        draft.drop(record, rule, part=call.part, call_id=call.id)
        return
    if empty and whole[-2] == "tool_calls":
        raw = jsonedit.remove(raw, whole[:-1])  # an empty list of calls is refused
    draft.rewrite(record, raw, rule, Change.STRIP, part=call.part, call_id=call.id)
