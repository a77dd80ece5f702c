"""A second result of one call: another one, or the same that its client stored twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    """Of two results keep the real one, else the first; it is placed at the call."""
    draft = index.draft()
    for fault in (*index.faults.get("duplicate-result", ()), *index.faults.get("stored-twice", ())):
        later, first = fault.result, fault.other_result
        if later is None or draft.is_gone(later.record):
            continue
        if first is not None and not draft.is_gone(first.record) and first.placeholder and not later.placeholder:
            anchor = draft.cycle_end(fault.cycle, without=first.record)
            drop_result(draft, first, fault.rule)
            move_result(draft, later, anchor, fault.call, fault.rule)
        else:
            drop_result(draft, later, fault.rule)
    return draft.edits


DUPLICATE = Rule(
    "duplicate-result", Layer.PAIRING,
    "the call was answered already",
    "a made-up answer gives way to the real one; of two real ones the first stays",
    sessions.pi(5, sessions.ASKED, sessions.CALLED, sessions.ANSWERED, sessions.result("m4", "m3", text="b.txt"), sessions.assistant("m5", "m4", sessions.say("One file."))),
    scan_thread=scan_faults("duplicate-result"),
    fix=fix,
)  # fmt: skip

STORED_TWICE = Rule(
    "stored-twice", Layer.PAIRING,
    "the client stored a result with its call and as a turn of its own, and would send both",
    "the turn is taken out, or the made-up result with the call where that is one",
    sessions.gemini(4, sessions.gemini_message("m1", "user", {"text": "list files"}), sessions.gemini_message("m2", "gemini", toolCalls=[sessions.LISTED]), sessions.gemini_message("m3", "user", sessions.RESPONSE), sessions.gemini_message("m4", "gemini", {"text": "One file."})),
    scan_thread=scan_faults("stored-twice"),
    fix=fix,
)  # fmt: skip
