"""A difference as numbers."""

from __future__ import annotations

import io

from condense_cli.output.difference.stat import write_stat
from tests.output.difference.test_align import aligned
from tests.strategies import pi_file


def test_a_row_per_rule():
    """Edits are counted by kind with their lines, then come the sizes of both files."""
    old, new, plan, _ = aligned(pi_file([("user",), ("result", "b"), ("result", "c"), ("text",)]))
    stream = io.StringIO()
    write_stat(plan, old, new, stream, color=False)
    head, row, sizes = stream.getvalue().splitlines()

    assert head.split() == ["rule", "edits", "where"]
    assert row.split("  ")[0] == "orphan-result"
    assert "2 drop" in row
    assert sizes == f"5 -> 3 records, {old.source.size} -> {new.source.size} bytes"


def test_nothing_changes():
    """Then nothing is written."""
    old, new, plan, _ = aligned(pi_file([("user",), ("text",)]))
    stream = io.StringIO()
    write_stat(plan, old, new, stream, color=False)

    assert stream.getvalue() == ""
