"""A call in a turn that was aborted or failed, which never got a result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.rules import sessions
from condense_cli.rules.halves import drop_call, last_part_first
from condense_cli.rules.rule import Layer, Rule
from condense_cli.rules.thread import scan_faults

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.index import Index
    from condense_cli.model.findings import Finding


def fix(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Take the calls out; text and record stay."""
    draft = index.draft()
    for fault in last_part_first(index.faults.get("partial-call", ()), of_calls=True):
        if fault.call is not None:
            drop_call(draft, fault.call, "partial-call", keep_record=True)
    return draft.edits


RULE = Rule(
    "partial-call", Layer.CALL,
    "the turn failed before this call was complete or answered",
    "the call is taken out of its message",
    sessions.pi(3, sessions.ASKED, sessions.assistant("m2", "m1", sessions.say("I will look."), sessions.call(arguments={}), stop="aborted"), sessions.user("m3", "m2", "go on")),
    scan_thread=scan_faults("partial-call"),
    fix=fix,
)  # fmt: skip
