"""Calls without a result: in the middle of the session, and at its end, where they may be running."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.model.blocks import ANSWER
from condense_cli.model.policies import Trailing, Unanswered
from condense_cli.rules import sessions
from condense_cli.rules.halves import drop_call, last_part_first
from condense_cli.rules.rule import Layer, Rule
from condense_cli.rules.thread import scan_faults

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.document.draft import Draft
    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.index import Index
    from condense_cli.model.findings import Finding
    from condense_cli.model.messages import Call
    from condense_cli.pairing.pair import Fault
    from condense_cli.rules.thread import Thread


def fix(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Give each call a marked error result after the results of its cycle, or take the call out.

    One that runs at the provider is taken out in any case: nobody else can write its result.
    """
    draft = index.draft()
    latest = max((cycle.at for cycle in index.pairing.cycles), default=-1)
    drops: list[Fault] = []
    chosen = (
        ("unanswered-call", index.policies.unanswered is Unanswered.DROP),
        ("trailing-call", index.policies.trailing is Trailing.DROP),
    )
    for rule, drop in chosen:
        for fault in index.faults.get(rule, ()):
            call = fault.call
            assert call is not None
            cycle = index.pairing.cycles[fault.cycle]
            # An answer beside signed thinking of the latest turn is safe; taking a call out of it is not.
            bound = cycle.at == latest and cycle.message.signed
            if (drop or call.server) and not bound:
                drops.append(fault)
            elif not call.server:
                _answer(draft, call, fault.cycle, rule)
    for fault in last_part_first(drops, of_calls=True):
        if fault.call is not None:
            drop_call(draft, fault.call, fault.rule)
    return draft.edits


def _answer(draft: Draft, call: Call, cycle: int, rule: str) -> None:
    anchor = draft.cycle_end(cycle)
    if draft.format.add_answer(draft, call, cycle, anchor, rule) or not draft.can_link(anchor):
        return
    draft.insert(draft.format.answer(draft, call, anchor, ANSWER), anchor, rule, call_id=call.id)


UNANSWERED = Rule(
    "unanswered-call", Layer.PAIRING,
    "the session went on without this call's result",
    "answered by a marked error (--unanswered drop takes the call out, as always that of a tool which runs at the provider)",
    sessions.pi(3, sessions.ASKED, sessions.CALLED, sessions.user("m3", "m2", "go on"), sessions.assistant("m4", "m3", sessions.say("Yes."))),
    scan_thread=scan_faults("unanswered-call"),
    fix=fix,
)  # fmt: skip

LEFT_OPEN = "left-open"  # variant of trailing-call where the client will not answer it


def scan_trailing(thread: Thread) -> Iterator[Finding]:
    """Yield the calls at the end without a result; the variant says that their client will never answer them."""
    return thread.faults("trailing-call", variant=LEFT_OPEN if thread.document.format.leaves_calls_open else "")


TRAILING = Rule(
    "trailing-call", Layer.PAIRING,
    "the last turn waits for the result of this call, which may be running",
    "nothing, unless --trailing says so; where the client would send the call without one, a marked error",
    sessions.pi(3, sessions.ASKED, sessions.CALLED),
    scan_thread=scan_trailing,
    fix=fix,
    on_request=True,
    by_default=frozenset({LEFT_OPEN}),
)  # fmt: skip
