"""The summary of a step."""

from condense_cli.output.step_summary import StepSummary


def test_nothing_of_a_session_becomes_markup(finding, report, hostile):
    """A path or a detail neither ends its cell nor becomes HTML, a link or code."""
    summary = StepSummary()
    summary.add(report(finding(detail=f"{hostile} | [x](y) `z` <img>"), path="a|b.jsonl"))
    text = summary.markdown()

    row = next(line for line in text.splitlines() if "orphan-result" in line)
    assert row.count("|") == 5
    assert not {"<img>", "[x]", "`"} & set(row.split())
    assert "<" not in row


def test_rows_end_somewhere(finding, report):
    """After 200 rows there is a number; all are counted."""
    summary = StepSummary()
    for n in range(210):
        summary.add(report(finding(), path=f"{n}.jsonl"))
    text = summary.markdown()

    assert text.count("orphan-result") == 200
    assert "10 more rows" in text
    assert "210 files checked: 210 errors" in text


def test_passed_over_and_unreadable(report, unreadable):
    """Both have a row; what is only counted has none."""
    summary = StepSummary()
    summary.add(unreadable)
    summary.add(report(path="t.jsonl", passed_over="torn", error="breaks off"))
    summary.add(report(path="u.jsonl", passed_over="torn"))
    text = summary.markdown()

    assert "| notes.jsonl | error |  | no session |" in text
    assert "| t.jsonl | passed over (torn) |  | breaks off |" in text
    assert "u.jsonl" not in text
    assert "2 files passed over (2 torn)" in text
