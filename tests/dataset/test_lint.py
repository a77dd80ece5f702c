"""ShareGPT and Agent Trajectory Interchange rows."""

import json

import pytest
from condense_cli.dataset.conversation import Shape, conversation_of
from condense_cli.dataset.judge import judge, repaired
from condense_cli.rules.schemas import Declared


def says(kind, value):
    """A turn of ShareGPT."""
    return {"from": kind, "value": value}


ASKS = says("function_call", json.dumps({"name": "bash", "arguments": {"command": "ls"}}))
SEES = says("observation", "a.txt")
FIRST, LAST = says("human", "List."), says("gpt", "Done.")


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ([FIRST, ASKS, SEES, LAST], []),
        ([FIRST, ASKS, LAST], [("unanswered-call", 1)]),
        ([FIRST, SEES, LAST], [("orphan-result", 1)]),
        ([FIRST, ASKS], [("trailing-call", 1)]),
        ([FIRST, says("gpt", " ")], [("empty-message", 1)]),
        ([FIRST, says("function_call", "ls"), SEES, LAST], [("invalid-arguments", 1)]),
        ([FIRST, says("function_call", '{"name":"bash"}'), SEES, LAST], [("missing-arguments", 1)]),
    ],
)
def test_sharegpt(turns, expected):
    """A call is answered by the next turn."""
    conversation = conversation_of({"conversations": turns})

    assert conversation.shape is Shape.SHAREGPT
    assert [(flaw.rule, flaw.index) for flaw in judge(conversation, Declared())] == expected
    assert repaired(conversation) is None


def step(number, calls=(), results=(), message="x"):
    """A step of an agent trajectory."""
    found = {"step_id": number, "source": "agent", "message": message}
    found["tool_calls"] = [{"tool_call_id": i, "function_name": "bash", "arguments": {"command": "ls"}} for i in calls]
    found["observation"] = {"results": [{"source_call_id": i, "content": "a"} for i in results]}
    return found


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([step(1, ["a", "b"], ["b", "a"]), step(2)], []),
        ([step(1, ["a"], [None]), step(2)], []),
        ([step(1, ["a"]), step(2)], [("unanswered-call", 0)]),
        ([step(1), step(2, ["a"])], [("trailing-call", 1)]),
        ([step(1, ["a"], ["z"]), step(2)], [("orphan-result", 0), ("unanswered-call", 0)]),
        ([step(1, ["a", "a"], ["a", "a"]), step(2)], [("duplicate-call-id", 0)]),
        ([step(1, message=""), step(2)], [("empty-message", 0)]),
    ],
)
def test_agent_trajectory_interchange(steps, expected):
    """Calls and results pair inside their step."""
    conversation = conversation_of({"schema_version": "ATIF-v1.2", "agent": {"name": "x", "version": "1"}, "steps": steps})

    assert conversation.shape is Shape.ATIF
    assert [(flaw.rule, flaw.index) for flaw in judge(conversation, Declared())] == expected
