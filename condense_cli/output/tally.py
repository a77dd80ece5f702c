"""How much was found: counted while reports pass by, so that no report has to be kept."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from condense_cli.model.findings import Severity
from condense_cli.output.sentence import counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from condense_cli.model.findings import Finding, Report

_ORDER = (Severity.ERROR, Severity.WARNING, Severity.INFO)


class Tally:
    """The numbers of the summary: files, files that could not be checked or were passed over, findings."""

    def __init__(self) -> None:
        self.files = 0
        self.unchecked = 0
        self.not_shown = 0
        self.by_severity: Counter[Severity] = Counter()
        self.by_rule: Counter[tuple[str, Severity, bool]] = Counter()
        self.passed_over: Counter[str] = Counter()

    def add(self, report: Report, findings: Iterable[Finding] | None = None) -> None:
        """Count one file; findings are those of the report unless a writer shows fewer places than findings."""
        if report.passed_over:
            self.passed_over[report.passed_over] += 1
            return
        self.files += 1
        self.unchecked += report.error is not None
        self.not_shown += len(report.not_shown)
        told = (*(report.findings if findings is None else findings), *report.not_shown)
        for kind, number in Counter([(one.rule, one.severity, one.fixable) for one in told]).items():
            rule, severity, fixable = kind
            if severity is not None:
                self.by_severity[severity] += number
                self.by_rule[rule, severity, fixable] += number


def summary_line(tally: Tally) -> str:
    """Return `2 files checked: 1 error, 0 warnings, 3 infos`, and what was not checked or passed over, with the
    reasons.
    """
    checked = counted(tally.files - tally.unchecked, "file")
    numbers = ", ".join(counted(tally.by_severity[severity], severity.value) for severity in _ORDER)
    parts = [f"{checked} checked: {numbers}"]
    if tally.unchecked:
        parts.append(f"{counted(tally.unchecked, 'file')} could not be checked")
    if tally.passed_over:
        reasons = ", ".join(f"{number} {reason}" for reason, number in sorted(tally.passed_over.items()))
        parts.append(f"{counted(tally.passed_over.total(), 'file')} passed over ({reasons})")
    if tally.not_shown:
        parts.append(f"{counted(tally.not_shown, 'finding')} not shown (--max-findings)")
    return "; ".join(parts)


def statistics(tally: Tally) -> list[tuple[str, ...]]:
    """Return a row per rule, severity and whether repair fixes it: the number, the rule, the severity, `fixable` or
    nothing.
    """
    order = sorted(tally.by_rule.items(), key=lambda item: (-item[0][1].rank, -item[1], item[0][0]))
    return [
        (str(number), rule, severity.value, "fixable" if fixable else "") for (rule, severity, fixable), number in order
    ]
