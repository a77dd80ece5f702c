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
    from condense_cli.document.draft import Draft
    from condense_cli.document.records import Records


def drop_result(draft: Draft, result: Result, rule: str) -> bool:
    """Take an output out of a replacement_history; a record of its own is left to the common way."""
    return _take_out(draft, result, rule)


def drop_call(draft: Draft, call: Call, rule: str) -> bool:
    """Take a call out of a replacement_history; a record of its own is left to the common way."""
    return _take_out(draft, call, rule)


def _take_out(draft: Draft, half: Call | Result, rule: str) -> bool:
    record = half.record
    if record.kind != "compacted":
        return False
    if _still_there(draft, half):
        raw = jsonedit.remove(draft.raw(record), item_path(record, half.part))
        draft.rewrite(record, raw, rule, Change.STRIP, part=half.part, call_id=half.id)
    return True


def _still_there(draft: Draft, half: Call | Result) -> bool:
    """Say whether the half is where it was: another edit of this round may have shifted it.

    The next round looks again.
    """
    item = item_of(draft.now(half.record), half.part)
    if item is None:
        return False
    halves = item.message.calls if isinstance(half, Call) else item.message.results
    return any(other.id == half.id and other.family == half.family for other in halves)


def drop_block(draft: Draft, finding: Finding) -> bool:
    """Take an item (reasoning) out of a replacement_history."""
    record = finding.record
    if record.kind != "compacted":
        return False
    raw = jsonedit.remove(draft.raw(record), item_path(record, finding.part or 0))
    draft.rewrite(record, raw, finding.rule, Change.STRIP, part=finding.part)
    return True


def move_result(draft: Draft, result: Result, anchor: Record, call: Call | None, rule: str) -> bool:
    """Move an output into, out of, or inside a replacement_history; between records the common way is right."""
    record = result.record
    if "compacted" not in (record.kind, anchor.kind):
        return draft.fixed
    if call is None or not _still_there(draft, result) or not _still_there(draft, call) or draft.fixed:
        return True
    raw = draft.raw(record)
    if record is anchor:
        items = jsonspan.elements(raw, (jsonspan.span(raw, item_path(record, 0)[:-1]) or (0, 0))[0])
        rest = [n for n in range(len(items)) if n != result.part]
        at = rest.index(_block_end(draft, record, call, result)) + 1
        raw = jsonedit.reorder(raw, item_path(record, 0)[:-1], [*rest[:at], result.part, *rest[at:]])
        draft.rewrite(record, raw, rule, Change.MOVE, part=result.part, call_id=result.id)
        return True
    place = jsonspan.span(raw, item_path(record, result.part))
    assert place is not None
    payload = raw[place[0] : place[1]]
    if anchor.kind == "compacted":
        inner = jsonedit.insert(
            draft.raw(anchor), item_path(anchor, 0)[:-1], _block_end(draft, anchor, call, result) + 1, payload
        )
        draft.drop(record, rule, call_id=result.id)
        draft.rewrite(anchor, inner, rule, Change.MOVE, call_id=result.id)
        return True
    draft.rewrite(
        record,
        jsonedit.remove(raw, item_path(record, result.part)),
        rule,
        Change.STRIP,
        part=result.part,
        call_id=result.id,
    )
    draft.insert(enveloped(draft, anchor, jsonread.loads(payload)), anchor, rule, call_id=result.id)
    return True


def _block_end(draft: Draft, record: Record, call: Call, without: Result | None = None) -> int:
    """Return the number of the last item of a call's cycle inside a compacted record."""
    number = draft.known.cycle_of[call]
    parts = [other.part for other in draft.pairing.cycles[number].calls if other.record is record]
    results = draft.known.results_in_place.get(number, ())
    parts += (result.part for result in results if result is not without and result.record is record)
    return max(call.part, *parts)


def add_answer(draft: Draft, call: Call, cycle: int, rule: str) -> bool:
    """Put an answer into a replacement_history, or at the end of a file whose lines must stay where they are."""
    block = [one.record for one in draft.pairing.cycles[cycle].calls]
    block += (result.record for result in draft.known.results_in_place.get(cycle, ()))
    if draft.fixed:
        _append(draft, call, rule, ANSWER)
        return True
    if any(record.kind != "compacted" for record in block):
        return False
    if _still_there(draft, call):
        record = call.record
        end = _block_end(draft, record, call) + 1
        raw = jsonedit.insert(draft.raw(record), item_path(record, 0)[:-1], end, call_output(call, ANSWER))
        draft.rewrite(record, raw, rule, Change.INSERT, part=end, call_id=call.id)
    return True


def _append(draft: Draft, call: Call, rule: str, text: str) -> None:
    """Append an answer to a file whose lines keep their place, when only events stand after the last cycle."""
    last = draft.last
    if draft.known.order[call.record] >= draft.derived(_last_turn) and draft.next(last) is None:
        draft.insert(answer(draft, call, last, text), last, rule, call_id=call.id)


def _last_turn(document: Records) -> int:
    """Return the position after which nothing but calls, outputs and events comes."""
    for n in range(len(document.records) - 1, -1, -1):
        record = document.records[n]
        answered = record.message is not None and record.message.role in (Role.RESULT, Role.ASSISTANT)
        if type(record.extra) in (Item, Compaction) and not answered:
            return n
    return -1


def follow_rename(draft: Draft, call: Call, result: Result | None, new: str, rule: str) -> None:
    """Let the events that stand between a call and its output name it by its new id."""
    if (
        result is None
        or call.id is None
        or call.record not in draft.known.order
        or result.record not in draft.known.order
    ):
        return
    for record in draft.derived(_shown).get(call.id, ()):
        if draft.known.order[call.record] < draft.known.order[record] <= _events_end(draft, result.record):
            draft.rewrite(
                record, jsonedit.replace(draft.raw(record), ("payload", "call_id"), new), rule, call_id=call.id
            )


def _events_end(draft: Draft, record: Record) -> int:
    """Return the position of the last event after a record, with nothing else in between."""
    ends = draft.derived(_event_ends)
    return ends[draft.known.order[record]]


def _event_ends(document: Records) -> list[int]:
    ends = list(range(len(document.records)))
    for n in range(len(ends) - 2, -1, -1):
        if document.records[n + 1].kind == "event_msg":
            ends[n] = ends[n + 1]
    return ends


def _shown(document: Records) -> dict[str, list[Record]]:
    """Return call id -> the events that name it, in file order."""
    found: dict[str, list[Record]] = {}
    for record in document.records:
        if record.kind == "event_msg":
            ident = document.value(record)["payload"].get("call_id")
            if isinstance(ident, str):
                found.setdefault(ident, []).append(record)
    return found
