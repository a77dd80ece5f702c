"""Arrays of Anthropic messages: what a tool that runs at the provider leaves behind."""

import json

import pytest
from tests.strategies import repair

SERVER = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "x"}}
TEXT = {"type": "text", "text": "Looking."}
THOUGHT = {"type": "thinking", "thinking": "hm", "signature": "S" * 120}
CALL = {"type": "tool_use", "id": "toolu_1", "name": "bash", "input": {}}
RESULT = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "done"}


def user(content):
    return {"role": "user", "content": content}


def assistant(*blocks):
    return {"role": "assistant", "content": list(blocks)}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param([user("go"), assistant(TEXT, SERVER), user("well?"), assistant(TEXT)], [user("go"), assistant(TEXT), user("well?"), assistant(TEXT)], id="beside a text"),
        pytest.param([user("go"), assistant(SERVER), user("well?"), assistant(TEXT)], [user("go"), user("well?"), assistant(TEXT)], id="alone"),
        pytest.param([user("go"), assistant(SERVER, CALL), user([RESULT]), assistant(TEXT)], [user("go"), assistant(CALL), user([RESULT]), assistant(TEXT)], id="beside a call of the client"),
        pytest.param([user("go"), assistant(SERVER, TEXT)], [user("go"), assistant(TEXT)], id="in front of a text of the last message"),
        pytest.param([user("go"), assistant(TEXT, SERVER), assistant(TEXT)], [user("go"), assistant(TEXT), assistant(TEXT)], id="in front of another message of the turn"),
        pytest.param([user("go"), assistant(TEXT, SERVER), user("well?")], [user("go"), assistant(TEXT), user("well?")], id="the user went on"),
        pytest.param([user("go"), assistant(THOUGHT, SERVER, TEXT), user("well?"), assistant(TEXT)], [user("go"), assistant(THOUGHT, TEXT), user("well?"), assistant(TEXT)], id="behind thinking of an earlier turn"),
    ],
)  # fmt: skip
def test_a_call_that_nobody_can_answer_goes(before, after):
    """Only the provider writes the result of its own tool: the call goes, and nothing else changes."""
    outcome, mended = repair(json.dumps(before).encode())

    assert json.loads(mended) == after
    assert outcome.code == 0


def test_a_result_in_front_of_its_call_goes_behind_it():
    """The order inside a message counts for tools of the provider."""
    served = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}
    outcome, mended = repair(json.dumps([user("go"), assistant(served, TEXT, SERVER), user("well?")]).encode())

    assert json.loads(mended) == [user("go"), assistant(TEXT, SERVER, served), user("well?")]
    assert outcome.code == 0


def test_it_stays_beside_signed_thinking_of_the_latest_turn():
    """Such a turn must come back as it was signed: the finding stays, and so do the bytes."""
    before = json.dumps([user("go"), assistant(THOUGHT, SERVER, CALL), user([RESULT, {"type": "text", "text": "And?"}])]).encode()
    outcome, mended = repair(before)

    assert mended == before
    assert outcome.code == 1


def test_it_goes_once_its_turn_is_not_the_latest_any_more():
    """What another rule changes can make room for a fix that was not possible before; a second repair finds nothing to do."""
    before = [user("go"), assistant(CALL, SERVER), assistant(THOUGHT)]
    outcome, mended = repair(json.dumps(before).encode(), "--trailing", "answer")

    assert [block["type"] for message in json.loads(mended)[1:] for block in message["content"]] == ["tool_use", "tool_result", "thinking"]
    assert outcome.code == 0
    assert repair(mended, "--trailing", "answer")[1] == mended


@pytest.mark.parametrize("rest", [[], [[{"type": "bash_code_execution_tool_result", "tool_use_id": SERVER["id"], "content": []}, TEXT]]])
def test_it_may_be_pending_or_answered_later(rest):
    """While the client answers calls of its own the provider goes on, and gives its result in the next answer."""
    before = json.dumps([user("go"), assistant(SERVER, CALL), user([RESULT]), *(assistant(*blocks) for blocks in rest)]).encode()
    outcome, mended = repair(before)

    assert (outcome.code, mended) == (0, before)


def test_it_may_end_the_array():
    """A pause of the provider's: the request goes on with it."""
    before = json.dumps([user("go"), assistant(TEXT, SERVER)]).encode()

    assert repair(before)[1] == before
