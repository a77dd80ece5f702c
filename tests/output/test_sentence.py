"""Findings in words."""

from __future__ import annotations

from condense_cli.output.sentence import counted, facts, problem, sentence, shortened


def test_sentence():
    """A rule's sentence comes first, its detail behind a colon; an unknown rule is its own sentence."""
    assert [sentence("bom"), sentence("bom", "3\nbytes"), sentence("x", "why"), sentence("x")] == [
        "a byte order mark is before the first record",
        r"a byte order mark is before the first record: 3\nbytes",
        "why",
        "x",
    ]


def test_facts(finding):
    """Facts are listed if known, zero and the empty id included, and a long list of lines is cut."""
    assert facts(finding()) == ""
    assert facts(finding(call_id="", index=0, part=0)) == "call (empty); message 0; part 0"
    assert facts(finding(related=tuple(range(1, 12)))) == "see lines 1, 2, 3, 4, 5, 6, 7, 8 and 3 more"


def test_shortened():
    """A text of the given length stays, a longer one ends with an ellipsis, and neither has a line break."""
    assert [shortened("abc", 3), shortened("abcd", 3), shortened("a\n", 3)] == ["abc", "ab…", r"a\n"]


def test_problem_leaves_out_the_path(report):
    """The path that begins an error is left out, and only there."""
    assert [problem(report(path="p", error=error)) for error in ("p: gone: p: x", "gone p: x", None)] == [
        "gone: p: x",
        "gone p: x",
        "",
    ]


def test_counted():
    """One is singular, none and many are plural."""
    assert [counted(number, "file") for number in (0, 1, 2)] == ["0 files", "1 file", "2 files"]
