"""Where strings are."""

import json

from condense_cli.minimize.strings import spans
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import law

JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda v: st.lists(v, max_size=3) | st.dictionaries(st.text(), v, max_size=3), max_leaves=8)


def strings(value):
    """All strings of a value in the order of their text, with keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from (key, *strings(item))


@law(100)
@given(st.lists(st.dictionaries(st.text(), JSON, max_size=3), max_size=3), st.booleans())
def test_every_string_of_sound_lines_is_found(rows, plain):
    """In order, keys included."""
    data = b"".join(json.dumps(row, ensure_ascii=not plain).encode("utf-8", "surrogatepass") + b"\n" for row in rows)
    found = [json.loads(b'"' + data[one.start : one.end] + b'"') for one in spans(data)]
    assert found == [text for row in rows for text in strings(row)]


def test_what_is_a_tools_own_is_free():
    """Texts, and everything below arguments; names of fields and types are not."""
    data = b'{"type":"user","content":"hi","input":{"path":"x"},"blocks":[{"text":"t","id":"i"}]}'
    free = {data[one.start : one.end].decode(): one.free for one in spans(data)}
    assert [word for word, is_free in free.items() if is_free] == ["hi", "path", "x", "t"]


def test_words_of_torn_lines_are_found():
    """A string that does not end, and words that are outside of strings because a quote is missing."""
    data = b'{"a":"secret one\nsecret two","b":1}\n{"c":"torn sec'
    words = b" ".join(data[one.start : one.end] for one in spans(data))
    assert words.count(b"secret") == 2
    assert b"torn sec" in words
