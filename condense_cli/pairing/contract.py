"""The contract rule: every call has one result, right after it, and real output is kept wherever one call can own it.

What it makes of the classes of pairing is what a repair does by default: results that stand elsewhere are moved
back, orphans and second results go, unanswered calls are answered. The calls of the last turn stay open. No id
is ever renamed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from condense_cli.model.messages import Call, FollowedCall, Half, Message, Result, Role
from condense_cli.pairing.decision import Decision, MessageOutline, emptied, in_order
from condense_cli.pairing.pair import Cycle, Fault, Pairing, pair

if TYPE_CHECKING:
    from collections.abc import Sequence

_SECOND = ("duplicate-result", "stored-twice")


def contract(
    outlines: Sequence[MessageOutline], *, shared_results: bool = False, together: bool = False, trailing: bool = False
) -> Decision:
    """Bring results to their calls, take out what is surplus and answer what is open; trailing: the last turn's
    calls, too.
    """
    messages = [outline.message for outline in outlines]
    pairing = pair(messages, shared_results=shared_results, together=together)
    if not pairing.cycles and not pairing.faults:
        return Decision()
    owned = _owned(pairing)
    reasons = _reasons(pairing, owned)
    gone: set[Half] = {result for message in messages for result in message.results if result not in owned.owners}
    copies = frozenset(call for outline in outlines for call in outline.copies)
    dropped_calls = _skipped_calls(pairing) | {call for call in copies if call not in owned.results}
    gone |= dropped_calls
    brought: dict[int, tuple[Result, ...]] = {}
    answers: dict[int, tuple[Call, ...]] = {}
    where = {result: number for number, message in enumerate(messages) for result in message.results}
    for cycle in pairing.cycles:
        end = run_end(messages, cycle, together=together)
        late = [
            r
            for call in cycle.calls
            if (r := owned.results.get(call)) is not None
            and not _in_place(messages, cycle, end, where[r], together=together)
        ]
        if late:
            brought[end] = tuple(sorted(late, key=lambda r: (where[r], r.part)))
        if cycle.message.skipped:
            continue
        running = not trailing and _running(messages, cycle, pairing, owned, shared=shared_results)
        waiting = (c for c in cycle.calls if c not in owned.results and c not in dropped_calls and not c.server)
        open_calls = tuple(c for c in waiting if not running or isinstance(c, FollowedCall))
        if open_calls:
            answers[end] = open_calls
    moved = {result for results in brought.values() for result in results}
    reasons.update(dict.fromkeys(in_order(copies & dropped_calls), "duplicate-call-id"))
    for calls in answers.values():
        reasons.update({call: "unanswered-call" for call in in_order(calls) if call not in reasons})
    decision = Decision(frozenset(gone | moved), brought, answers, owners=owned.owners, reasons=reasons)
    return decision._replace(dropped=emptied(outlines, decision) - _spoken(pairing))


class _Owned(NamedTuple):
    """Which call has which result, both ways."""

    results: dict[Call, Result]
    owners: dict[Result, Call]


def _owned(pairing: Pairing) -> _Owned:
    """Take the pairs; of two results of one call the one that names it and is no placeholder counts."""
    skipped = {fault.result for fault in pairing.faults if fault.rule == "result-of-skipped-call"}
    results = {found.call: found.result for found in pairing.pairs if found.result not in skipped}
    nameless: dict[tuple[int, str | None], Call] = {
        (found.cycle, found.call.id): found.call for found in pairing.pairs if found.call.id and not found.result.id
    }
    for fault in pairing.faults:
        if fault.result is None or fault.rule not in (*_SECOND, "orphan-result"):
            continue
        call = nameless.get((fault.cycle, fault.result.id)) if fault.call is None else fault.call
        now = results.get(call) if call is not None else None
        if (
            call is not None
            and now is not None
            and ((not now.id and fault.result.id) or (now.placeholder and not fault.result.placeholder))
        ):
            results[call] = fault.result
    return _Owned(results, {result: call for call, result in results.items()})


def _reasons(pairing: Pairing, owned: _Owned) -> dict[Half, str]:
    found: dict[Half, str] = {}
    for fault in pairing.faults:
        for half in _at_fault(fault, owned):
            found.setdefault(half, fault.rule)
    return found


def _at_fault(fault: Fault, owned: _Owned) -> list[Half]:
    if fault.rule in _SECOND:
        return [r for r in (fault.result, fault.other_result) if r is not None and r not in owned.owners]
    if fault.rule == "invalid-call-id":
        return [fault.result] if fault.result is not None and fault.result not in owned.owners else []
    half: Half | None = fault.result if fault.result is not None else fault.call
    return [half] if half is not None and fault.rule not in ("reused-id", "trailing-call") else []


def _skipped_calls(pairing: Pairing) -> set[Call]:
    """Return the calls of turns that the client does not send: nobody will ever answer them."""
    return {call for cycle in pairing.cycles if cycle.message.skipped for call in cycle.calls}


def _spoken(pairing: Pairing) -> frozenset[int]:
    """Return the turns that stay although their calls go: what failed is no message to lose."""
    return frozenset(cycle.at for cycle in pairing.cycles if cycle.message.skipped)


def run_end(messages: Sequence[Message], cycle: Cycle, *, together: bool = False) -> int:
    """Return the number of the last message of a cycle's run of results; of its own message if there is none.

    together: a run is one message.
    """
    end = cycle.at
    while end + 1 < len(messages) and _only_results(messages[end + 1]) and not (together and end > cycle.at):
        end += 1
    return end


def _only_results(message: Message) -> bool:
    return message.role is Role.RESULT or bool(
        message.results and not message.said and message.role is not Role.ASSISTANT
    )


def _in_place(messages: Sequence[Message], cycle: Cycle, end: int, number: int, *, together: bool) -> bool:
    """A result is well inside its own message, in the run, or at the head of the user message after it."""
    if cycle.at <= number <= end:
        return True
    if together and end > cycle.at:
        return False
    return number == end + 1 and messages[number].role is not Role.ASSISTANT


def _running(messages: Sequence[Message], cycle: Cycle, pairing: Pairing, owned: _Owned, *, shared: bool) -> bool:
    """The calls of the last turn may be running, unless the user went on or the message that holds all results
    is.
    """
    if cycle is not pairing.cycles[-1]:
        return False
    if shared and any(call in owned.results for call in cycle.calls):
        return False
    after = messages[cycle.at + 1 :]
    return not any(m.role in (Role.USER, Role.SUMMARY) and (m.said or not m.results) for m in after)
