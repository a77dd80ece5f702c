"""Trap: a result is moved behind the message that holds the other results, lands behind that message's text, and is moved again."""

import json

from tests.oracle import accepted, spell
from tests.strategies import read_back, repair


def test_a_result_behind_text_in_the_same_user_turn_is_moved_once():
    """A late result joins the results in front of the text, in one move, and nothing is left to repair."""
    call = {"type": "tool_use", "name": "bash", "input": {}}
    before = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": [{**call, "id": "w"}, {**call, "id": "x"}]},
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "x", "content": "1"}, {"type": "text", "text": "and"}],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "w", "content": "2"}]},
    ]
    outcome, repaired = repair(json.dumps(before).encode(), "--format", "anthropic", name="s.json")
    messages, _ = read_back(json.loads(repaired))
    assert outcome.code == 0
    assert accepted(messages, "anthropic") == []
    assert spell(messages) in {"U A(w,x) R(x) R(w) U", "U A(w,x) R(w) R(x) U"}
    assert outcome.out.count(b"move displaced-result") <= 1
