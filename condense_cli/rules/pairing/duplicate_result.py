"""A second result of one call."""

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
    for fault in index.faults.get("duplicate-result", ()):
        later, first = fault.result, fault.other_result
        if later is None or draft.is_gone(later.record):
            continue
        if first is not None and not draft.is_gone(first.record) and first.placeholder and not later.placeholder:
            anchor = draft.cycle_end(fault.cycle, without=first.record)
            drop_result(draft, first, "duplicate-result")
            move_result(draft, later, anchor, fault.call, "duplicate-result")
        else:
            drop_result(draft, later, "duplicate-result")
    return draft.edits


RULE = Rule(
    "duplicate-result", Layer.PAIRING,
    "the call was answered already",
    "a made-up answer gives way to the real one; of two real ones the first stays",
    sessions.pi(5, sessions.ASKED, sessions.CALLED, sessions.ANSWERED, sessions.result("m4", "m3", text="b.txt"), sessions.assistant("m5", "m4", sessions.say("One file."))),
    scan_thread=scan_faults("duplicate-result"),
    fix=fix,
)  # fmt: skip
