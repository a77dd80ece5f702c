"""Fresh call ids: legal, free, and the same for the same file."""

import re

import pytest
from condense_cli.rules.call_ids import SHORT, fresh_call_id


@pytest.mark.parametrize(
    ("old", "taken", "expected"),
    [
        pytest.param("a b", set(), "a_b", id="illegal characters"),
        pytest.param("a", {"a"}, "a_r2", id="taken"),
        pytest.param("a", {"a", "a_r2", "a_r3"}, "a_r4", id="taken more than once"),
        pytest.param("", set(), "call", id="empty"),
        pytest.param(None, {"call"}, "call_r2", id="none"),
        pytest.param("x" * SHORT, set(), "x" * SHORT, id="as long as may be"),
        pytest.param("x" * SHORT, {"x" * SHORT}, "x" * (SHORT - 3) + "_r2", id="as long as may be, and taken"),
        pytest.param("a|b", set(), "a_b", id="a bar is illegal where no client of pi's kind wrote it"),
    ],
)
def test_a_fresh_id_is_like_the_old_one(old, taken, expected):
    """It says what it was made from, with the first number that is free."""
    assert fresh_call_id(old, taken, [], "claude-code") == expected


@pytest.mark.parametrize("length", [SHORT, SHORT + 1, 200])
def test_a_long_id_is_cut_and_stays_its_own(length):
    """It has at most the characters that every provider takes, and two long ids that begin alike do not become one."""
    made = {fresh_call_id("x" * length + end, set(), [], "codex") for end in "ab"}

    assert len(made) == 2
    assert all(len(ident) <= SHORT and ident.startswith("x" * (SHORT - 10)) for ident in made)


def test_the_part_behind_the_bar_is_pis_own():
    """pi keeps an item id there: it stays, and gets a number with the call id."""
    assert fresh_call_id("a b|fc_1", set(), [], "pi") == "a_b|fc_1_1"
    assert fresh_call_id("a|fc_1", {"a|fc_1"}, [], "pi").startswith("a_r2|fc_1")


def test_mistral_gets_nine():
    """Nine letters and digits, another one for each attempt, and always the same."""
    first = fresh_call_id("call_1", set(), ["mistral"], "openai-chat")
    second = fresh_call_id("call_1", {first}, ["mistral"], "openai-chat")

    assert re.fullmatch("[a-z0-9]{9}", first)
    assert re.fullmatch("[a-z0-9]{9}", second)
    assert first != second
    assert fresh_call_id("call_1", set(), ["mistral"], "openai-chat") == first


def test_a_line_that_keeps_its_length_gets_a_shorter_id():
    """An id is never longer than `longest`."""
    assert len(fresh_call_id("call_abc", {"call_abc"}, [], "codex", 8)) <= 8
