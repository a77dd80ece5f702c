"""Results that must be in one message: how they pair, and how a second message of them is repaired and swept."""

import json

import pytest
from condense_cli.document.memory import BytesInMemory
from condense_cli.formats import BY_NAME
from condense_cli.formats.read import read_document
from condense_cli.model.messages import Call, Message, Record, Result, Role
from condense_cli.pairing.pair import is_sound, pair
from tests.strategies import condense

CALL = {"functionCall": {"id": "c1", "name": "look", "args": {}}}
OTHER = {"functionCall": {"id": "c2", "name": "look", "args": {}}}
TOGETHER = [name for name, fmt in BY_NAME.items() if fmt.together]


def response(ident):
    """A response to a call."""
    return {"functionResponse": {"id": ident, "name": "look", "response": {"output": "4"}}}


APART = [
    {"role": "user", "parts": [{"text": "Go."}]},
    {"role": "model", "parts": [CALL, OTHER]},
    {"role": "user", "parts": [response("c1")]},
    {"role": "user", "parts": [response("c2"), {"text": "And?"}]},
]


def thread(*results):
    """A turn with two calls, and messages with results of it."""
    asked = Record(1, 0, 0)
    first = Message(asked, Role.ASSISTANT, (Call(asked, 0, "c1", "look"), Call(asked, 1, "c2", "look")), said=False)
    found = [first]
    for line, idents in enumerate(results, 2):
        record = Record(line, 0, 0)
        found.append(Message(record, Role.USER, (), tuple(Result(record, n, i) for n, i in enumerate(idents)), said=False))
    return found


def test_results_in_a_second_message_are_cut_off_where_they_must_be_together():
    """Together, one message answers a turn; shared results may be in several that the API joins."""
    apart = thread(["c1"], ["c2"])

    assert is_sound(apart)
    assert pair(apart, shared_results=True).faults == ()
    assert not is_sound(apart, together=True)
    assert [fault.rule for fault in pair(apart, shared_results=True, together=True).faults] == ["displaced-result"]
    assert pair(thread(["c1", "c2"]), shared_results=True, together=True).faults == ()


@pytest.mark.parametrize("name", TOGETHER)
def test_who_wants_them_together_shares_them(name):
    """A format that wants results together has them in the user message."""
    assert BY_NAME[name].shared_results


def test_a_sweep_brings_them_together_as_a_repair_does(tmp_path):
    """`render` shows the same messages as the repaired file has."""
    path, new = tmp_path / "old.json", tmp_path / "new.json"
    path.write_text(json.dumps(APART), encoding="utf-8")

    assert condense("check", path).code == 1
    assert condense("repair", path, "-o", new).code == 0
    repaired = json.loads(new.read_text(encoding="utf-8"))
    assert [len(message["parts"]) for message in repaired] == [1, 2, 2, 1]
    assert condense("render", "--output-format", "jsonl", path).records == repaired


def test_what_stays_keeps_its_bytes(tmp_path):
    """Only the messages that lose or get a response are written anew."""
    raw = [json.dumps(message, separators=(" ,", " : ")) for message in APART]
    path, new = tmp_path / "old.json", tmp_path / "new.json"
    path.write_text("[" + ",\n".join(raw) + "]", encoding="utf-8")

    assert condense("repair", path, "-o", new).code == 0
    assert [line in new.read_text(encoding="utf-8") for line in raw] == [True, True, False, False]


def test_an_array_on_each_line_is_a_conversation_each():
    """Bare arrays on lines are read as conversations, of any format whose lines may hold them."""
    for first, second in (({"parts": [{"text": "Go."}]}, {"role": "model", "parts": []}), ({"content": "Go."}, {"role": "assistant", "content": "Yes."})):
        row = json.dumps([{"role": "user", **first}, second]).encode()
        document = read_document("s.jsonl", BytesInMemory(row + b"\n" + row + b"\n"))

        assert document.format.threads(document) == 2
        assert [record.line for record in document.records] == [1, 1, 2, 2]
