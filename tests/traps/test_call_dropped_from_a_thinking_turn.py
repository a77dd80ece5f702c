"""Trap: an unanswered call is dropped from a turn that thought, and the signed thinking no longer fits its turn."""

import json

from tests.strategies import read_back, repair

SIGNATURE = "S" * 120


def thinking_session(*, behind):
    """A turn with signed thinking and two calls, one of them answered; behind: what follows in the same user message."""
    call = {"type": "tool_use", "name": "bash", "input": {}}
    return [
        {"role": "user", "content": "go"},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "two things at once", "signature": SIGNATURE},
                {**call, "id": "toolu_1"},
                {**call, "id": "toolu_2"},
            ],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_2", "content": "done"}, *behind]},
    ]


def test_the_call_is_answered_and_the_turn_stays_as_it_was():
    """The assistant's blocks are the same, byte for byte, and the missing answer is added."""
    for behind in ([], [{"type": "text", "text": "and now?"}]):
        before = thinking_session(behind=behind)
        data = json.dumps(before).encode()
        outcome, repaired = repair(data, name="s.json")
        after = json.loads(repaired)
        assert outcome.code == 0
        assert after[1] == before[1]
        assert json.dumps(before[1]).encode() in repaired
        assert {message[1] for message in read_back(after)[0] if message[0] == "result"} == {"toolu_1", "toolu_2"}


def test_dropping_is_refused_or_harmless_for_the_latest_thinking_turn():
    """Even when unanswered calls are to be dropped, the latest signed turn loses no block."""
    before = thinking_session(behind=[])
    _, repaired = repair(json.dumps(before).encode(), "--unanswered", "drop", name="s.json")
    assert json.loads(repaired)[1] == before[1]
