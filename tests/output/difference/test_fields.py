"""What differs between two JSON values."""

from __future__ import annotations

from condense_cli.output.difference.fields import MISSING, Field, fields
from hypothesis import given
from hypothesis import strategies as st

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["", "a"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)


@given(_JSON, _JSON)
def test_nothing_differs_where_both_are_the_same(old, new):
    """There are fields exactly where the values are not equal in kind and value."""
    assert list(fields(old, old)) == []
    assert bool(list(fields(old, new))) == (repr(old) != repr(new) and _sorted(old) != _sorted(new))


def _sorted(value):
    if isinstance(value, dict):
        return ("{", sorted((key, _sorted(inner)) for key, inner in value.items()))
    if isinstance(value, list):
        return ("[", [_sorted(inner) for inner in value])
    return (type(value).__name__, value)


def test_paths_and_what_is_missing():
    """Keys and places are one path; a field that is not there is not null."""
    old = {"a": {"b": 1}, "c": None, "d": 1}
    new = {"a": {"b": 2}, "c": 0, "e": 1}

    assert list(fields(old, new)) == [
        Field("a.b", 1, 2),
        Field("c", None, 0),
        Field("e", MISSING, 1),
        Field("d", 1, MISSING),
    ]


def test_elements_are_matched_first():
    """One that is taken out of a list does not make all after it differ."""
    assert list(fields({"l": [1, 2, 3, 4]}, {"l": [1, 3, 4]})) == [Field("l[1]", 2, MISSING)]
    assert list(fields([1, 2], [0, 1, 2])) == [Field("[0]", MISSING, 0)]
    assert list(fields([{"a": 1, "b": 2}], [{"a": 1, "b": 3}])) == [Field("[0].b", 2, 3)]
