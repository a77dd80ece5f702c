"""Fixers of the pairing rules: results and calls are moved, dropped, answered or renamed, never guessed."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from condense_cli.document.document import Document
from condense_cli.document.format import View
from condense_cli.jsonbytes import jsonedit, jsonread, jsonspan
from condense_cli.model.blocks import ANSWER
from condense_cli.model.findings import Finding
from condense_cli.model.messages import Call, Record, Result, Role
from condense_cli.model.plan import Change
from condense_cli.pairing.pair import Fault, Pairing
from condense_cli.repair.links import Surgery
from condense_cli.repair.policies import Displaced, Orphan, Policies, Trailing, Unanswered


class Context(NamedTuple):
    """What a fixer works on: one thread, its pairing, and the findings of its rule that are to be mended."""

    document: Document
    view: View
    pairing: Pairing
    findings: tuple[Finding, ...]
    policies: Policies
    contracts: tuple[str, ...]
    surgery: Surgery

    def faults(self, *rules: str) -> list[Fault]:
        """Return the pairing's faults that the findings are about."""
        places = {(f.rule, id(f.record), f.part) for f in self.findings}
        found = []
        for fault in self.pairing.faults:
            if fault.rule in rules:
                halves = [h for h in (fault.result, fault.call) if h is not None]
                if any((fault.rule, id(h.record), h.part) in places for h in halves):
                    found.append(fault)
        return found


# ---------------------------------------------------------------------- results
def drop_orphans(context: Context) -> None:
    """Drop results that no call owns; --orphan note keeps their text as a note where the format has one."""
    for fault in _last_part_first(context.faults("orphan-result")):
        assert fault.result is not None
        if context.policies.orphan is Orphan.NOTE and _leave_note(context, fault.result):
            continue
        drop_result(context, fault.result, "orphan-result")


def drop_lost_results(context: Context) -> None:
    """Drop results of turns that the client does not send."""
    for fault in _last_part_first(context.faults("result-of-skipped-call")):
        if fault.result is not None:
            drop_result(context, fault.result, "result-of-skipped-call")


def drop_second_results(context: Context) -> None:
    """Of two results of one call keep the real one, else the first; it stands at the call."""
    for fault in context.faults("duplicate-result"):
        later, first = fault.result, fault.other_result
        if later is None or later.record.gone:
            continue
        if first is not None and not first.record.gone and first.placeholder and not later.placeholder:
            anchor = cycle_end(context, fault.cycle, without=first.record)
            drop_result(context, first, "duplicate-result")
            _bring(context, later, anchor, fault.call, "duplicate-result")
        else:
            drop_result(context, later, "duplicate-result")


def move_results(context: Context) -> None:
    """Move results back to the results of their call, or behind their call; --displaced drop lets them go."""
    for rule in ("displaced-result", "result-before-call"):
        for fault in context.faults(rule):
            result, call = fault.result, fault.call
            if result is None or call is None or result.record.gone:
                continue
            if rule == "displaced-result" and context.policies.displaced is Displaced.DROP:
                drop_result(context, result, rule)
            else:
                _bring(context, result, cycle_end(context, fault.cycle, without=result.record), call, rule)


def drop_result(context: Context, result: Result, rule: str) -> None:
    """Take one result out: the record, or its block where the record holds more."""
    document, record = context.document, result.record
    if record.gone:
        return
    if document.format.drop_result(context, result, rule):
        return
    paths = document.format.result_paths(result)
    if paths.whole:
        outer = document.raw(record)
        place = jsonspan.span(outer, paths.whole[:-1])
        if place and len(jsonspan.elements(outer, place[0])) > 1:
            document.rewrite(record, jsonedit.remove(outer, paths.whole), rule, Change.STRIP, part=result.part, call_id=result.id)
            return
    context.surgery.drop(record, rule, part=result.part if paths.whole else None, call_id=result.id)


def _bring(context: Context, result: Result, anchor: Record, call: Call | None, rule: str) -> None:
    if call is not None and result.server and result.record is call.record:
        _put_behind(context, result, call, rule)
        return
    if context.document.format.move_result(context, result, anchor, call, rule):
        return
    if not context.document.format.shared_results and context.surgery.can_link(result.record) and context.surgery.can_link(anchor):
        context.surgery.move(result.record, anchor, rule, call_id=result.id)


def _put_behind(context: Context, result: Result, call: Call, rule: str) -> None:
    """Put a result behind its call inside their message."""
    document, record = context.document, call.record
    raw, path = document.raw(record), document.format.content_path(record)
    place = jsonspan.span(raw, path)
    if place is not None:
        order = [part for part in range(len(jsonspan.elements(raw, place[0]))) if part != result.part]
        order.insert(order.index(call.part) + 1, result.part)
        document.rewrite(record, jsonedit.reorder(raw, path, order), rule, Change.MOVE, part=result.part, call_id=result.id)


def _leave_note(context: Context, result: Result) -> bool:
    value = context.document.format.result_note(context.document, result)
    if value is None:
        return False
    record = result.record
    if context.document.format.tree is None or record.id is None:
        anchor = context.surgery.document.records[max(0, context.surgery.order[id(record)] - 1)]
        if anchor is record:
            return False
        context.surgery.drop(record, "orphan-result", call_id=result.id)
        context.surgery.insert(value, anchor, "orphan-result", call_id=result.id)
        return True
    data = jsonedit.dump(value, spaced=jsonedit.is_spaced(context.document.raw(record))) + _ending(context.document.raw(record))
    context.document.rewrite(record, data, "orphan-result", Change.REPLACE, call_id=result.id)
    return True


def _ending(raw: bytes) -> bytes:
    return raw[len(raw.rstrip(b"\r\n")) :]


def cycle_end(context: Context, cycle: int, *, without: Record | None = None) -> Record:
    """Return the last record of a cycle's block: its message and the results that stand at it."""
    message = context.pairing.cycles[cycle].message
    place = context.surgery.place if context.surgery.tree is not None else context.surgery.order
    block = [message.record, *(call.record for call in message.calls)]
    block += [p.result.record for p in context.pairing.pairs if p.cycle == cycle and not p.cut and not p.across]
    known = [r for r in block if id(r) in place and not r.gone and r is not without]
    end = max(known, key=lambda r: place[id(r)]) if known else message.record
    # What this round put behind it already belongs to the block.
    follower = context.surgery.next(end)
    while follower is not None and id(follower) not in place and follower is not without and not follower.gone:
        end, follower = follower, context.surgery.next(follower)
    return end


# ---------------------------------------------------------------------- calls
def answer_calls(context: Context) -> None:
    """Give each call without a result a marked error result behind the results of its cycle, or take the call out.

    One that runs at the provider goes in any case: nobody else can write its result.
    """
    latest = max((c.at for c in context.pairing.cycles), default=-1)
    drops: list[Fault] = []
    for rule, drop in (("unanswered-call", context.policies.unanswered is Unanswered.DROP), ("trailing-call", context.policies.trailing is Trailing.DROP)):
        for fault in context.faults(rule):
            call = fault.call
            assert call is not None
            cycle = context.pairing.cycles[fault.cycle]
            # An answer beside signed thinking of the latest turn is safe; taking a call out of it is not.
            bound = cycle.at == latest and cycle.message.signed
            if (drop or call.server) and not bound:
                drops.append(fault)
            elif not call.server:
                _answer(context, call, fault.cycle, rule)
    for fault in _last_part_first(drops, of_calls=True):
        if fault.call is not None:
            drop_call(context, fault.call, fault.rule)


def _answer(context: Context, call: Call, cycle: int, rule: str) -> None:
    fmt = context.document.format
    anchor = cycle_end(context, cycle)
    if fmt.add_answer(context, call, cycle, anchor, rule):
        return
    if not context.surgery.can_link(anchor):
        return
    value = fmt.answer(context.document, call, anchor, ANSWER)
    context.surgery.insert(value, anchor, rule, call_id=call.id)


def drop_partial_calls(context: Context) -> None:
    """Take calls out of turns that were aborted; text and record stay."""
    for fault in _last_part_first(context.faults("partial-call"), of_calls=True):
        if fault.call is not None:
            drop_call(context, fault.call, "partial-call", keep_record=True)


def drop_call(context: Context, call: Call, rule: str, *, keep_record: bool = False) -> None:
    """Take one call out; a message that is left without content goes, unless it is to stay."""
    document, record = context.document, call.record
    if record.gone:
        return
    if document.format.drop_call(context, call, rule):
        return
    whole = document.format.call_paths(call).whole
    if not whole:
        context.surgery.drop(record, rule, call_id=call.id)
        return
    raw = jsonedit.remove(document.raw(record), whole)
    outer = jsonspan.span(raw, whole[:-1])
    empty = outer is not None and not jsonspan.elements(raw, outer[0])
    if empty and not keep_record and _nothing_else(record):
        context.surgery.drop(record, rule, part=call.part, call_id=call.id)
        return
    if empty and isinstance(whole[-2], str) and whole[-2] == "tool_calls":
        raw = jsonedit.remove(raw, whole[:-1])  # an empty list of calls is refused
    document.rewrite(record, raw, rule, Change.STRIP, part=call.part, call_id=call.id)


def _nothing_else(record: Record) -> bool:
    message = record.message
    return message is None or (not message.said and not message.signed)


def split_duplicate_ids(context: Context) -> None:
    """Of two calls with one id in a turn: an equal copy without its own result goes, else the second gets a fresh id."""
    for fault in _last_part_first(context.faults("duplicate-call-id"), of_calls=True):
        call, first = fault.call, fault.other_call
        if call is None or first is None or call.record.gone:
            continue
        results = [p for p in context.pairing.pairs if p.cycle == fault.cycle and p.call.id == call.id]
        mine = next((p.result for p in results if p.call is call), None)
        if mine is None and _same_call(context.document, call, first):
            drop_call(context, call, "duplicate-call-id")
        else:
            rename(context, call, mine, "duplicate-call-id")


def _same_call(document: Document, call: Call, other: Call) -> bool:
    def said(one: Call) -> Any:
        paths = document.format.call_paths(one)
        raw = document.raw(one.record)
        places = (jsonspan.span(raw, path) for path in (paths.name, paths.arguments))
        return [jsonread.loads(raw[place[0] : place[1]]) if place else None for place in places]

    return bool(said(call) == said(other))


def rename_reused_ids(context: Context) -> None:
    """Give a call that uses an earlier call's id again, and its result, an id of their own."""
    for fault in context.faults("reused-id"):
        if fault.call is not None:
            rename(context, fault.call, _result_of(context, fault.call), "reused-id")


def rename_bad_ids(context: Context) -> None:
    """Give a call whose id is refused, and its result, a legal id; a nameless result takes the id of its call."""
    done: set[int] = set()
    for fault in context.faults("invalid-call-id"):
        if fault.result is not None and fault.call is not None and fault.call.id:
            done.add(id(fault.call))
            set_result_id(context.document, fault.result, fault.call.id, "invalid-call-id")
        elif fault.result is not None and fault.call is None:
            drop_result(context, fault.result, "invalid-call-id")
    calls = {(id(c.record), c.part): c for cycle in context.pairing.cycles for c in cycle.calls}
    for finding in context.findings:
        call = calls.get((id(finding.record), finding.part or 0))
        if call is not None and id(call) not in done:
            done.add(id(call))
            rename(context, call, _result_of(context, call), "invalid-call-id")


def _result_of(context: Context, call: Call) -> Result | None:
    return next((p.result for p in context.pairing.pairs if p.call is call), None)


def rename(context: Context, call: Call, result: Result | None, rule: str) -> None:
    """Write a fresh id into a call and its result, and into what is keyed by it."""
    document = context.document
    if call.record.gone:
        return
    longest = len(call.id) if call.id and document.fixed else SHORT
    own = "anthropic" if context.view.writer.anthropic else document.format.contract
    new = fresh_call_id(call.id, known_ids(document), context.contracts, own, longest)
    raw = jsonedit.replace(document.raw(call.record), document.format.call_paths(call).id, new)
    if not document.rewrite(call.record, raw, rule, Change.REPLACE, part=call.part, call_id=call.id):
        return
    if result is not None:
        set_result_id(document, result, new, rule)
    document.format.follow_rename(document, call, result, new, rule)


def set_result_id(document: Document, result: Result, new: str, rule: str) -> None:
    """Write an id into a result."""
    raw = jsonedit.replace(document.raw(result.record), document.format.result_paths(result).id, new)
    document.rewrite(result.record, raw, rule, Change.REPLACE, part=result.part, call_id=result.id)


def known_ids(document: Document) -> set[str]:
    """Return every call id that the file holds now."""
    found: set[str] = set()
    for record in document.records:
        message = record.message
        if message is not None and not record.gone:
            found |= message.ids
    return found


_ILLEGAL = re.compile(r"[^a-zA-Z0-9_-]")
SHORT = 40  # characters; Anthropic and Responses take 64, but OpenAI's chat endpoint refused more than 40 for long


def fresh_call_id(old: str | None, taken: set[str], contracts: Iterable[str], own: str, longest: int = SHORT) -> str:
    """Make a legal id that nobody has, the same for the same file: Mistral wants 9 letters or digits, others at most `longest`."""
    nine = "mistral" in contracts
    limit = 9 if nine else min(SHORT, longest)
    head, bar, item = (old or "").partition("|")
    keeps_item = bar and own in ("pi", "openclaw") and item
    base = _ILLEGAL.sub("_", head if keeps_item or not bar else old or "") or "call"
    for attempt in range(10_000):
        if nine:
            new = hashlib.sha256(f"{old} {attempt}".encode()).hexdigest()[:9]
        elif attempt == 0:
            new = base if len(base) <= limit else base[: limit - 9] + "_" + hashlib.sha256((old or "").encode()).hexdigest()[:8]
        else:
            # Not `_2`: Claude Code takes an id with a number behind a known id for a copy, and drops its result.
            mark = f"_r{attempt + 1}"
            new = base[: limit - len(mark)] + mark
        if keeps_item:
            new += f"|{item}" if new == head else f"|{item[:60]}_{attempt + 1}"
        if new not in taken:
            return new
    raise AssertionError("ten thousand ids are taken")


def _last_part_first(faults: list[Fault], *, of_calls: bool = False) -> list[Fault]:
    """Order faults so that taking a block out leaves the places of those still to come."""

    def part(fault: Fault) -> int:
        half = fault.call if of_calls else fault.result
        return half.part if half is not None else 0

    return sorted(faults, key=part, reverse=True)


Fixer = Callable[[Context], None]
__all__ = ["Context", "Fixer", "Role"]
