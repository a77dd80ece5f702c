"""Where values are inside the bytes of a JSON text."""

import json
from unittest.mock import patch

import pytest
from condense_cli.jsonbytes import jsonspan
from condense_cli.jsonbytes.jsonspan import members, span, value_end
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import law

VALUES = st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3), max_leaves=8)


@law(80)
@given(st.dictionaries(st.text(), VALUES), st.sampled_from([None, 2]), st.booleans())
def test_members_are_where_the_parser_reads_them(value, indent, ascii_only):
    """Keys in their order, each with the bytes of its value, however it is spaced and escaped."""
    raw = json.dumps(value, indent=indent, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")

    assert [(m.key, json.loads(raw[m.start : m.end])) for m in members(raw, 0)] == list(value.items())


@pytest.mark.parametrize("raw", [b'{"a', b'{"a"', b'{"a":', b'{"a":"b', b'{"a":[1', b'{"a":1,"b'])
def test_what_breaks_off_has_no_members(raw):
    """Wherever it is cut inside a member."""
    with pytest.raises(ValueError, match=r"end|no value"):
        members(raw, 0)


@pytest.mark.parametrize("raw", [b"[]", b"{}", b'{"a":1', b'{"a":1,', b'{"a":1}'])
def test_what_is_whole_is_returned(raw):
    """An array has none, and what comes after the last member is not looked at."""
    assert [m.key for m in members(raw, 0)] == (["a"] if b"a" in raw else [])


@law(80)
@given(st.lists(st.tuples(st.text(max_size=3), VALUES), min_size=1), st.sampled_from([None, 2]), st.booleans())
def test_a_path_leads_to_what_the_parser_reads(pairs, indent, ascii_only):
    """Of a key that is there twice the last counts, however the two are spelled."""
    texts = [json.dumps({key: value}, indent=indent, ensure_ascii=ascii_only and not n % 2)[1:-1] for n, (key, value) in enumerate(pairs)]
    raw = ("{" + ",".join(texts) + "}").encode("utf-8", "surrogatepass")

    for key, value in json.loads(raw).items():
        start, end = span(raw, (key,))
        assert json.loads(raw[start:end]) == value
    assert span(raw, ("there is no such key",)) is None


@pytest.mark.parametrize("raw", [b'{"a": 1, "b": 2, "\\u0061": 3}', b'{"a": 1, "a": {"c": "\\u0041"}, "b": [], "a": 3}', rb'{"a": "\"a", "b": "\\", "a" : 3 }'])
def test_a_repeated_key_is_its_last_one(raw):
    """Escapes in the key, and texts that look like the key, do not hide it."""
    assert [raw[start:end] for start, end in [span(raw, ("a",))]] == [b"3"]


@law(150)
@given(st.lists(st.tuples(st.sampled_from(["a", "b", "ab", 'a"', "a\\", "é"]), VALUES | st.sampled_from(['"a":', "a", "\\"])), min_size=1), st.sampled_from([None, 2]), st.booleans())
def test_a_key_that_is_looked_for_often_is_found_where_it_is_otherwise(pairs, indent, ascii_only):
    """The expression of its own finds the last of equal keys, too, and what it does not find is looked for as ever."""
    texts = [json.dumps({key: value}, indent=indent, ensure_ascii=ascii_only)[1:-1] for key, value in pairs]
    raw = ("{" + ",".join(texts) + "}").encode("utf-8", "surrogatepass")

    for key in ("a", "b", "ab"):
        slow = span(raw, (key,))
        with patch.object(jsonspan, "_OFTEN", -1):
            assert span(raw, (key,)) == slow


@pytest.mark.parametrize("raw", [b'{"a": 1, "\\u0061": 3}', b'{"a": 1, "b": {"a": 2}, "a": 3}', b'{"b": "\\"a", "a" : 3 }', b'{"b": [{"a": 1}, [[[[["a"]]]]]], "a":3}'])
def test_a_key_that_is_looked_for_often_is_its_last_one(raw):
    """Escapes, nested objects and texts that look like it do not hide it."""
    with patch.object(jsonspan, "_OFTEN", -1):
        assert [raw[start:end] for start, end in [span(raw, ("a",))]] == [b"3"]


@pytest.mark.parametrize(("number", "expected"), [(0, b"1"), (2, b"[3]"), (-1, b"[3]"), (-3, b"1"), (3, None), (-4, None)])
def test_an_element_is_found_by_its_number(number, expected):
    """From either end."""
    place = span(b'{"a": [ 1,"2", [3] ]}', ("a", number))

    assert (place and b'{"a": [ 1,"2", [3] ]}'[place[0] : place[1]]) == expected
    assert span(b'{"a":[ ]}', ("a", number)) is None


@pytest.mark.parametrize("levels", [1, 3, 4, 5, 6, 900])
def test_a_value_ends_where_it_is_closed_however_deep_it_is(levels):
    """Brackets inside strings do not count."""
    raw = b'{"a]": ["}\\"", ' * levels + b"1" + b"]}" * levels

    assert value_end(raw + b"]}", 0) == len(raw)
    with pytest.raises(ValueError, match="does not end"):
        value_end(raw[:-1], 0)
