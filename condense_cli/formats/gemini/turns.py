"""How results in turns of their own are taken out, or moved into the tool call that they answer.

All results that a rule names in one record are changed at once, with the first of them: a list in `$set` may hold the
whole session, and the places of what is left move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.formats.gemini.writing import depth_of, message_place, put, raw_message, with_result, without_elements
from condense_cli.jsonbytes import jsonspan
from condense_cli.model.messages import TurnResult
from condense_cli.model.plan import Change

if TYPE_CHECKING:
    from collections.abc import Iterable

    from condense_cli.document.draft import Draft
    from condense_cli.jsonbytes.jsonspan import Path
    from condense_cli.model.messages import Call, Record
    from condense_cli.pairing.pair import Fault


def drop(draft: Draft, result: TurnResult, rule: str) -> None:
    """Take a result out, with all others of its record that the rule takes out."""
    if draft.is_gone(result.record) or draft.now(result.record) is not result.record:
        return  # it went with the first one
    others = (fault.result for fault in draft.known.faults.get(rule, ()) if not _wins(fault))
    mine = [one for one in others if isinstance(one, TurnResult) and one.record is result.record and one != result]
    _take_out(draft, result.record, [result, *mine], rule)


def _wins(fault: Fault) -> bool:
    """Say whether the result is kept because the other one is made up."""
    first, later = fault.other_result, fault.result
    return first is not None and later is not None and first.placeholder and not later.placeholder


def move(draft: Draft, result: TurnResult, rule: str) -> None:
    """Move the results that a rule names into the tool calls that they answer."""
    if draft.is_gone(result.record) or draft.now(result.record) is not result.record or _is_second(draft, rule):
        return
    by_message: dict[tuple[Record, Path], list[tuple[Call, TurnResult]]] = {}
    by_record: dict[Record, list[TurnResult]] = {}
    for fault in draft.known.faults.get(rule, ()):
        if isinstance(fault.result, TurnResult) and fault.call is not None:
            place = (fault.call.record, message_place(fault.call))
            by_message.setdefault(place, []).append((fault.call, fault.result))
            by_record.setdefault(fault.result.record, []).append(fault.result)
    for pairs in by_message.values():
        raw = raw_message(draft, pairs[0][0])
        for call, one in pairs:
            raw = with_result(raw, call, _part(draft, one), failed=False)
        put(draft, [call for call, _ in pairs], raw, rule)
    for record, results in by_record.items():
        _take_out(draft, record, results, rule)


def _is_second(draft: Draft, rule: str) -> bool:
    """Say whether the result is kept in the place of another one: if it is not where its call needs it, that is found
    next.
    """
    return rule in ("duplicate-result", "stored-twice")


def _part(draft: Draft, result: TurnResult) -> bytes:
    raw = draft.document.raw(result.record)
    place = jsonspan.span(raw, result.place)
    assert place is not None
    return raw[place[0] : place[1]]


def _take_out(draft: Draft, record: Record, results: list[TurnResult], rule: str) -> None:
    by_message: dict[Path, set[int]] = {}
    for result in results:
        number = result.place[-1]
        parts = by_message.setdefault(result.place[: depth_of(result.place)], set())
        parts.add(number if isinstance(number, int) else -1)
    first = results[0]
    for other in results[1:]:
        draft.note(Change.STRIP, rule, record, part=other.part, call_id=other.id)
    raw = draft.raw(record)
    if () in by_message:
        left = _without(record, raw.strip(), by_message[()])
        if left is None:
            draft.drop(record, rule, call_id=first.id)
            return
        data = left + raw[len(raw.rstrip()) :]
    else:
        data = _out_of_list(record, raw, by_message)
    draft.rewrite(record, data, rule, Change.STRIP, part=first.part, call_id=first.id)


def _out_of_list(record: Record, raw: bytes, by_message: dict[Path, set[int]]) -> bytes:
    listed = next(iter(by_message))[:-1]
    outer = jsonspan.span(raw, listed)
    assert outer is not None
    spans = jsonspan.elements(raw, outer[0])
    gone: dict[int, bytes | None] = {}
    for place, parts in by_message.items():
        number = place[-1]
        assert isinstance(number, int)
        start, end = spans[number]
        gone[number] = _without(record, raw[start:end], parts)
    return without_elements(record, raw, listed, gone)


def _without(record: Record, message: bytes, parts: Iterable[int]) -> bytes | None:
    """Return a message without parts of its content, None where nothing else is in it."""
    outer = jsonspan.span(message, ("content",))
    gone = set(parts)
    if outer is None or -1 in gone or len(jsonspan.elements(message, outer[0])) <= len(gone):
        return None
    return without_elements(record, message, ("content",), dict.fromkeys(gone))
