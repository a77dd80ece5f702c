"""The numbers of a summary."""

from __future__ import annotations

from condense_cli.model.findings import Severity
from condense_cli.output.tally import Tally


def test_tally_counts_files_and_findings(finding, report, unreadable):
    """Files, unchecked files and findings by severity add up; a finding that nobody minds counts nowhere."""
    tally = Tally()
    tally.add(report(finding(), finding(severity=Severity.INFO), finding(severity=None)))
    tally.add(report(finding()), [finding(severity=Severity.WARNING)])
    tally.add(report(passed_over="torn"))
    tally.add(unreadable)

    assert (tally.files, tally.unchecked) == (3, 1)
    assert tally.passed_over == {"torn": 1}
    assert tally.by_severity == {Severity.ERROR: 1, Severity.WARNING: 1, Severity.INFO: 1}
