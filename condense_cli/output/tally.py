"""How much was found: counted while reports pass by, so that no report has to be kept."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from condense_cli.model.findings import Report, Severity


class Tally:
    """The numbers of the summary: files, files that could not be checked, and findings by severity."""

    def __init__(self) -> None:
        self.files = 0
        self.unchecked = 0
        self.by_severity: Counter[Severity] = Counter()

    def add(self, report: Report, severities: Iterable[Severity | None] | None = None) -> None:
        """Count one file; severities are those of its findings unless a writer shows fewer places than findings."""
        self.files += 1
        self.unchecked += report.error is not None
        found = (finding.severity for finding in report.findings) if severities is None else severities
        self.by_severity.update(severity for severity in found if severity is not None)
