"""Run `condense check`: files in, reports out, one exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib import import_module

from condense_cli.cli import options
from condense_cli.cli.check.files import Job, reports
from condense_cli.cli.check.values import FailOn, Output, ViewName
from condense_cli.cli.choices import contracts_of, rules_of
from condense_cli.cli.configuration import settings
from condense_cli.cli.targets import targets
from condense_cli.errors import ExitCode, UnreadableError
from condense_cli.model.findings import Report, Severity
from condense_cli.rules.catalogue import PAIRING_RULES, RULES


def run(
    paths: list[str] | None,
    *,
    contract: list[str] | None,
    fail_on: FailOn | None,
    select: list[str] | None,
    ignore: list[str] | None,
    output_format: Output | None,
    baseline: str | None,
    view: ViewName,
    all_threads: bool,
    jobs: int,
    format_name: str,
    leaf: str | None,
    pairing_only: bool = False,
) -> int:
    """Check everything that was named, write the reports, and return the exit code."""
    configured = settings()
    among = PAIRING_RULES if pairing_only else frozenset(RULES)
    rules = rules_of(select or configured.select, ignore or configured.ignore, among) & among
    contracts = contracts_of(contract)
    stored = view is ViewName.STORED
    job = Job(format_name, contracts, leaf, all_threads or stored, stored, rules)
    tally = _Tally(FailOn(fail_on or configured.fail_on or "warning"))
    found = reports(targets(paths or [], configured), job, jobs)
    judged = (tally.add(report) for report in _without(baseline, found))
    _write(judged, _output(output_format), contracts)
    for notice in tally.notices:
        options.note(f"condense: {notice}")
    if not tally.files:
        raise UnreadableError(
            "nothing found to check", "name a session file or a folder; `condense doctor` lists the sessions of this machine"
        )
    return int(tally.exit_code)


def _without(baseline: str | None, found: Iterator[Report]) -> Iterator[Report]:
    if baseline is None:
        return found
    from condense_cli.cli.check.baseline import read, without

    known = read(baseline)
    return (without(report, known) for report in found)


def _output(asked: Output | None) -> Output:
    if asked is not None:
        return asked
    if os.environ.get("GITHUB_ACTIONS") == "true" and not sys.stdout.isatty():
        return Output.GITHUB
    return Output.TEXT


def _write(reports: Iterator[Report], output: Output, contracts: tuple[str, ...]) -> None:
    writer = import_module(f"condense_cli.output.{'terminal' if output is Output.TEXT else output.value}")
    if output is Output.TEXT:
        writer.write(reports, sys.stdout, color=options.coloured(sys.stdout), contracts=contracts)
    else:
        writer.write(reports, sys.stdout)


class _Tally:
    def __init__(self, fail_on: FailOn) -> None:
        self.least = 9 if fail_on is FailOn.NEVER else Severity(fail_on.value).rank
        self.files = 0
        self.notices: dict[str, None] = {}  # each is said once
        self.exit_code = ExitCode.FINE

    def add(self, report: Report) -> Report:
        self.files += 1
        if report.notice:
            self.notices[report.notice] = None
        code = ExitCode(report.exit_code)
        if report.error is None and any(f.severity is not None and f.severity.rank >= self.least for f in report.findings):
            code = ExitCode.FOUND
        self.exit_code = max(self.exit_code, code)
        if options.verbose() and report.error is None:
            options.note(f"{report.path}: {report.format} {report.client_version or ''}".rstrip() + f", {_counts(report)}")
        return report


def _counts(report: Report) -> str:
    counts = (("threads", report.threads), ("messages", report.messages), ("calls", report.calls), ("results", report.results))
    return ", ".join(f"{number} {name}" for name, number in counts)
