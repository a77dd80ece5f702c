"""A contract narrows a sweep to what it flags, and names what it flags afterwards."""

import json

import pytest
from tests import oracle
from tests.strategies import chat_array, condense, pi_file, session_file

BROKEN = oracle.notation("U A(x) U R(x) A(y) R(z) U")


def value(*options, data=None, name="s.json"):
    with session_file(chat_array(BROKEN) if data is None else data, name) as path:
        return json.loads(condense("render", "--output-format", "json", *options, path).out)


def kinds(found):
    return [d["kind"] for d in found["diagnostics"]]


def test_only_what_the_contract_flags_is_changed():
    """Codex has nothing against a result after a user message, so it stays there; the orphan goes."""
    strict, codex = value("--contract", "openai-chat"), value("--contract", "codex")

    assert "displaced-result" in kinds(strict) and "displaced-result" not in kinds(codex)
    assert [m.get("tool_call_id") for m in strict["messages"]] == [None, None, "x", None, None, "y", None]
    assert [m.get("tool_call_id") for m in codex["messages"]] == [None, None, None, "x", None, "y", None]


@pytest.mark.parametrize("rule", ["turn", "count", "contract"])
def test_what_is_still_flagged_is_named(rule):
    """The turn rule leaves calls open, the count rule a result that is too late: a contract that refuses them says so. The contract's own sweep leaves nothing."""
    left = [d for d in value("--sweep", rule, "--contract", "openai-chat")["diagnostics"] if "still" in d["detail"]]

    assert {d["kind"] for d in left} == {"turn": {"unanswered-call"}, "count": {"displaced-result"}, "contract": set()}[rule]
    assert all("is still an error for openai-chat" in d["detail"] for d in left)


def test_pi_takes_a_contract_too():
    """A pi session is swept by its turn rule, and the contract names the open calls."""
    found = value("--contract", "anthropic", data=pi_file(BROKEN), name="s.jsonl")
    plain = value(data=pi_file(BROKEN), name="s.jsonl")

    assert found["messages"] == plain["messages"]
    assert [d["kind"] for d in found["diagnostics"][len(plain["diagnostics"]) :]] == ["unanswered-call", "unanswered-call"]
