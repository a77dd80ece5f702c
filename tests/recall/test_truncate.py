"""The cut in long outputs."""

import pytest
from condense_cli.recall.truncate import Cut, shown, truncated


@pytest.mark.parametrize("text", ["", "a", "a\n", "x\n" * 2000, "é" * 25600])
def test_what_fits_is_unchanged(text):
    """Up to 2000 lines and 51200 bytes nothing is cut; a newline at the end opens no further line."""
    assert truncated(text).text == text
    assert shown(text) == text


def test_whole_lines_are_kept_up_to_the_limits():
    """The line that does not fit, and all behind it, go; the joining newlines count."""
    assert truncated("a\nb\nc", max_lines=2) == Cut("a\nb", 2, 3, cut=True)
    assert truncated("aa\nbb\ncc", max_bytes=5) == Cut("aa\nbb", 2, 3, cut=True)
    assert truncated("aa\nbb\ncc", max_bytes=4) == Cut("aa", 1, 3, cut=True)
    assert truncated("éé\nb", max_bytes=4) == Cut("éé", 1, 2, cut=True)


def test_a_first_line_that_is_too_long_leaves_nothing():
    """Then only the note is shown, below an empty line."""
    assert shown("x" * 51201) == "\n[Output truncated: 0/1 lines shown]"
