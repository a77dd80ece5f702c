"""What all reports of a check come to."""

from __future__ import annotations

import os

from condense_cli.cli import options
from condense_cli.cli.check.asked import Way
from condense_cli.cli.check.values import FailOn, Unknown
from condense_cli.errors import ExitCode
from condense_cli.model.findings import Report, Severity

_MOST_KINDS = 10
_LONGEST_KIND = 40  # characters


class Outcome:
    """What all reports come to: the exit code, what is said once, and the summary of a GitHub step."""

    def __init__(self, way: Way) -> None:
        from condense_cli.output.step_summary import StepSummary

        self.way = way
        self.least = 9 if way.fail_on is FailOn.NEVER else Severity(way.fail_on.value).rank
        self.left = way.most
        self.files = 0
        self.passed_over = 0
        self.notices: dict[str, None] = {}  # each is said once
        self.exit_code = ExitCode.FINE
        self.summary_file = os.environ.get("GITHUB_STEP_SUMMARY") or None
        self.summary = StepSummary()

    def add(self, report: Report) -> Report:
        """Count a report and return it as it is shown."""
        if report.passed_over and self.way.unknown is Unknown.ERROR:
            report = report._replace(passed_over="")
        if report.passed_over:
            self.passed_over += 1
            shown = report._replace(error=None) if self.way.unknown is Unknown.SKIP else report
        else:
            self.files += 1
            self._judge(report)
            shown = self._cut(report)
        if self.summary_file:
            self.summary.add(shown)
        return shown

    def _judge(self, report: Report) -> None:
        if report.notice:
            self.notices[report.notice] = None
        code = ExitCode(report.exit_code)
        if report.error is None and any(
            f.severity is not None and f.severity.rank >= self.least for f in report.findings
        ):
            code = ExitCode.FOUND
        self.exit_code = max(self.exit_code, code)
        if options.verbose() and report.error is None:
            options.note(
                f"{report.path}: {report.format} {report.client_version or ''}".rstrip() + f", {_counts(report)}"
            )
            if report.unknown_kinds:
                options.note(
                    f"{report.path}: of kinds that condense does not know, passed through as they are: {_kinds(report)}"
                )

    def _cut(self, report: Report) -> Report:
        if self.left is None or len(report.findings) <= self.left:
            self.left = None if self.left is None else self.left - len(report.findings)
            return report
        order = sorted(report.findings, key=lambda finding: -(finding.severity.rank if finding.severity else 0))
        shown, rest = order[: self.left], order[self.left :]
        self.left = 0
        return report._replace(findings=tuple(shown), not_shown=tuple(rest))

    def end(self) -> None:
        """Write the summary of the step, and say what is to be said once."""
        if self.summary_file:
            from condense_cli.storage.append import append_text

            append_text(self.summary_file, self.summary.markdown())
        for notice in self.notices:
            options.note(f"condense: {notice}")


def _counts(report: Report) -> str:
    counts = (
        ("threads", report.threads),
        ("messages", report.messages),
        ("calls", report.calls),
        ("results", report.results),
    )
    return ", ".join(f"{number} {name}" for name, number in counts)


def _kinds(report: Report) -> str:
    """Name the kinds with their numbers; a kind is a word of the file."""
    named = [f"{count} {kind[:_LONGEST_KIND]}" for kind, count in report.unknown_kinds[:_MOST_KINDS]]
    more = len(report.unknown_kinds) - len(named)
    return ", ".join([*named, f"{more} more kinds"] if more else named)
