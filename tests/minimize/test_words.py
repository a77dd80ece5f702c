"""Other letters."""

import json
import re

import pytest
from condense_cli.minimize.words import Words, words_of
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import law


def kind(char):
    return "0" if char == "0" else "9" if char.isdigit() else "a" if char.islower() else "A" if char.isupper() else char


@law(200)
@given(st.lists(st.from_regex(r"[A-Za-z0-9]{1,8}", fullmatch=True), min_size=1, max_size=20))
def test_words_keep_length_and_shape_and_stay_different(texts):
    """The same word is the same afterwards, two different ones are two, one that begins another does so still."""
    words = Words()
    made = {text: words.string(text.encode(), free=True).decode() for text in texts}
    for old, new in made.items():
        assert [kind(c) for c in old] == [kind(c) for c in new] or old in ("true", "false", "null")
        assert words.string(old.encode(), free=True).decode() == new
    assert len(set(made.values())) == len(made)


@law(100)
@given(st.text(max_size=30), st.booleans())
def test_a_string_stays_a_string(text, plain):
    """It is JSON still, of no more bytes, and white space and punctuation are where they were."""
    body = json.dumps(text, ensure_ascii=not plain)[1:-1].encode("utf-8", "surrogatepass")
    new = Words().string(body, free=True)
    assert len(new) <= len(body)
    value = json.loads(b'"' + new + b'"')
    assert [c for c in value if not c.isalnum()] == [c for c in text if not c.isalnum()]


def test_a_word_that_begins_another_does_so_afterwards():
    """What is cut off in a torn record still begins the whole one."""
    words = Words()
    whole, torn = words.string(b"gAAAqfc66f021c67d", free=True), words.string(b"gAAAqfc66f0", free=True)
    assert whole.startswith(torn)


def test_the_words_of_the_file_are_avoided():
    """No word of the session comes back by chance."""
    texts = [bytes((a, b, c)) for a in b"abcdef" for b in b"abcdef" for c in b"xyz"]
    words = Words(words_of(b" ".join(texts)))
    assert not {words.string(text, free=True) for text in texts} & set(texts)


@pytest.mark.parametrize("body", [b"assistant", b"tool_use", b"2026-11-02T09:00:05.185Z", b"web_search_tool_result"])
def test_words_of_the_format_and_times_stay(body):
    """In fields of the format; in a text they do not, except for times."""
    assert Words().string(body, free=False) == body
    assert (Words().string(body, free=True) == body) is body.startswith(b"2026")


def test_the_beginning_of_an_id_stays():
    """Providers look at it; what follows is other letters of the same kind."""
    new = Words().string(b"toolu_01aB9f", free=False)
    assert re.fullmatch(rb"toolu_0[1-9][a-z][A-Z][1-9][a-z]", new)
    assert new != b"toolu_01aB9f"
    assert not Words().string(b"secret_01", free=False).startswith(b"secret")
