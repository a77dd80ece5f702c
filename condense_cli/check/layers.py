"""The layers of a file, in order: each rule scans the document that the fixes of the rules before it would make.

That document is virtual: a value, made of the old one and edits. Whoever asks says which findings are fixed in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from condense_cli.document.edits import RecordEdit, apply_edits
from condense_cli.document.index import Index
from condense_cli.rules.catalogue import LAST_SCANS, RULES, SCAN_ORDER
from condense_cli.rules.line.split_record import lines_of
from condense_cli.rules.rule import Layer

if TYPE_CHECKING:
    from condense_cli.document.document import Document
    from condense_cli.model.findings import Finding
    from condense_cli.model.messages import Record
    from condense_cli.rules.rule import Rule

Choose = Callable[["Finding"], bool]


class Scanned(NamedTuple):
    """What is wrong with the file itself, the edits that fix what was chosen, and the document that they make."""

    document: Document
    findings: tuple[Finding, ...] = ()
    edits: tuple[RecordEdit, ...] = ()

    def fixed(self, findings: Sequence[Finding], edits: tuple[RecordEdit, ...]) -> Scanned:
        """Return the same after one more rule."""
        return Scanned(apply_edits(self.document, edits), (*self.findings, *findings), (*self.edits, *edits))


def everything(_: Finding) -> bool:
    """Choose every fix: what a check assumes when it leaves damage aside."""
    return True


def scan_file(document: Document, choose: Choose = everything) -> Scanned:
    """Scan the line, header and tree layers; choose says of a finding whether the next rule sees it fixed."""
    known = document.derived(_known)
    if known and all(choose(finding) for finding in known[0].asked):
        found = known[0]
        return Scanned(found.document or document, found.findings, found.edits)
    asked: list[Finding] = []

    def remembered(finding: Finding) -> bool:
        if finding.possible and RULES[finding.rule].repair:
            asked.append(finding)
        return choose(finding)

    scanned = _scan_file(document, remembered)
    if not known and all(choose(finding) for finding in asked):
        # Whoever chooses the same gets the same. A document that refers to itself would never be given back.
        new = scanned.document if scanned.document is not document else None
        known.append(_Known(new, scanned.findings, scanned.edits, tuple(asked)))
    return scanned


class _Known(NamedTuple):
    """What a scan made that fixed all it found, and of which findings it asked; no document: the one it began with."""

    document: Document | None
    findings: tuple[Finding, ...]
    edits: tuple[RecordEdit, ...]
    asked: tuple[Finding, ...]


def _known(_: Document) -> list[_Known]:
    return []


def _scan_file(document: Document, choose: Choose) -> Scanned:
    now = Scanned(document)
    explained: set[Record] = set()  # damaged lines that stay as they are: no other rule has to explain them
    for rule in SCAN_ORDER:
        now = _scan_rule(now, rule, explained, choose)
    now = _own_layer(now, choose)
    for rule in LAST_SCANS:
        now = _scan_rule(now, rule, explained, choose)
    return now


def _scan_rule(now: Scanned, rule: Rule, explained: set[Record], choose: Choose) -> Scanned:
    """Scan one rule and fix what was chosen; damaged lines that stay are added to `explained`."""
    findings = (
        [f for f in rule.scan(now.document) if not _is_explained(rule, f, explained)] if rule.scan is not None else []
    )
    if not findings:
        return now
    edits = tuple(fixes([finding for finding in findings if choose(finding)], now.document))
    if rule.layer is Layer.LINE:
        explained.update(_unfixed(findings, edits))
    kept = _without_absorbed(now, edits) if rule.absorbs else now
    return kept.fixed(findings, edits)


def _is_explained(rule: Rule, finding: Finding, explained: set[Record]) -> bool:
    return rule.layer is Layer.LINE and rule.name != "missing-final-newline" and finding.record in explained


def _unfixed(findings: Iterable[Finding], edits: Iterable[RecordEdit]) -> Iterator[Record]:
    changed = {edit.old for edit in edits}
    for finding in findings:
        if finding.record not in changed:
            yield from lines_of(finding)


def _without_absorbed(now: Scanned, edits: tuple[RecordEdit, ...]) -> Scanned:
    dropped = {edit.old for edit in edits if edit.old is not None and not edit.new}
    return now._replace(findings=tuple(f for f in now.findings if f.record not in dropped)) if dropped else now


def _own_layer(now: Scanned, choose: Choose) -> Scanned:
    """Scan what only the format itself can have wrong."""
    fmt = now.document.format
    findings = tuple(fmt.scan(now.document))
    if not findings:
        return now
    draft = Index(now.document).draft()
    for finding in findings:
        if finding.possible and RULES[finding.rule].repair and choose(finding):
            fmt.fix(draft, finding)
    return now.fixed(findings, draft.edits)


def fixes(findings: Iterable[Finding], document: Document) -> Iterator[RecordEdit]:
    """Yield the edits that fix findings of the file's layers."""
    groups: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.possible:
            groups.setdefault(finding.rule, []).append(finding)
    for name, mine in groups.items():
        fix = RULES[name].fix
        if fix is not None:
            yield from fix(mine, Index(document))
