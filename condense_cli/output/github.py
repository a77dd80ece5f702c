"""Findings as workflow commands of GitHub Actions: annotations at the lines of a pull request."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TextIO

from condense_cli.model.findings import Severity
from condense_cli.output.place import STDIN, relative
from condense_cli.output.plain import visible
from condense_cli.output.sentence import facts, problem, sentence
from condense_cli.output.tally import Tally, summary_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from condense_cli.model.findings import Finding, Report

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice", None: "notice"}

_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def write(reports: Iterable[Report], stream: TextIO, *, base: str | None = None) -> None:
    """Write one annotation per finding and unreadable file, and a last one that counts what is left out; paths below
    base (the current folder) become relative.
    """
    base = os.path.abspath(base or os.curdir)
    tally = Tally()
    for report in reports:
        tally.add(report)
        place = {} if report.path == STDIN else {"file": relative(report.path, base) or report.path}
        if report.error is not None:
            command = "warning" if report.passed_over else "error"
            why = f"passed over ({report.passed_over}): " if report.passed_over else ""
            stream.write(_command(command, place | {"title": "condense"}, why + problem(report)))
        for finding in report.findings:
            properties = place | {"line": str(finding.line), "title": f"condense: {finding.rule}"}
            stream.write(_command(_COMMANDS[finding.severity], properties, _message(finding)))
    if tally.passed_over or tally.not_shown:
        stream.write(_command("notice", {"title": "condense"}, summary_line(tally)))


def _message(finding: Finding) -> str:
    said = f"{finding.contract}: {finding.provider_error}" if finding.contract and finding.provider_error else ""
    return "\n".join(filter(None, (sentence(finding.rule, finding.detail), facts(finding), said)))


def _command(name: str, properties: dict[str, str], message: str) -> str:
    listed = ",".join(f"{key}={visible(value).translate(_PROPERTY)}" for key, value in properties.items())
    return f"::{name} {listed}::{visible(message).translate(_DATA)}\n"
