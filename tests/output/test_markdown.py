"""Markdown as a terminal shows it."""

from __future__ import annotations

from condense_cli.output.markdown import markdown_lines
from condense_cli.output.wrapped import cells


def text(lines):
    return ["".join(part for part, _ in line) for line in lines]


def test_it_fits_and_loses_no_word():
    """Lists, code and long words fit the width."""
    source = "# Title\n\nSome **bold** words " + "and more " * 20 + "\n\n- one\n- two\n\n```python\nprint(1)\n```\n"
    shown = text(markdown_lines(source, 40))

    assert max(map(cells, shown)) <= 40
    assert " ".join(shown).count("and more") + " ".join(shown).count("and  more") == " ".join(source.split()).count("and more")
    assert any("print(1)" in line for line in shown)


def test_nothing_steers_the_terminal(hostile):
    """Control characters are escapes, and no link is made."""
    lines = list(markdown_lines(f"{hostile} [text](http://evil.example)", 80))

    assert not any(char in part for line in lines for part, _ in line for char in "\x1b\x07\x00\u202e")
    assert not any("link" in style for line in lines for _, style in line)


def test_a_huge_text_is_not_parsed():
    """It is shown as it is."""
    assert text(markdown_lines("**x**\n" * 50_000, 80))[0] == "**x**"
