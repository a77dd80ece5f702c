"""A plan as it is shown."""

from __future__ import annotations

import io

from condense_cli.output.difference.show import show
from condense_cli.output.difference.write import Look
from condense_cli.repair.engine import Choice, make_plan
from condense_cli.session.opened import open_session
from tests.strategies import pi_file


def test_records_or_a_line_per_edit(tmp_path):
    """With records their text is shown; without them each edit is a line; what stays comes last in both."""
    path = tmp_path / "s.jsonl"
    lines = pi_file([("user",), ("result", "b"), ("text",)]).splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], b"{broken}\n", *lines[2:]]))
    said = {}
    with open_session(str(path)) as session:
        plan = make_plan(session.document, Choice())
        for records in (True, False):
            stream = io.StringIO()
            show(plan, session, stream, Look(), records=records)
            said[records] = stream.getvalue()

    assert "line 4 result b is removed\n" in said[True]
    assert "line 4 drop orphan-result: " in said[False]
    assert "  - m1\n" in said[True]
    assert "  - m1\n" not in said[False]
    assert all(text.split("not repaired:\n")[1].startswith("  warning unreadable-line at line 3") for text in said.values())
