"""Trap: ids are made to fit by cutting them, and three different ids become one."""

import json

import pytest
from tests.oracle import accepted, notation
from tests.strategies import chat_array, read_back, repair

LONG = "c" * 70
GIVEN = {
    "mistral": "U A(functions.read:0,functions.read:1,functions.bash:0) R(functions.bash:0) R(functions.read:1) R(functions.read:0) T U",
    "openai-chat": f"U A({LONG}1,{LONG}2) R({LONG}2) R({LONG}1) U A({LONG}3) R({LONG}3) U",
}


@pytest.mark.parametrize("contract", GIVEN)
def test_ids_that_share_their_beginning_stay_apart(contract):
    """Each call gets an id of its own that the contract takes, and its result follows it."""
    given = _read(GIVEN[contract])
    _, repaired = repair(chat_array(given), "--contract", contract, name="s.json")
    messages, tags = read_back(json.loads(repaired))
    ids = [i for message in messages if message[0] == "call" for i in message[1]]
    assert len(set(ids)) == len(ids) == 3
    assert accepted(messages, contract) == []
    assert _pairs(messages, tags) == _pairs(*read_back(json.loads(chat_array(given))))


def _read(text):
    # The notation takes what stands before a colon for a tool's name; here it belongs to the id.
    def whole(message):
        ids = [f"{name}:{i}" if name != "bash" else i for i, name in zip(message[1], message[2], strict=True)]
        return ("call", ids, ["bash"] * len(ids))

    return [whole(message) if message[0] == "call" else message for message in notation(text)]


def _pairs(messages, tags):
    """Which call each result belongs to, by tags and not by ids."""
    callers = {}
    found = []
    for message, tag in zip(messages, tags, strict=True):
        if message[0] == "call":
            callers.update(zip(message[1], tag, strict=True))
        if message[0] == "result":
            found.append((callers[message[1]], tag))
    return found
