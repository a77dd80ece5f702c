"""Findings as SARIF 2.1.0 (OASIS): one run, every rule declared, unreadable files as notifications."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from typing import TYPE_CHECKING, Any, TextIO

from condense_cli import __version__
from condense_cli.model.findings import Severity
from condense_cli.output.json import ascii_json
from condense_cli.output.place import STDIN, uri
from condense_cli.output.plain import one_line
from condense_cli.output.sentence import facts, problem, sentence
from condense_cli.rules.catalogue import RULES, Rule
from condense_cli.rules.contracts import CONTRACTS, cell, variants

if TYPE_CHECKING:
    from collections.abc import Iterable

    from condense_cli.model.findings import Finding, Report

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note", None: "none"}
_INDEX = {name: n for n, name in enumerate(RULES)}


def write(reports: Iterable[Report], stream: TextIO, *, base: str | None = None) -> None:
    """Write one SARIF log, result by result; files below base (the current folder) get relative URIs."""
    base = os.path.abspath(base or os.curdir)
    notifications: list[dict[str, Any]] = []
    seen: Counter[str] = Counter()
    stream.write(
        f'{{"$schema":{ascii_json(SCHEMA)},"version":"2.1.0","runs":[{{"tool":{ascii_json(_tool())},"columnKind":"utf16CodeUnits","results":['
    )
    comma = ""
    for report in reports:
        where = uri("stdin" if report.path == STDIN else report.path, base)
        if report.error is not None:
            notifications.append(_notification(report, where))
        for finding in report.findings:
            stream.write(f"{comma}\n{ascii_json(_result(finding, where, seen))}")
            comma = ","
    invocation = {"executionSuccessful": not notifications, "toolExecutionNotifications": notifications}
    stream.write(f'\n],"invocations":[{ascii_json(invocation)}]}}]}}\n')


def _tool() -> dict[str, Any]:
    return {
        "driver": {
            "name": "condense",
            "semanticVersion": __version__,
            "rules": [_rule(rule) for rule in RULES.values()],
            "notifications": [
                {"id": "unreadable-file", "shortDescription": {"text": "the file is no session or cannot be read"}}
            ],
        }
    }


def _rule(rule: Rule) -> dict[str, Any]:
    repair = f"Repair: {rule.repair}." if rule.repair else "Reported only: there is no safe repair."
    return {
        "id": rule.name,
        "name": "".join(part.capitalize() for part in rule.name.split("-")),
        "shortDescription": {"text": rule.means},
        "help": {"text": f"{repair} `condense explain {rule.name}` says more."},
        # How much a rule is minded depends on the contract, so each result carries a level of its own.
        "defaultConfiguration": {"level": _LEVELS[_worst(rule.name)]},
        "properties": {"tags": [rule.layer.value]},
    }


def _worst(rule: str) -> Severity | None:
    cells = (cell(rule, variant, contract).severity for variant in ("", *variants(rule)) for contract in CONTRACTS)
    return max(filter(None, cells), key=lambda severity: severity.rank, default=None)


def _result(finding: Finding, where: str, seen: Counter[str]) -> dict[str, Any]:
    about = facts(finding._replace(related=()))
    text = sentence(finding.rule, finding.detail) + (f" ({about})" if about else "")
    properties = {
        "contract": finding.contract,
        "providerError": finding.provider_error,
        "callId": _readable(finding.call_id),
        "entry": _readable(finding.entry),
        "index": finding.index,
        "part": finding.part,
        "fixable": finding.fixable,
    }
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "level": _LEVELS[finding.severity],
        "message": {"text": _unlinked(text)},
        "locations": [_location(where, finding.line)],
        "partialFingerprints": {"condense/v1": _fingerprint(finding, where, seen)},
        "properties": {name: value for name, value in properties.items() if value is not None},
    }
    if finding.rule in _INDEX:
        result["ruleIndex"] = _INDEX[finding.rule]
    if finding.related:
        result["relatedLocations"] = [{"id": n, **_location(where, line)} for n, line in enumerate(finding.related, 1)]
    return result


def _notification(report: Report, where: str) -> dict[str, Any]:
    return {
        "descriptor": {"id": "unreadable-file", "index": 0},
        "level": "error",
        "message": {"text": _unlinked(problem(report))},
        "locations": [{"physicalLocation": {"artifactLocation": _artifact(where)}}],
    }


def _location(where: str, line: int) -> dict[str, Any]:
    return {"physicalLocation": {"artifactLocation": _artifact(where), "region": {"startLine": max(line, 1)}}}


def _artifact(where: str) -> dict[str, str]:
    return {"uri": where} if where.startswith("file:") else {"uri": where, "uriBaseId": "%SRCROOT%"}


def _fingerprint(finding: Finding, where: str, seen: Counter[str]) -> str:
    """Name a finding by what survives an edit above it: its ids; by its line only where it has none."""
    owner = (
        ["line", finding.line]
        if finding.entry is None and finding.call_id is None
        else [finding.entry, finding.call_id, finding.part]
    )
    name = ascii_json([where, finding.rule, finding.contract, *owner])
    seen[name] += 1
    return hashlib.sha256(f"{name}#{seen[name]}".encode()).hexdigest()[:32]


def _readable(name: str | None) -> str | None:
    """Spell out control characters and lone surrogates, at which a strict JSON reader would refuse the whole log."""
    return None if name is None else one_line(name)


def _unlinked(text: str) -> str:
    r"""Escape what would be a link in a SARIF message (section 3.11.6): an id may read `[here](https://…)`."""
    return text.replace("[", r"\[").replace("]", r"\]")
