"""The part of a long line that matters."""

from __future__ import annotations

from condense_cli.output.window import MarkedLine, common_head, view, views
from hypothesis import given
from hypothesis import strategies as st

_SHORT = st.text("ab\n", max_size=12).map(str.encode)


@given(_SHORT, _SHORT)
def test_common_head_is_the_longest(one, two):
    """The common head is common, and one byte more is not."""
    head = common_head(one, two)

    assert one[:head] == two[:head]
    assert head == min(len(one), len(two)) or one[head] != two[head]


@given(_SHORT.map(lambda text: text.replace(b"\n", b"")), _SHORT.map(lambda text: text.replace(b"\n", b"")))
def test_views_of_short_lines_lose_nothing(one, two):
    """The three parts of a short line are the line, and what is unchanged is the same in both."""
    left, right = views(one, two)

    assert ("".join(left), "".join(right)) == (one.decode(), two.decode())
    assert (left.before, left.after) == (right.before, right.after)


def test_long_neighbourhood_is_abbreviated():
    """Of what stands around the change 80 bytes are shown on each side."""
    assert views(b"x" * 100 + b"1" + b"y" * 81 + b"\n", b"x" * 100 + b"22" + b"y" * 81 + b"\n") == (
        MarkedLine("…" + "x" * 80, "1", "y" * 80 + "…"),
        MarkedLine("…" + "x" * 80, "22", "y" * 80 + "…"),
    )


def test_long_change_is_abbreviated():
    """Of a long line without another version its ends are shown, and how many bytes stand between them."""
    assert view(b"a" * 80 + b"b" * 500 + b"c" * 80 + b"\n") == MarkedLine("", f"{'a' * 80} …500 bytes… {'c' * 80}", "")


def test_cut_lines_say_so():
    """A line that goes on where nothing was read has an ellipsis at that end."""
    assert view(b"x", head_cut=True, tail_cut=True) == MarkedLine("…", "x", "…")


def test_unprintable_bytes_are_visible():
    """Control characters, bytes that are no UTF-8 and an added newline cannot steer the terminal."""
    assert view(b"\x1b[1m\xff\r\n") == MarkedLine("", r"\x1b[1m\xff\x0d", "")
    assert view(b"\xe2\x80\xae") == MarkedLine("", r"\u202e", "")

