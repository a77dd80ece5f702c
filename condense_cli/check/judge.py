"""Judging: each finding gets the severity that a contract has for it, and what the contract does not flag is left
out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from condense_cli.document.tables import order_as_read
from condense_cli.model.findings import Finding, Severity
from condense_cli.rules.catalogue import RULES
from condense_cli.rules.contracts import severity
from condense_cli.rules.refusals import provider_error

if TYPE_CHECKING:
    from condense_cli.document.document import Document

_BY_MOVING = frozenset({"unanswered-call", "displaced-result", "result-before-call", "starts-without-user"})


def judge(
    document: Document, found: Iterable[Finding], contract: str, own: str, *, named: bool = False
) -> list[Finding]:
    """Return the findings that a contract flags, with its severity, in file order; of equal ones the worst."""
    best: dict[tuple[object, ...], Finding] = {}
    read_only = document.refusal() is not None
    kinds: dict[tuple[str, str], tuple[Severity | None, bool]] = {}  # asked once for all findings of a kind
    for finding in found:
        kind = finding.rule, finding.variant
        if kind not in kinds:
            kinds[kind] = _kind(document, finding, contract, own)
        how_bad, fixable = kinds[kind]
        if how_bad is None:
            continue
        as_read = finding.record.as_read
        key = finding.rule, as_read, finding.part, finding.call_id
        before = best.get(key)
        if before is not None and before.severity is not None and before.severity.rank >= how_bad.rank:
            continue
        best[key] = Finding(
            finding.rule,
            finding.line,
            finding.record,
            how_bad,
            finding.variant,
            finding.part,
            finding.call_id,
            finding.related,
            finding.detail,
            document.index(finding.record),
            as_read.id,
            fixable and finding.possible and not read_only,
            contract if named else None,
            _error(document, finding, contract) if named else None,
            finding.possible,
            finding.cause,
        )
    # Where each line with findings has one record, the line is order enough.
    several = len({f.line for f in best.values()}) < len({f.record.as_read for f in best.values()})
    order = document.derived(order_as_read) if several else {}
    return sorted(best.values(), key=lambda f: (f.line, order.get(f.record.as_read, -1), f.part or 0))


def _kind(document: Document, finding: Finding, contract: str, own: str) -> tuple[Severity | None, bool]:
    """Return how bad findings of a rule and variant are, and whether a repair fixes those that it can do anything
    about.
    """
    how_bad = severity(finding.rule, finding.variant, contract, own)
    if how_bad is None:
        return None, False
    moves = finding.rule in _BY_MOVING and document.fixed
    return how_bad, is_fixable(finding._replace(possible=True), how_bad) and not moves


def judged(document: Document, found: Iterable[Finding], contracts: Sequence[str], own: str) -> list[Finding]:
    """Return the findings with the worst severity that any of the contracts gives them."""
    if len(contracts) == 1:
        return judge(document, found, contracts[0], own)
    findings = list(found)
    best: dict[tuple[object, ...], Finding] = {}
    for contract in contracts:
        for finding in judge(document, findings, contract, own):
            before = best.get(key_of(finding))
            if before is None or (
                finding.severity and before.severity and finding.severity.rank > before.severity.rank
            ):
                best[key_of(finding)] = finding
    return list(best.values())


def key_of(finding: Finding) -> tuple[object, ...]:
    """Return what tells one finding from another: rule, record, part and call id."""
    return finding.rule, finding.record.as_read, finding.part, finding.call_id


def _error(document: Document, finding: Finding, contract: str) -> str | None:
    return provider_error(
        finding.rule,
        finding.variant,
        contract,
        call_id=finding.call_id,
        index=document.index(finding.record),
        part=finding.part,
    )


def is_fixable(finding: Finding, how_bad: Severity) -> bool:
    """Say whether a repair fixes it by default."""
    rule = RULES[finding.rule]
    return bool(rule.repair) and how_bad is not Severity.INFO and not needs_request(finding) and finding.possible


def needs_request(finding: Finding) -> bool:
    """Say whether only --select or a policy fixes it."""
    rule = RULES[finding.rule]
    return rule.on_request and finding.variant not in rule.by_default
