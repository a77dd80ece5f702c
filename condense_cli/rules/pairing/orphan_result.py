"""A result whose call is not on the thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.jsonbytes import jsonedit
from condense_cli.model.plan import Change
from condense_cli.model.policies import Orphan
from condense_cli.rules import sessions
from condense_cli.rules.halves import drop_result, last_part_first
from condense_cli.rules.rule import Layer, Rule
from condense_cli.rules.thread import scan_faults

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense_cli.document.draft import Draft
    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.index import Index
    from condense_cli.model.findings import Finding
    from condense_cli.model.messages import Result


def fix(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Drop the results; --orphan note keeps their text as a note where the format has one."""
    draft = index.draft()
    for fault in last_part_first(index.faults.get("orphan-result", ())):
        assert fault.result is not None
        if index.policies.orphan is not Orphan.NOTE or not _leave_note(draft, fault.result):
            drop_result(draft, fault.result, "orphan-result")
    return draft.edits


def _leave_note(draft: Draft, result: Result) -> bool:
    value = draft.format.result_note(draft, result)
    if value is None:
        return False
    record = result.record
    if draft.tree is None or record.id is None:
        place = draft.known.order[record]
        if not place:
            return False
        anchor = draft.records[place - 1]
        draft.drop(record, "orphan-result", call_id=result.id)
        draft.insert(value, anchor, "orphan-result", call_id=result.id)
        return True
    raw = draft.raw(record)
    data = jsonedit.dump(value, spaced=jsonedit.is_spaced(raw)) + raw[len(raw.rstrip(b"\r\n")) :]
    draft.rewrite(record, data, "orphan-result", Change.REPLACE, call_id=result.id)
    return True


RULE = Rule(
    "orphan-result", Layer.PAIRING,
    "nothing on the thread asked for this result",
    "taken out, the thread closed after it (--orphan note keeps its text)",
    sessions.pi(3, sessions.ASKED, sessions.result("m2", "m1", "call_0"), sessions.assistant("m3", "m2", sessions.say("One file."))),
    scan_thread=scan_faults("orphan-result"),
    fix=fix,
)  # fmt: skip
