"""Lines that fit a width."""

from __future__ import annotations

from condense_cli.output.wrapped import cells, wrap
from hypothesis import given
from hypothesis import strategies as st

_LINES = st.lists(st.tuples(st.text("ab 漢é", max_size=30), st.sampled_from(["", "red"])), max_size=4).map(tuple)


def text_of(line):
    return "".join(text for text, _ in line)


@given(_LINES, st.integers(6, 40))
def test_lines_fit_and_lose_nothing(line, width):
    """No line is wider, and all that is not space is there in its order with its style."""
    out = list(wrap(line, width, "  "))

    assert all(cells(text_of(one).rstrip()) <= width for one in out)
    kept = [(char, style) for one in out for text, style in one for char in text if not char.isspace()]
    assert kept == [(char, style) for text, style in line for char in text if not char.isspace()]


def test_words_stay_whole():
    """A line is broken between words; the following ones are further in."""
    assert [text_of(one) for one in wrap((("one two three", ""),), 8, "  ")] == ["one two", "  three"]


def test_without_a_width_it_is_one_line():
    """A pipe gets long lines as they are."""
    assert list(wrap((("x " * 500, "red"),), None)) == [(("x " * 500, "red"),)]


def test_wide_characters_count_twice():
    """A terminal has two columns for them."""
    assert cells("a漢") == 3
