"""Trap: "the id was answered somewhere" is asked of a set, so a session with a reused id and a lost half looks sound."""

import pytest
from tests.oracle import notation, spell
from tests.strategies import chat_array, condense, pi_file, session_file, sweep

LOST_HALVES = {
    "the first call is gone": ("U R(x) A(x) R(x) U", "U A(x) R(x) U"),
    "the second result is gone": ("U A(x) R(x) U A(x) U", "U A(x) R(x) U A(x) R(x) U"),
    "the first result is gone": ("U A(x) U A(x) R(x) U", "U A(x) R(x) U A(x) R(x) U"),
}


@pytest.mark.parametrize(("given", "expected"), LOST_HALVES.values(), ids=LOST_HALVES)
@pytest.mark.parametrize("form", ["pi", "openai-chat"])
def test_the_lost_half_is_noticed(given, expected, form):
    """Although another turn has both halves of that id, the incomplete pair is mended."""
    assert spell(sweep(notation(given), "contract", form=form)[0]) == expected


@pytest.mark.parametrize("given", [given for given, _ in LOST_HALVES.values()], ids=LOST_HALVES)
@pytest.mark.parametrize(("write", "name"), [(pi_file, "s.jsonl"), (chat_array, "s.json")])
def test_the_lost_half_is_reported(given, write, name):
    """`check-orphans` does not call such a session fine."""
    with session_file(write(notation(given)), name) as path:
        assert condense("check-orphans", path).code == 1
