"""Reports as one JSON object, written file by file. Pure ASCII: no id or path can steer a terminal or break UTF-8."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TextIO

from condense_cli.model.findings import Severity
from condense_cli.output.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Iterable

    from condense_cli.model.findings import Finding, Report

VERSION = 1


def write(reports: Iterable[Report], stream: TextIO) -> None:
    """Write `{"version", "files", "summary"}`; lines count from 1, `index` and `part` from 0."""
    tally = Tally()
    stream.write(f'{{"version":{VERSION},"files":[')
    for report in reports:
        if not report.passed_over:
            stream.write(("," if tally.files else "") + "\n" + ascii_json(file(report)))
        tally.add(report)
    stream.write(f'\n],"summary":{ascii_json(summary(tally))}}}\n')


def file(report: Report) -> dict[str, Any]:
    """Return one file's object; a file that could not be read has an error and no findings."""
    return {
        "path": report.path,
        "format": report.format or None,
        "client_version": report.client_version,
        "threads": report.threads,
        "messages": report.messages,
        "calls": report.calls,
        "results": report.results,
        "findings": [finding_fields(finding) for finding in report.findings],
        "error": report.error,
    }


def summary(tally: Tally) -> dict[str, Any]:
    """Return the numbers of the summary; passed_over counts the files below a folder that were not checked, by
    reason.
    """
    numbers = {name.value: tally.by_severity[name] for name in (Severity.ERROR, Severity.WARNING, Severity.INFO)}
    more = {"not_shown": tally.not_shown} if tally.not_shown else {}
    return {"files": tally.files, **numbers, "passed_over": dict(sorted(tally.passed_over.items())), **more}


def finding_fields(finding: Finding) -> dict[str, Any]:
    """Return one finding's object."""
    out: dict[str, Any] = {
        "rule": finding.rule,
        "severity": finding.severity.value if finding.severity else None,
        "line": finding.line,
        "index": finding.index,
        "entry": finding.entry,
        "part": finding.part,
        "call_id": finding.call_id,
        "related": list(finding.related),
        "detail": finding.detail,
        "fixable": finding.fixable,
        "contract": finding.contract,
        "provider_error": finding.provider_error,
    }
    # Only arrays have an index, only a check against named contracts has the other two.
    if finding.index is None:
        del out["index"]
    if finding.contract is None:
        del out["contract"], out["provider_error"]
    return out


def ascii_json(value: object) -> str:
    """Write a value as JSON on one line, in ASCII alone: nothing in it can steer a terminal."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))
