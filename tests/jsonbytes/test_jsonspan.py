"""Where values are inside the bytes of a JSON text."""

import json

import pytest
from condense_cli.jsonbytes.jsonspan import members
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
