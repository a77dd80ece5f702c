"""A baseline: findings that an earlier report knew, which are left out."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from condense_cli.errors import UsageError
from condense_cli.model.findings import Finding, Report
from condense_cli.output.json import finding_fields

_ADVICE = "make one with `condense check --output-format json > FILE`"

Known = dict[str, Counter[tuple[Any, ...]]]  # of each file


def read(path: str) -> Known:
    """Count the findings of a report, each under its file and place. Raises UsageError where it is no report."""
    try:
        with open(path, "rb") as handle:
            value = json.load(handle)
        return {file["path"]: Counter(map(_key, file["findings"])) for file in value["files"]}
    except OSError as problem:
        raise UsageError(f"{path}: {problem.strerror}", _ADVICE) from None
    except (ValueError, KeyError, TypeError):
        raise UsageError(f"{path}: not a report of condense", _ADVICE) from None


def without(report: Report, known: Known) -> Report:
    """Leave out what is known, each as often as it was reported: a third owner of an id that two had is new."""
    kept: list[Finding] = []
    left = Counter(known.get(report.path, ()))
    for finding in report.findings:
        key = _key(finding_fields(finding))
        if left[key] > 0:
            left[key] -= 1
        else:
            kept.append(finding)
    return report._replace(findings=tuple(kept))


def _key(finding: dict[str, Any]) -> tuple[Any, ...]:
    place = finding.get("entry") or finding.get("line")
    return (finding["rule"], finding.get("contract"), place, finding.get("part"), finding.get("call_id"))
