"""Trap: an unanswered id is removed from every assistant message, so the answered call goes and its result is left alone."""

import json

import pytest
from tests.oracle import accepted, notation, spell
from tests.strategies import chat_array, read_back, repair, sweep

GIVEN = "U A(x) R(x) U A(x) U"


@pytest.mark.parametrize("form", ["pi", "openai-chat"])
def test_only_the_unanswered_call_is_removed(form):
    """The count rule takes the second call and leaves the first, with its result."""
    messages, tags = sweep(notation(GIVEN), "count", form=form)
    assert (spell(messages), tags) == ("U A(x) R(x) U U", ["m0", ("m1.0",), "m2", "m3", "m5"])


def test_dropping_unanswered_calls_in_a_file_leaves_the_answered_one():
    """`repair --unanswered drop` takes one call by its place, not by its id."""
    _, repaired = repair(chat_array(notation(GIVEN)), "--unanswered", "drop", name="s.json")
    messages, tags = read_back(json.loads(repaired))
    assert (spell(messages), tags) == ("U A(x) R(x) U U", ["m0", ("m1.0",), "m2", "m3", "m5"])
    assert accepted(messages, "openai-chat") == []
