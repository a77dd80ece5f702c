"""The summary of a step in GitHub Actions: Markdown with a table of findings by file and rule."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from condense_cli.output.grouping import Group, groups_of, places_of, worst
from condense_cli.output.plain import one_line
from condense_cli.output.sentence import lines_of, problem, sentence
from condense_cli.output.tally import Tally, summary_line

if TYPE_CHECKING:
    from condense_cli.model.findings import Report

_MOST_ROWS = 200
_CELL = str.maketrans(
    {"|": "&#124;", "`": "&#96;", "*": "&#42;", "_": "&#95;", "[": "&#91;", "]": "&#93;", "\\": "&#92;", "~": "&#126;"}
)


class StepSummary:
    """What becomes the summary: counted while reports pass by, at most 200 rows of a table."""

    def __init__(self) -> None:
        self.tally = Tally()
        self.rows: list[str] = []
        self.left_out = 0

    def add(self, report: Report) -> None:
        """Count one file and keep a row for each group of its findings."""
        places = places_of(report.findings)
        self.tally.add(report, map(worst, places))
        if report.error is not None:
            name = f"passed over ({report.passed_over})" if report.passed_over else "error"
            self._row(report.path, name, "", problem(report))
        for group in groups_of(places):
            self._group(report, group)

    def markdown(self) -> str:
        """Return the heading, the table and the numbers."""
        table = ["| file | severity | rule | what |", "|---|---|---|---|", *self.rows] if self.rows else []
        more = [f"{self.left_out} more rows are in the report.", ""] if self.left_out else []
        return "\n".join(["### condense", "", *table, "", *more, summary_line(self.tally), "", ""])

    def _group(self, report: Report, group: Group) -> None:
        finding = group.first
        times = f" ×{len(group.places)}" if len(group.places) > 1 else ""
        text = f"{lines_of(group.lines)}: {sentence(finding.rule, finding.detail)}"
        self._row(report.path, finding.severity.value if finding.severity else "info", finding.rule + times, text)

    def _row(self, *cells: str) -> None:
        if len(self.rows) == _MOST_ROWS:
            self.left_out += 1
            return
        self.rows.append(f"| {' | '.join(html.escape(one_line(cell)).translate(_CELL) for cell in cells)} |")
