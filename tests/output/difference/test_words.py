"""Two versions of a text."""

from __future__ import annotations

from condense_cli.output.difference.words import Piece, compare, short_words
from hypothesis import given
from hypothesis import strategies as st

_TEXT = st.lists(st.sampled_from(["one", "two", "three", "\n", ".", "é"]), max_size=12).map(" ".join)


@given(_TEXT, _TEXT)
def test_short_texts_are_whole_and_what_is_unmarked_is_in_both(old, new):
    """The pieces are the texts, and without those that changed both are the same."""
    left, right = compare(old, new)

    assert ("".join(p.text for p in left), "".join(p.text for p in right)) == (old, new)
    assert "".join(p.text for p in left if not p.changed) == "".join(p.text for p in right if not p.changed)


def test_changed_words_are_marked():
    """A word is marked, not its line and not its letters."""
    left, right = compare("the cat sat", "the dog sat")

    assert left == [Piece("the ", False), Piece("cat", True), Piece(" sat", False)]
    assert right == [Piece("the ", False), Piece("dog", True), Piece(" sat", False)]


def test_an_id_changes_as_a_whole():
    """What has no spaces is one word."""
    assert compare("05f9-fb80", "35f3-fb80") == ([Piece("05f9-fb80", True)], [Piece("35f3-fb80", True)])


def test_long_texts_are_folded_to_what_differs():
    """Of a long text that is the same only the ends next to a change are shown, and how much is left out."""
    same = "word " * 100
    left, right = compare(f"{same}old {same}", f"{same}new {same}")

    assert [p for p in left if p.changed] == [Piece("old", True)]
    assert [p for p in right if p.changed] == [Piece("new", True)]
    assert left[0].text.startswith("… 440 characters …")
    assert left[2].text.endswith("characters …")


def test_texts_without_much_in_common_are_not_mixed():
    """They are one change, not many small ones."""
    left, right = compare("a long story about cats and their houses", "one short error, nothing more to say")

    assert [p.changed for p in left] == [p.changed for p in right] == [True]


def test_huge_texts_are_quick():
    """Nothing is compared word by word that would take the product of both."""
    left, _ = compare(" ".join(map(str, range(50_000))), " ".join(map(str, range(50_000, 0, -1))))

    assert any(piece.changed for piece in left)


def test_data_is_cut_and_words_are_not():
    """Base64 and NUL bytes say how much more there is; a long text without such a word stays."""
    assert short_words("A" * 1000) == "A" * 60 + "… 940 more characters"
    assert short_words("\\x00" * 100).endswith("more characters")
    assert short_words("a {b} " * 1000) == "a {b} " * 1000
