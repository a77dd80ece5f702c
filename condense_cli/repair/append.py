"""Repair by appending only: `context_edit` entries that take a message out of pi's context or replace its content.

Nothing that is in the file changes by a byte. Only pi 0.87 and later read these entries; older ones ignore
them. What cannot be repaired that way - the tree, ids, a result that would have to move - is left as remaining.
"""

from __future__ import annotations

from typing import Any

from condense_cli.check.engine import find, thread_findings
from condense_cli.check.judge import judged
from condense_cli.check.layers import scan_file
from condense_cli.document.document import Document
from condense_cli.document.draft import Draft
from condense_cli.document.edits import apply_edits
from condense_cli.document.index import Index
from condense_cli.document.views import View
from condense_cli.errors import UsageError
from condense_cli.model.findings import Finding
from condense_cli.model.ids import fresh_id
from condense_cli.model.messages import Record
from condense_cli.model.plan import Plan
from condense_cli.repair.engine import Choice, end_of_thread
from condense_cli.rules.catalogue import RULES
from condense_cli.rules.thread import Thread

# A result that must go: pi answers its call itself where it is needed.
_DROPS = ("orphan-result", "result-of-skipped-call", "duplicate-result", "displaced-result", "result-before-call")
# What can be put right inside one message.
_CONTENT = (
    "partial-call", "invalid-tool-name", "missing-arguments", "invalid-arguments", "invalid-image",
    "unsigned-thinking", "blank-text", "empty-message", "text-after-call",
)  # fmt: skip


def append_plan(document: Document, choice: Choice) -> Plan:
    """Plan a repair that appends to the file and changes nothing else. Raises UsageError where pi would not read it."""
    if not document.format.takes_context_edits or document.format.is_linear(document):
        raise UsageError(
            f"{document.path}: only pi sessions of version 2 and later can be repaired by appending",
            "leave out --method append",
        )
    own = document.format.contract
    contracts = choice.contracts or (own,)
    newline = scan_file(document, lambda f: f.rule == "missing-final-newline" and choice.takes_in_file(f, own))
    document, edits = newline.document, list(newline.edits)
    first = find(document, contracts, leaf=choice.leaf, exempt=choice.exempt)
    tried: set[tuple[str, Record]] = set()
    while True:
        view, on_thread = _look(document, choice, contracts)
        todo = [f for f in on_thread if choice.takes(f) and (f.rule, f.record) not in tried]
        changes = _changes(document, view, todo, choice, contracts)
        if not changes:
            break
        draft = Index(document).draft()
        for finding, replacement in changes:
            tried.add((finding.rule, finding.record))
            _append(draft, finding, replacement)
        edits += draft.edits
        document = apply_edits(document, draft.edits)
    left = find(document, contracts, leaf=choice.leaf, past=nothing, exempt=choice.exempt)
    return Plan(
        document.path, document.format.name, document.source.sha256(), document.source.size,
        tuple(judged(first.document, first.findings, contracts, own)), tuple(judged(left.document, left.findings, contracts, own)),  # noqa: E501 - a sentence is one text
        tuple(e.edit for e in edits if e.edit is not None), document.segments(), tuple(contracts), end_of_thread(document, choice.leaf), tuple(sorted(choice.exempt)),  # noqa: E501 - a sentence is one text
    )  # fmt: skip


def nothing(_: Finding) -> bool:
    """Leave no finding aside: an appended entry changes nothing before it."""
    return False


def _look(document: Document, choice: Choice, contracts: tuple[str, ...]) -> tuple[View, list[Finding]]:
    view = next(document.format.views(document, choice.leaf, every=False))
    return view, judged(
        document,
        thread_findings(Thread(document, view, contracts, exempt=choice.exempt)),
        contracts,
        document.format.contract,
    )


def _changes(
    document: Document, view: View, todo: list[Finding], choice: Choice, contracts: tuple[str, ...]
) -> list[tuple[Finding, Any]]:
    """Return one change for each record that needs one: what a whole message can lose first, its content after that."""
    drops: dict[Record, tuple[Finding, Any]] = {}
    for finding in todo:
        if finding.rule in _DROPS and finding.record.id:
            drops.setdefault(finding.record, (finding, None))
    if drops:
        return list(drops.values())
    # What was replaced before is not looked into again: its blocks are no longer the record's own.
    replaced = {r.extra[0] for r in view.path if r.kind == "context_edit"}
    mine = [
        f
        for f in todo
        if f.rule in _CONTENT and f.record.id not in replaced and f.record.id and f.record.kind == "message"
    ]
    return _repaired_contents(document, mine, choice, contracts) if mine else []


def _repaired_contents(
    document: Document, findings: list[Finding], choice: Choice, contracts: tuple[str, ...]
) -> list[tuple[Finding, Any]]:
    """Let the fixes work on a virtual document, one rule after the other, and take the new content from it."""
    first: dict[Record, Finding] = {}
    for finding in sorted(findings, key=lambda f: (f.line, _CONTENT.index(f.rule))):
        first.setdefault(finding.record.as_read, finding)
    virtual = document
    left = {(f.record.as_read, f.rule) for f in findings}
    while findings:
        rule = min((f.rule for f in findings), key=_CONTENT.index)
        view, _ = _look(virtual, choice, contracts)
        mine = tuple(f for f in findings if f.rule == rule)
        fix = RULES[rule].fix
        assert fix is not None
        index = Index(virtual, view, Thread(virtual, view, contracts).pairs, choice.policies, contracts, mine)
        virtual = apply_edits(virtual, fix(mine, index))
        # A fix may take blocks out: the places of what is left are found anew, but each rule has one go at it.
        left = {key for key in left if key[1] != rule}
        findings = [f for f in _look(virtual, choice, contracts)[1] if (f.record.as_read, f.rule) in left]
    there = {record.as_read: record for record in virtual.records}
    found: list[tuple[Finding, Any]] = []
    for record, finding in first.items():
        content = virtual.value(there[record]).get("message", {}).get("content") if record in there else None
        found.append((finding, None if content is None else {"content": content}))
    return found


def _append(draft: Draft, finding: Finding, replacement: Any) -> None:
    end = draft.last
    leaf = end if end.id else next(r for r in reversed(draft.records) if r.id)
    target = finding.record
    value = {
        "type": "context_edit",
        "id": fresh_id(leaf.id or "", f"{target.id} {finding.rule}".encode(), draft.taken),
        "parentId": leaf.id,
        "timestamp": _time(draft, leaf),
        "targetId": target.id,
        "replacement": replacement,
    }
    draft.add(value, end, finding.rule, line=target.line, call_id=finding.call_id, detail=f"edits line {target.line}")


def _time(draft: Draft, record: Record) -> str:
    time = draft.value(record).get("timestamp")
    return time if isinstance(time, str) else "1970-01-01T00:00:00.000Z"
