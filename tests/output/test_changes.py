"""What a repair leaves, and a plan in one line."""

from __future__ import annotations

import pytest
from condense_cli.model.findings import Severity
from condense_cli.model.plan import Change, Copy, Edit, Plan
from condense_cli.output.changes import remaining_lines, summary


def plan_of(edits=(), remaining=()) -> Plan:
    """A plan for a file of five bytes."""
    return Plan("s.jsonl", "pi", "", 5, (), tuple(remaining), tuple(edits), (Copy(0, 5),))


def test_what_stays_is_said_with_the_reason(finding):
    """Equal findings are one, and below each is why it is not repaired."""
    remaining = (
        finding("foreign-session", 2, Severity.WARNING, entry="a"),
        finding("trailing-call", 2, Severity.INFO),
        finding("reused-id", 3, Severity.INFO),
        finding("unreadable-line", 3, Severity.WARNING),
        finding("unreadable-line", 7, Severity.WARNING),
    )
    text = ["".join(part for part, _ in line) for line in remaining_lines(plan_of(remaining=remaining), None)]

    assert text[0] == "not repaired:"
    assert text[1].startswith("  warning foreign-session at line 2: ")
    assert text[2:4] == ["    entry a", "    reported only: there is no safe repair"]
    assert text[4].startswith("  warning unreadable-line ×2 at lines 3, 7: ")
    assert "    on request: --select reused-id" in text
    assert any(line.startswith("    on request: nothing, unless --trailing") for line in text)


def test_nothing_stays():
    """Without such findings nothing is said."""
    assert list(remaining_lines(plan_of(), None)) == []


def test_long_lines_fit_the_width(finding):
    """On a terminal no line is longer than it is wide, and no word is lost."""
    remaining = [finding("orphan-result", 4, call_id="c" * 30, detail="some words of a detail " * 5)]
    wide, narrow = (["".join(part for part, _ in line) for line in remaining_lines(plan_of(remaining=remaining), width)] for width in (None, 40))

    assert max(map(len, narrow)) <= 40
    assert " ".join(narrow).split() == " ".join(wide).split()


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        ([], "0 records changed"),
        (
            [Edit(Change.STRIP, "blank-text", 1, part=0), Edit(Change.STRIP, "blank-text", 1, part=2)],
            "1 record changed",
        ),
        ([Edit(Change.REPLACE, "bom", 1, index=0), Edit(Change.REPARENT, "bom", 1, index=1)], "2 records changed"),
        (
            [Edit(Change.DROP, "bom", 1), Edit(Change.INSERT, "bom", 1), Edit(Change.INSERT, "bom", 1)],
            "1 record removed, 2 inserted",
        ),
        (
            [Edit(Change.MOVE, "bom", 1), Edit(Change.STRIP, "bom", 2), Edit(Change.DROP, "bom", 3)],
            "1 record changed, 1 removed, 1 moved",
        ),
    ],
)
def test_summary(edits, expected):
    """The summary counts records, not edits; what did not happen is left out."""
    assert summary(plan_of(edits)) == expected
