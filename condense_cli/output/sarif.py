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
from condense_cli.output.tally import Tally, summary_line
from condense_cli.rules.catalogue import RULES, Rule
from condense_cli.rules.contracts import CLIENTS, PROVIDERS, TRAINING, cell, variants

if TYPE_CHECKING:
    from collections.abc import Iterable

    from condense_cli.model.findings import Finding, Report

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

MOST_RESULTS = 25_000
"""Results of a run that GitHub takes; it shows 5,000 of them, by severity."""

MOST_LOCATIONS = 1_000
"""Locations of a result that GitHub takes."""

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note", None: "none"}
_INDEX = {name: n for n, name in enumerate(RULES)}


def write(reports: Iterable[Report], stream: TextIO, *, base: str | None = None) -> None:
    """Write one SARIF log; files below base (the current folder) get relative URIs.

    GitHub refuses a log with more results than MOST_RESULTS: the most severe ones stay, and a notification says so.
    """
    base = os.path.abspath(base or os.curdir)
    notifications: list[dict[str, Any]] = []
    results = _Results(MOST_RESULTS)
    seen: Counter[str] = Counter()
    tally = Tally()
    for report in reports:
        tally.add(report)
        where = uri("stdin" if report.path == STDIN else report.path, base)
        if report.error is not None:
            notifications.append(_notification(report, where))
        for finding in report.findings:
            results.add(finding, _result(finding, where, seen))
    succeeded = not tally.unchecked
    if results.cut() or tally.not_shown or tally.passed_over:
        notifications.append(_notice(results, tally))
    stream.write(
        f'{{"$schema":{ascii_json(SCHEMA)},"version":"2.1.0","runs":[{{"tool":{ascii_json(_tool())},"columnKind":"utf16CodeUnits","results":['
    )
    stream.write(",".join(f"\n{text}" for text in results.texts()))
    invocation = {"executionSuccessful": succeeded, "toolExecutionNotifications": notifications}
    stream.write(f'\n],"invocations":[{ascii_json(invocation)}]}}]}}\n')


class _Results:
    """At most so many results as JSON, the most severe ones, in the order in which they came."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.found: dict[int, list[tuple[int, str]]] = {rank: [] for rank in (3, 2, 1, 0)}
        self.number = 0

    def add(self, finding: Finding, result: dict[str, Any]) -> None:
        """Keep a result, as long as its severity has room."""
        same = self.found[finding.severity.rank if finding.severity else 0]
        if len(same) < self.most:
            same.append((self.number, ascii_json(result)))
        self.number += 1

    def texts(self) -> list[str]:
        """Return the results that stay."""
        return [text for _, text in sorted(self._kept())]

    def cut(self) -> int:
        """Return how many results are left out."""
        return self.number - len(self._kept())

    def _kept(self) -> list[tuple[int, str]]:
        return [one for found in self.found.values() for one in found][: self.most]


def _tool() -> dict[str, Any]:
    return {
        "driver": {
            "name": "condense",
            "semanticVersion": __version__,
            "rules": [_rule(rule) for rule in RULES.values()],
            "notifications": [
                {"id": "unreadable-file", "shortDescription": {"text": "the file is not a session or cannot be read"}},
                {
                    "id": "not-complete",
                    "shortDescription": {"text": "files or findings that this log does not contain"},
                },
            ],
        }
    }


def _rule(rule: Rule) -> dict[str, Any]:
    repair = f"Repair: {rule.repair}." if rule.repair else "Reported only: there is no safe repair."
    return {
        "id": rule.name,
        "name": "".join(part.capitalize() for part in rule.name.split("-")),
        "shortDescription": {"text": rule.means},
        "fullDescription": {"text": f"{rule.means[0].upper()}{rule.means[1:]}. {repair}"},
        "helpUri": _help_uri(rule.name),
        "help": {"text": f"{repair} `condense explain {rule.name}` says more."},
        # How much a rule is minded depends on the contract, so each result carries a level of its own.
        "defaultConfiguration": {"level": _LEVELS[_worst(rule.name)]},
        "properties": {"tags": [rule.layer.value]},
    }


def _help_uri(rule: str) -> str:
    """Return where the rule is documented: below the package's documentation URL, else a name that is no address."""
    from importlib.metadata import PackageNotFoundError, metadata

    try:
        urls = metadata("condense-cli").get_all("Project-URL") or []
    except PackageNotFoundError:
        urls = []
    for entry in urls:
        label, _, address = entry.partition(",")
        if label.strip().lower() == "documentation":
            return f"{address.strip()}#{rule}"
    return f"urn:condense:rule:{rule}"


def _worst(rule: str) -> Severity | None:
    cells = (
        cell(rule, variant, contract).severity
        for variant in ("", *variants(rule))
        for contract in (*CLIENTS, *PROVIDERS)
    )
    worst = max(filter(None, cells), key=lambda severity: severity.rank, default=None)
    return worst or cell(rule, "", TRAINING).severity


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
        "partialFingerprints": _fingerprints(finding, where, seen),
        "properties": {name: value for name, value in properties.items() if value is not None},
    }
    if finding.rule in _INDEX:
        result["ruleIndex"] = _INDEX[finding.rule]
    if finding.related:
        lines = finding.related[: MOST_LOCATIONS - 1]
        result["relatedLocations"] = [{"id": n, **_location(where, line)} for n, line in enumerate(lines, 1)]
    return result


def _notification(report: Report, where: str) -> dict[str, Any]:
    return {
        "descriptor": {"id": "unreadable-file", "index": 0},
        "level": "warning" if report.passed_over else "error",
        "message": {"text": _unlinked(problem(report))},
        "locations": [{"physicalLocation": {"artifactLocation": _artifact(where)}}],
    }


def _location(where: str, line: int) -> dict[str, Any]:
    return {"physicalLocation": {"artifactLocation": _artifact(where), "region": {"startLine": max(line, 1)}}}


def _artifact(where: str) -> dict[str, str]:
    return {"uri": where} if where.startswith("file:") else {"uri": where, "uriBaseId": "%SRCROOT%"}


def _fingerprints(finding: Finding, where: str, seen: Counter[str]) -> dict[str, str]:
    """Name a finding by what survives an edit above it: its ids; by its line only where it has none.

    primaryLocationLineHash is what GitHub tells alerts apart by: a hash and how often it occurred so far.
    """
    owner = (
        ["line", finding.line]
        if finding.entry is None and finding.call_id is None
        else [finding.entry, finding.call_id, finding.part]
    )
    name = ascii_json([where, finding.rule, finding.contract, *owner])
    seen[name] += 1
    return {
        "condense/v1": hashlib.sha256(f"{name}#{seen[name]}".encode()).hexdigest()[:32],
        "primaryLocationLineHash": f"{hashlib.sha256(name.encode()).hexdigest()[:16]}:{seen[name]}",
    }


def _notice(results: _Results, tally: Tally) -> dict[str, Any]:
    parts = [summary_line(tally)]
    if cut := results.cut():
        parts.append(f"{cut} results are left out, the least severe ones: a log holds at most {results.most}")
    return {
        "descriptor": {"id": "not-complete", "index": 1},
        "level": "warning" if cut else "note",
        "message": {"text": _unlinked("; ".join(parts))},
    }


def _readable(name: str | None) -> str | None:
    """Spell out control characters and lone surrogates, at which a strict JSON reader would refuse the whole log."""
    return None if name is None else one_line(name)


def _unlinked(text: str) -> str:
    r"""Escape what would be a link in a SARIF message (section 3.11.6): an id may read `[here](https://…)`."""
    return text.replace("[", r"\[").replace("]", r"\]")
