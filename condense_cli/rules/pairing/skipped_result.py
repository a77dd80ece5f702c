"""The result of a call in a turn that failed, which the client does not send."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.rules import sessions
from condense_cli.rules.halves import drop_result, last_part_first
from condense_cli.rules.rule import Layer, Rule
from condense_cli.rules.thread import scan_faults

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.index import Index
    from condense_cli.model.findings import Finding


def fix(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Drop the results; their calls are partial, then."""
    draft = index.draft()
    for fault in last_part_first(index.faults.get("result-of-skipped-call", ())):
        if fault.result is not None:
            drop_result(draft, fault.result, "result-of-skipped-call")
    return draft.edits


RULE = Rule(
    "result-of-skipped-call", Layer.PAIRING,
    "its call is in a turn that failed, and the client leaves that turn out",
    "result and call are taken out",
    sessions.pi(4, sessions.ASKED, sessions.assistant("m2", "m1", sessions.call(), stop="aborted"), sessions.ANSWERED, sessions.user("m4", "m3", "again")),
    scan_thread=scan_faults("result-of-skipped-call"),
    fix=fix,
)  # fmt: skip
