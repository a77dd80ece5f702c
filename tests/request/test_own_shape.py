"""Arrays are rendered in their own shape: untouched messages byte for byte, and what a sweep changes as a repair would."""

import json

import orjson
import pytest
from hypothesis import given
from tests import oracle
from tests.strategies import anthropic_array, broken_lists, chat_array, condense, law, session_file

WRITE = {"openai-chat": chat_array, "anthropic": anthropic_array}
ODD_CHAT = b"""[ {"role": "user", "z": 1.0, "10": {"b": 12345678901234567890, "a": "\\u00e9"}, "content": "hi"},
 {"role": "assistant", "content": null, "tool_calls": [
    {"id": "x", "type": "function", "function": {"name": "run", "arguments": "{ }"}},
    {"id": "y", "type": "function", "function": {"name": "run", "arguments": "{}"}} ] },
 {"role": "tool", "content": "late", "tool_call_id": "y"},
 {"role": "user", "content": "go on"},
 {"role": "tool", "tool_call_id": "x", "content": "1", "extra": [ 1 , 2 ]} ]"""


def rendered(data, *options):
    with session_file(data, "s.json") as path:
        return condense("render", *options, path)


def messages(data, *options):
    return json.loads(rendered(data, "--output-format", "json", *options).out)["messages"]


def test_untouched_messages_keep_keys_order_and_numbers():
    """A message that no rule touches is the file's bytes without the white space between them."""
    lines = rendered(ODD_CHAT).out.splitlines()

    assert lines[0] == b'{"role":"user","z":1.0,"10":{"b":12345678901234567890,"a":"\\u00e9"},"content":"hi"}'
    assert [json.loads(line).get("tool_call_id") for line in lines] == [None, None, "y", "x", None]
    assert lines[3] == b'{"role":"tool","tool_call_id":"x","content":"1","extra":[1,2]}'


def test_the_context_view_is_the_array():
    """Before a sweep every message is there, equal to the one in the file."""
    assert messages(ODD_CHAT, "--view", "context") == json.loads(ODD_CHAT)


def test_a_call_that_goes_takes_its_list_with_it():
    """The count rule takes calls out; a message that says something stays without `tool_calls`."""
    chat = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b", "tool_calls": [{"id": "x", "type": "function", "function": {"name": "run", "arguments": "{}"}}]}]

    assert messages(orjson.dumps(chat), "--sweep", "count")[1] == {"role": "assistant", "content": "b"}


def test_answers_join_the_user_message_after_their_calls():
    """Anthropic's results are blocks before the text of the next user message."""
    chat = [
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "x", "name": "run", "input": {}}]},
        {"role": "user", "content": "go on"},
    ]
    found = messages(orjson.dumps(chat))

    assert [one["role"] for one in found] == ["user", "assistant", "user"]
    assert [(b["type"], b.get("tool_use_id", b.get("text"))) for b in found[2]["content"]] == [("tool_result", "x"), ("text", "go on")]


@pytest.mark.parametrize("form", WRITE)
@law()
@given(listed=broken_lists())
def test_what_is_rendered_is_accepted(form, listed):
    """After the contract sweep the API's own contract has no error in pairing, and nothing that could stay is lost."""
    data = WRITE[form](listed)
    found = messages(data, "--format", form)
    with session_file(orjson.dumps(found), "s.json") as path:
        report = condense("check-orphans", "--format", form, "--ignore", "reused-id,duplicate-call-id,trailing-call", "--json", path) if found else None
    if report is not None:
        assert report.code == 0, report.out


@pytest.mark.slow
@pytest.mark.parametrize("form", WRITE)
@law()
@given(listed=broken_lists())
def test_the_differences_add_up(form, listed):
    """The sizes of the differences are those of the messages that are shown."""
    data = WRITE[form](listed)
    for rule in ("turn", "count", "contract"):
        options = ("--format", form, "--sweep", rule, "--output-format", "json")
        value = json.loads(rendered(data, *options).out)
        told = json.loads(rendered(data, *options, "--dry-run").out)

        assert told["afterChars"] == told["beforeChars"] + sum(c["afterChars"] - c["beforeChars"] for c in told["changes"])
        assert bool(told["changes"]) == value["pruned"]
        if value["pruned"]:
            assert (told["beforeChars"], told["afterChars"]) == (value["beforeChars"], value["afterChars"])


def test_diagnostics_name_the_message():
    """Of an array they give the message's index from 0, of lines the line."""
    data = chat_array(oracle.notation("U A(x) R(x) A(y) R(z) U"))
    value = json.loads(rendered(data, "--output-format", "json").out)
    lines = b"".join(orjson.dumps(one) + b"\n" for one in json.loads(data))
    with session_file(lines, "s.jsonl") as path:
        other = json.loads(condense("render", "--format", "openai-chat", "--output-format", "json", path).out)

    assert sorted(d["detail"] for d in value["diagnostics"]) == ["message 3: answered", "message 4: dropped"]
    assert sorted(d["detail"] for d in other["diagnostics"]) == ["line 4: answered", "line 5: dropped"]
