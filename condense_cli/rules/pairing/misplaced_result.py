"""Results that are not where their call needs them: cut off from it, or before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.model.policies import Displaced
from condense_cli.rules import sessions
from condense_cli.rules.halves import drop_result, move_result
from condense_cli.rules.rule import Layer, Rule
from condense_cli.rules.thread import scan_faults

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.index import Index
    from condense_cli.model.findings import Finding


def fix(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Move results to the results of their call; --displaced drop removes the displaced ones."""
    draft = index.draft()
    for rule in ("displaced-result", "result-before-call"):
        for fault in index.faults.get(rule, ()):
            result, call = fault.result, fault.call
            if result is None or call is None or draft.is_gone(result.record):
                continue
            if rule == "displaced-result" and index.policies.displaced is Displaced.DROP:
                drop_result(draft, result, rule)
            else:
                move_result(draft, result, draft.cycle_end(fault.cycle, without=result.record), call, rule)
    return draft.edits


DISPLACED = Rule(
    "displaced-result", Layer.PAIRING,
    "another message is between the call and its result",
    "moved back to its call (--displaced drop takes it out)",
    sessions.pi(5, sessions.ASKED, sessions.CALLED, sessions.user("m3", "m2", "hurry"), sessions.result("m4", "m3"), sessions.assistant("m5", "m4", sessions.say("One file."))),
    scan_thread=scan_faults("displaced-result"),
    fix=fix,
)  # fmt: skip

BEFORE_CALL = Rule(
    "result-before-call", Layer.PAIRING,
    "the result comes earlier than the call",
    "moved to the place after its call",
    sessions.pi(3, sessions.ASKED, sessions.result("m2", "m1"), sessions.assistant("m3", "m2", sessions.call()), sessions.user("m4", "m3", "go on")),
    scan_thread=scan_faults("result-before-call"),
    fix=fix,
)  # fmt: skip
