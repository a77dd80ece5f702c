"""The findings of an earlier report, which a new one leaves out."""

from __future__ import annotations

import json
import os
from collections import Counter
from typing import TYPE_CHECKING, Any

from condense_cli.errors import UsageError
from condense_cli.output.json import finding_fields
from condense_cli.output.place import STDIN

if TYPE_CHECKING:
    from condense_cli.model.findings import Finding, Report

Known = Counter[tuple[Any, ...]]

_ADVICE = "make one with `condense check --output-format json -o FILE`"


def read(path: str) -> Known:
    """Read a JSON report: how often each finding of each file was known. Raises UsageError where it is none.

    A path in it is relative to the folder of the report, or to the nearest folder above in which there is such a file.
    """
    try:
        with open(path, "rb") as handle:
            value = json.load(handle)
        folder = os.path.dirname(os.path.abspath(path))
        return Counter(
            (_file(file["path"], folder), *_key(finding)) for file in value["files"] for finding in file["findings"]
        )
    except OSError as problem:
        raise UsageError(f"{path}: {problem.strerror}", _ADVICE) from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UsageError(f"{path}: not a report of condense", _ADVICE) from None


def without(report: Report, known: Known) -> Report:
    """Leave out what is known, each as often as it was reported: a third owner of an id that two had is new."""
    path = report.path if report.path == STDIN else os.path.realpath(report.path)
    kept: list[Finding] = []
    for finding in report.findings:
        key = (path, *_key(finding_fields(finding)))
        if known[key] > 0:
            known[key] -= 1  # a path is checked once
        else:
            kept.append(finding)
    return report._replace(findings=tuple(kept))


def _key(finding: dict[str, Any]) -> tuple[Any, ...]:
    place = finding.get("entry") or finding.get("line")
    return (finding["rule"], finding.get("contract"), place, finding.get("part"), finding.get("call_id"))


def _file(path: str, folder: str) -> str:
    if path == STDIN:
        return path
    above = folder
    while True:
        if os.path.exists(os.path.join(above, path)):
            return os.path.realpath(os.path.join(above, path))
        if above == os.path.dirname(above):
            break
        above = os.path.dirname(above)
    here = os.path.exists(path)
    return os.path.realpath(path if here else os.path.join(folder, path))
