"""A difference as JSON lines."""

from __future__ import annotations

from condense_cli.output.difference.raw import raw_lines
from tests.output.difference.test_align import aligned
from tests.strategies import calls, pi_file


def test_a_line_is_one_record():
    """An inserted record has no old text; its place is the line it comes after."""
    import json

    old, new, plan, _ = aligned(pi_file([("user",), calls(["a"]), ("user",), ("text",)]))
    inserted, linked = map(json.loads, raw_lines(plan, old, new))

    assert (inserted["change"], inserted["line"], inserted["after"], inserted["old"]) == ("insert", None, 3, None)
    assert [edit["rule"] for edit in inserted["edits"]] == ["unanswered-call"]
    assert (linked["change"], linked["line"], linked["after"]) == ("change", 4, None)
    assert json.loads(linked["new"])["parentId"] == json.loads(inserted["new"])["id"]


def test_what_no_record_shows_is_an_edit():
    """A blank line that is taken out is named all the same."""
    import json

    lines = pi_file([("user",), ("text",)]).splitlines(keepends=True)
    old, new, plan, _ = aligned(b"".join([*lines[:2], b"\0\0\0\n", lines[2]]))
    (one,) = map(json.loads, raw_lines(plan, old, new))

    assert (one["change"], one["line"], one["edits"][0]["rule"]) == ("edit", 3, "nul-bytes")
