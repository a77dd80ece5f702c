"""The elements of an array, found by their joints, are those that a walk over every byte finds."""

from __future__ import annotations

import json

import pytest
from condense_cli.jsonbytes import jsonarray, jsonspan
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import law

# Texts and values that look like the joint of an array, inside strings and as arrays of their own.
JOINTS = ['},{"role"', '"},{"role":"', "},\n{", '\\"},{\\"role\\"', "]", "}", '{"role":"user"}', "\\", "ü"]
TEXTS = st.lists(st.sampled_from(JOINTS) | st.text(max_size=3), max_size=3).map("".join)
PLAIN = st.none() | st.integers(-3, 3) | TEXTS
MESSAGES = st.recursive(
    st.fixed_dictionaries({"role": PLAIN}, optional={"content": PLAIN}) | st.fixed_dictionaries({"content": PLAIN, "role": PLAIN}),
    lambda inner: st.fixed_dictionaries({"role": PLAIN, "content": st.lists(inner | PLAIN, max_size=3)}) | st.fixed_dictionaries({"type": PLAIN, "in": inner}),
    max_leaves=6,
)
ARRAYS = st.lists(MESSAGES | PLAIN, max_size=8) | st.lists(MESSAGES, max_size=8)


def walked(raw):
    try:
        return jsonspan.elements(raw, 0)
    except ValueError:
        return None


def found(raw):
    try:
        return [(one.start, one.end) for one in jsonarray.elements(raw, 0)]
    except ValueError:
        return None


@law(400)
@given(ARRAYS, st.sampled_from([None, 0, 2]), st.booleans(), st.sampled_from([(",", ":"), (", ", ": "), (" ,\n", ":")]))
def test_elements_are_where_a_walk_finds_them(value, indent, ascii_only, separators):
    """However the array is written, and whatever is inside its strings; a value is that of its bytes."""
    raw = json.dumps(value, indent=indent, ensure_ascii=ascii_only, separators=separators).encode("utf-8", "surrogatepass")
    assert found(raw) == walked(raw)
    assert all(one.value is None or one.value == json.loads(raw[one.start : one.end]) for one in jsonarray.elements(raw, 0))


@law(300)
@given(ARRAYS, st.integers(0, 400), st.sampled_from([b"", b"]", b'"', b'},{"role"', b'{"role":1},{"role":2}]']))
def test_what_breaks_off_is_found_as_by_a_walk(value, cut, end):
    """A torn array gives the elements before the tear, or the same error."""
    raw = json.dumps(value, separators=(",", ":")).encode()[:cut] + end
    assert found(raw) == walked(raw)


def test_elements_in_two_spacings_are_told_apart():
    """A joint that is spelled otherwise is not taken for the inside of an element."""
    raw = b'[{"role":1},{"role":2}, {"role":[{"a":1},{"role":3}]},{"role":4}\n,{ "role":5},{"role":6}]'
    assert found(raw) == walked(raw)
    assert len(found(raw)) == 6


def test_many_misses_end_the_search():
    """The joint is inside every element, so parsing does not help: the walk finds them all."""
    raw = json.dumps([{"role": [{"role": 1}, {"role": 2}]}] * 200, separators=(",", ":")).encode()
    assert found(raw) == walked(raw)
    assert sum(one.value is not None for one in jsonarray.elements(raw, 0)) == 0


def test_usual_elements_are_parsed_once():
    """All but the first and the last have their values."""
    raw = json.dumps([{"role": "user", "content": "x"}] * 10).encode()
    assert [one.value is not None for one in jsonarray.elements(raw, 0)] == [False, *[True] * 8, False]


@pytest.mark.parametrize(("raw", "at"), [(b'{"messages": []}', 13), (b'{ "a" : {"messages":1} , "messages" :[', 37), (b'{"a":[1,2]}', -1), (b"{}", -1), (b'{"messages" 5}', -1), (b'{"a":1 "messages":2}', -1), (b'{"m\\u0065ssages":1}', -1)])
def test_an_array_begins_where_its_key_says(raw, at):
    """Members before it are walked over, what comes behind it is not looked at."""
    assert jsonarray.opening(raw, 0, "messages") == at
