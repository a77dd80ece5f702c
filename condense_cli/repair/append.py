"""Repair by appending only: `context_edit` entries that take a message out of pi's context or replace its content.

Nothing that stands in the file changes by a byte. Only pi 0.87 and later read these entries; older ones ignore
them. What cannot be mended that way - the tree, ids, a result that would have to move - is left as remaining.
"""

from __future__ import annotations

from typing import Any

from condense_cli.check.engine import mend_file, thread_findings
from condense_cli.document.document import Document
from condense_cli.document.format import View
from condense_cli.errors import UsageError
from condense_cli.model.findings import Finding
from condense_cli.model.ids import fresh_id
from condense_cli.model.messages import Record
from condense_cli.model.plan import Plan
from condense_cli.pairing.pair import pair
from condense_cli.repair.engine import FIXERS, Choice, Wanted, end_of_thread, judged
from condense_cli.repair.halves import Context
from condense_cli.repair.links import Surgery

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
        raise UsageError(f"{document.path}: only pi sessions of version 2 and later can be repaired by appending", "leave out --method append")
    own = document.format.contract
    contracts = choice.contracts or (own,)
    wanted = Wanted(choice, contracts, own)
    mend_file(document, lambda rule: rule == "missing-final-newline" and wanted.in_file(rule))
    first: list[Finding] | None = None
    tried: set[tuple[str, int]] = set()
    while True:
        view = next(iter(document.format.views(document, choice.leaf, every=False)))
        on_thread = judged(document, thread_findings(document, view, contracts=contracts), contracts, own)
        now = judged(document, document.findings, contracts, own) + on_thread
        first = now if first is None else first
        todo = [f for f in on_thread if wanted.finding(f) and (f.rule, id(f.record)) not in tried]
        edits = _edits(document, view, todo, choice, contracts)
        if not edits:
            break
        for finding, replacement in edits:
            tried.add((finding.rule, id(finding.record)))
            _append(document, finding, replacement)
        document.settle()
    remaining = [f for f in now if f.rule != "missing-final-newline"]
    segments = document.segments()
    return Plan(
        document.path, document.format.name, document.source.sha256(), document.source.size, tuple(first), tuple(remaining),
        tuple(document.edits), segments, tuple(contracts), end_of_thread(document, choice.leaf),
    )  # fmt: skip


def _edits(document: Document, view: View, todo: list[Finding], choice: Choice, contracts: tuple[str, ...]) -> list[tuple[Finding, Any]]:
    """Return one edit for each record that needs one: what a whole message can lose first, its content after that."""
    drops: dict[int, tuple[Finding, Any]] = {}
    for finding in todo:
        if finding.rule in _DROPS and finding.record.id:
            drops.setdefault(id(finding.record), (finding, None))
    if drops:
        return list(drops.values())
    # What was replaced before is not looked into again: its blocks are no longer the record's own.
    replaced = {r.extra[0] for r in view.path if r.kind == "context_edit"}
    mine = [f for f in todo if f.rule in _CONTENT and f.record.id not in replaced and f.record.id and f.record.kind == "message"]
    return _mended_contents(document, mine, choice, contracts) if mine else []


def _mended_contents(document: Document, findings: list[Finding], choice: Choice, contracts: tuple[str, ...]) -> list[tuple[Finding, Any]]:
    """Let the fixers work on the records, one rule after the other, take the new content, and put the records back as they were."""
    before = {id(r): r.data for r in document.records}
    edits = len(document.edits)
    first: dict[int, Finding] = {}
    for finding in sorted(findings, key=lambda f: (f.line, _CONTENT.index(f.rule))):
        first.setdefault(id(finding.record), finding)
    while findings:
        rule = min((f.rule for f in findings), key=_CONTENT.index)
        view = next(iter(document.format.views(document, choice.leaf, every=False)))
        pairing = pair(view.messages, shared_results=document.format.shared_results)
        mine = tuple(f for f in findings if f.rule == rule)
        FIXERS[rule](Context(document, view, pairing, mine, choice.policies, contracts, Surgery(document, view)))
        # A fixer may take blocks out: the places of what is left are found anew, but each rule has one go at it.
        left = {(id(f.record), f.rule) for f in findings if f.rule != rule and not f.record.gone}
        view = next(iter(document.format.views(document, choice.leaf, every=False)))
        again = judged(document, thread_findings(document, view, contracts=contracts), contracts, document.format.contract)
        findings = [f for f in again if (id(f.record), f.rule) in left]
    found: list[tuple[Finding, Any]] = []
    for finding in first.values():
        record = finding.record
        content = None if record.gone else document.value(record).get("message", {}).get("content")
        found.append((finding, None if content is None else {"content": content}))
    for record in document.records:
        if record.gone or record.data is not before[id(record)]:
            record.gone = False
            record.data = before[id(record)]
            document.format.read(record, document.value(record))
    del document.edits[edits:]
    return found


def _append(document: Document, finding: Finding, replacement: Any) -> None:
    end = document.records[-1]
    leaf = next(r for r in reversed(document.records) if r.id)
    target = finding.record
    taken: set[str | None] = {r.id for r in document.records}
    value = {
        "type": "context_edit",
        "id": fresh_id(leaf.id or "", f"{target.id} {finding.rule}".encode(), taken),
        "parentId": leaf.id,
        "timestamp": _time(document, leaf),
        "targetId": target.id,
        "replacement": replacement,
    }
    document.add(value, end, finding.rule, call_id=finding.call_id, detail=f"edits line {target.line}")
    document.settle()


def _time(document: Document, record: Record) -> str:
    time = document.value(record).get("timestamp")
    return time if isinstance(time, str) else "1970-01-01T00:00:00.000Z"
