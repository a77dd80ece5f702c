"""Trap: a set of the result ids seen so far spans the transcript, so a later turn's own result counts as a duplicate."""

import pytest
from tests.oracle import notation
from tests.strategies import chat_array, condense, pi_file, repair, session_file, sweep, tagged

REUSED = "U A(x) R(x) U A(x) R(x) U A(x) R(x) T"


@pytest.mark.parametrize("rule", ["turn", "count", "contract"])
@pytest.mark.parametrize("form", ["pi", "openai-chat"])
def test_every_turn_keeps_its_own_result(form, rule):
    """Three complete pairs with one id are three pairs, by every rule."""
    messages = notation(REUSED)
    assert sweep(messages, rule, form=form) == (messages, tagged(messages))


@pytest.mark.parametrize(("write", "name"), [(pi_file, "s.jsonl"), (chat_array, "s.json")])
def test_no_repair_and_no_warning(write, name):
    """A session that only uses an id again is sound for a client that does not mind, and stays as it is."""
    data = write(notation(REUSED))
    outcome, repaired = repair(data, name=name)
    assert (outcome.code, repaired) == (0, data)
    with session_file(data, name) as path:
        assert condense("check", path).code == 0
