"""One call id twice in one turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.jsonbytes import jsonread, jsonspan
from condense_cli.rules import sessions
from condense_cli.rules.call_ids import rename
from condense_cli.rules.halves import drop_call, last_part_first
from condense_cli.rules.rule import Layer, Rule
from condense_cli.rules.thread import scan_faults

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense_cli.document.draft import Draft
    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.index import Index
    from condense_cli.model.findings import Finding
    from condense_cli.model.messages import Call


def fix(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Drop a second call that equals the first and has no result of its own; give every other one a fresh id."""
    draft = index.draft()
    for fault in last_part_first(index.faults.get("duplicate-call-id", ()), of_calls=True):
        call, first = fault.call, fault.other_call
        if call is None or first is None or draft.is_gone(call.record):
            continue
        result = index.results.get(call)
        if result is None and _said(draft, call) == _said(draft, first):
            drop_call(draft, call, "duplicate-call-id")
        else:
            rename(draft, call, result, "duplicate-call-id")
    return draft.edits


def _said(draft: Draft, call: Call) -> list[Any]:
    paths = draft.format.call_paths(call)
    raw = draft.raw(call.record)
    places = (jsonspan.span(raw, path) for path in (paths.name, paths.arguments))
    return [jsonread.loads(raw[place[0] : place[1]]) if place else None for place in places]


RULE = Rule(
    "duplicate-call-id", Layer.PAIRING,
    "two calls of one turn share an id",
    "a mere copy goes; else the second pair gets an id of its own",
    sessions.pi(3, sessions.ASKED, sessions.assistant("m2", "m1", sessions.call(), sessions.call(arguments={"command": "pwd"})), sessions.ANSWERED, sessions.result("m4", "m3", text="/demo")),
    scan_thread=scan_faults("duplicate-call-id"),
    fix=fix,
)  # fmt: skip
