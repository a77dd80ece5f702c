"""How calls and outputs inside a compaction, and in a file whose lines keep their place, are repaired."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.formats.codex.history import Compaction
from condense_cli.formats.codex.items import Item
from condense_cli.formats.codex.made import answer, call_output, enveloped
from condense_cli.formats.codex.paths import item_of, item_path
from condense_cli.jsonbytes import jsonedit, jsonread, jsonspan
from condense_cli.model.blocks import ANSWER
from condense_cli.model.findings import Finding
from condense_cli.model.messages import Call, Record, Result, Role
from condense_cli.model.plan import Change

if TYPE_CHECKING:
    from condense_cli.document.editing import Editable, RepairContext


def drop_result(context: RepairContext, result: Result, rule: str) -> bool:
    """Take an output out of a replacement_history; a record of its own is left to the common way."""
    return _take_out(context, result, rule)


def drop_call(context: RepairContext, call: Call, rule: str) -> bool:
    """Take a call out of a replacement_history; a record of its own is left to the common way."""
    return _take_out(context, call, rule)


def _take_out(context: RepairContext, half: Call | Result, rule: str) -> bool:
    document, record = context.document, half.record
    if record.kind != "compacted":
        return False
    if _still_there(half):
        raw = jsonedit.remove(document.raw(record), item_path(record, half.part))
        document.rewrite(record, raw, rule, Change.STRIP, part=half.part, call_id=half.id)
    return True


def _still_there(half: Call | Result) -> bool:
    """Say whether the half stands where it was: another edit of this round may have shifted it. The next round looks again."""
    item = item_of(half.record, half.part)
    if item is None:
        return False
    halves = item.message.calls if isinstance(half, Call) else item.message.results
    return any(other.id == half.id and other.family == half.family for other in halves)


def drop_block(context: RepairContext, finding: Finding) -> bool:
    """Take an item (reasoning) out of a replacement_history."""
    record = finding.record
    if record.kind != "compacted":
        return False
    raw = jsonedit.remove(context.document.raw(record), item_path(record, finding.part or 0))
    context.document.rewrite(record, raw, finding.rule, Change.STRIP, part=finding.part)
    return True


def move_result(context: RepairContext, result: Result, anchor: Record, call: Call | None, rule: str) -> bool:
    """Move an output into, out of, or inside a replacement_history; between records the common way is right."""
    document, record = context.document, result.record
    if "compacted" not in (record.kind, anchor.kind):
        return document.fixed
    if call is None or not _still_there(result) or not _still_there(call) or document.fixed:
        return True
    raw = document.raw(record)
    if record is anchor:
        items = jsonspan.elements(raw, (jsonspan.span(raw, item_path(record, 0)[:-1]) or (0, 0))[0])
        rest = [n for n in range(len(items)) if n != result.part]
        at = rest.index(_block_end(context, record, call, result)) + 1
        raw = jsonedit.reorder(raw, item_path(record, 0)[:-1], [*rest[:at], result.part, *rest[at:]])
        document.rewrite(record, raw, rule, Change.MOVE, part=result.part, call_id=result.id)
        return True
    place = jsonspan.span(raw, item_path(record, result.part))
    assert place is not None
    payload = raw[place[0] : place[1]]
    if anchor.kind == "compacted":
        inner = jsonedit.insert(document.raw(anchor), item_path(anchor, 0)[:-1], _block_end(context, anchor, call, result) + 1, payload)
        context.surgery.drop(record, rule, call_id=result.id)
        document.rewrite(anchor, inner, rule, Change.MOVE, call_id=result.id)
        return True
    document.rewrite(record, jsonedit.remove(raw, item_path(record, result.part)), rule, Change.STRIP, part=result.part, call_id=result.id)
    context.surgery.insert(enveloped(document, anchor, jsonread.loads(payload)), anchor, rule, call_id=result.id)
    return True


def _block_end(context: RepairContext, record: Record, call: Call, without: Result | None = None) -> int:
    """Return the number of the last item of a call's cycle inside a compacted record."""
    parts = [call.part]
    for cycle in context.pairing.cycles:
        if any(other is call for other in cycle.calls):
            parts += (other.part for other in cycle.calls if other.record is record)
            parts += (
                pair.result.part
                for pair in context.pairing.pairs
                if not pair.cut and not pair.across and pair.result is not without and pair.result.record is record and any(pair.call is other for other in cycle.calls)
            )
    return max(parts)


def add_answer(context: RepairContext, call: Call, cycle: int, rule: str) -> bool:
    """Put an answer into a replacement_history, or at the end of a file whose lines must stay where they are."""
    document = context.document
    block = [one.record for one in context.pairing.cycles[cycle].calls]
    block += (pair.result.record for pair in context.pairing.pairs if pair.cycle == cycle and not pair.cut and not pair.across)
    if document.fixed:
        _append(context, call, rule, ANSWER)
        return True
    if any(record.kind != "compacted" for record in block):
        return False
    if _still_there(call):
        record = call.record
        end = _block_end(context, record, call) + 1
        raw = jsonedit.insert(document.raw(record), item_path(record, 0)[:-1], end, call_output(call, ANSWER))
        document.rewrite(record, raw, rule, Change.INSERT, part=end, call_id=call.id)
    return True


def _append(context: RepairContext, call: Call, rule: str, text: str) -> None:
    """Append an answer to a file whose lines keep their place, when only events stand behind the last cycle."""
    document, surgery = context.document, context.surgery
    last = document.records[-1]
    behind = document.records[surgery.order[id(call.record)] + 1 :]
    others = any(type(r.extra) in (Item, Compaction) and not (r.message and r.message.role in (Role.RESULT, Role.ASSISTANT)) for r in behind)
    # One in each round: the next one needs the number after it.
    if not others and surgery.next(last) is None:
        surgery.insert(answer(document, call, last, text), last, rule, call_id=call.id)


def follow_rename(document: Editable, call: Call, result: Result | None, new: str, rule: str) -> None:
    """Let the events that stand between a call and its output name it by its new id."""
    places = {id(record): n for n, record in enumerate(document.records)}
    start = places.get(id(call.record))
    end = places.get(id(result.record)) if result is not None else None
    if start is None or end is None or call.id is None:
        return
    while end + 1 < len(document.records) and document.records[end + 1].kind == "event_msg":
        end += 1
    for record in document.records[start + 1 : end + 1]:
        if record.kind == "event_msg" and not record.gone and document.value(record)["payload"].get("call_id") == call.id:
            document.rewrite(record, jsonedit.replace(document.raw(record), ("payload", "call_id"), new), rule, call_id=call.id)
