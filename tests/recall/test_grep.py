"""Patterns of the user's."""

from __future__ import annotations

import time

import pytest
from condense_cli.errors import UsageError
from condense_cli.recall.grep import LinePattern


def test_a_pattern_that_backtracks_for_ever_is_cut_off():
    """`(a|aa)+$` over a line of a's would not end."""
    pattern = LinePattern(r"(a|aa)+$", seconds=0.2)
    start = time.monotonic()
    with pytest.raises(UsageError, match="takes more than"):
        pattern.search("a" * 5000 + "b" * 5000 + "a" * 40 + "!")
        LinePattern(r"(.*a){30}$", seconds=0.2).search("a" * 3000 + "!")
    assert time.monotonic() - start < 5


@pytest.mark.parametrize(("pattern", "line", "found"), [("b+", "abc", True), ("^b", "abc", False), (r"\d{2}", "a 12", True)])
def test_a_pattern_is_searched_in_a_line(pattern, line, found):
    """Python's syntax."""
    assert LinePattern(pattern).search(line) is found


@pytest.mark.parametrize("pattern", ["(", "[", "a{2,1}"])
def test_what_is_no_pattern_is_a_usage_error(pattern):
    """The message says why."""
    with pytest.raises(UsageError, match="--grep"):
        LinePattern(pattern)
