"""What the contract `training` finds in one conversation."""

import json

import pytest
from condense_cli.dataset.conversation import conversation_of
from condense_cli.dataset.judge import judge, repaired
from condense_cli.dataset.sound import is_sound
from condense_cli.rules.schemas import Declared
from hypothesis import given
from tests.dataset.rows import BASH, GOOD, asks, call, chat, result
from tests.strategies import anthropic_array, broken_lists, chat_array, law


def rules(turns, tools=None):
    """Names of the rules that a row breaks."""
    conversation = conversation_of({"messages": turns, "tools": tools} if tools else {"messages": turns})
    return [flaw.rule for flaw in judge(conversation, Declared())]


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (GOOD, []),
        (chat(asks(call("c1"))), ["unanswered-call"]),
        (chat(result("c9")), ["orphan-result"]),
        (chat(asks(call("c1")), result("c1"), result("c1")), ["duplicate-result"]),
        (chat(result("c1"), asks(call("c1"))), ["result-before-call"]),
        (chat(asks(call("c1"), call("c1")), result("c1"), result("c1")), ["duplicate-call-id"]),
        (GOOD[:2], ["trailing-call"]),
        (chat(asks(call("c1", arguments="ls")), result("c1")), ["invalid-arguments"]),
        (chat(asks(call("c1", arguments='{"a":1}{')), result("c1")), ["invalid-arguments"]),
        (chat({"role": "assistant", "content": ""}), ["empty-message"]),
        (chat({"role": "user", "content": "  "}), ["empty-message"]),
        (chat({"role": "assistant", "content": "Looking.", "function_call": {"name": "bash", "arguments": "{}"}}), ["unanswered-call"]),
        ([*GOOD, *GOOD], []),
    ],
)
def test_a_chat_conversation_breaks(turns, expected):
    """Each rule of the contract is found, and ids that are used again are none of them."""
    assert rules(turns) == expected


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        (call("c1"), []),
        (call("c1", "python"), ["undeclared-tool"]),
        (call("c1", arguments='{"command":5}'), ["arguments-not-by-schema"]),
        (call("c1", arguments="{}"), ["arguments-not-by-schema"]),
    ],
)
def test_calls_are_held_against_declared_tools(calls, expected):
    """Names and arguments, where the row declares tools."""
    pytest.importorskip("jsonschema_rs")

    assert rules(chat(asks(calls), result("c1")), [BASH]) == expected


def test_a_schema_from_the_data_set_reaches_no_network_and_cannot_backtrack():
    """A reference to elsewhere, and a pattern that takes for ever elsewhere, are judged at once."""
    pytest.importorskip("jsonschema_rs")
    away = {"name": "bash", "parameters": {"$ref": "http://127.0.0.1:9/schema"}}
    slow = {"name": "bash", "parameters": {"properties": {"command": {"type": "string", "pattern": "^(a+)+$"}}}}

    assert rules(chat(asks(call("c1")), result("c1")), [away]) == []
    assert rules(chat(asks(call("c1", arguments=json.dumps({"command": "a" * 5000 + "!"}))), result("c1")), [slow]) == ["arguments-not-by-schema"]


def without_ids(turns):
    """The same turns without a single id."""
    text = json.dumps(turns)
    for ident in ("c1", "c2", "c9"):
        text = text.replace(f'"id": "{ident}", ', "").replace(f'"tool_call_id": "{ident}", ', "")
    return json.loads(text)


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (chat(asks(call("c1"), call("c2")), result("c1"), result("c2")), []),
        (chat(asks(call("c1"), call("c2")), result("c1")), ["unanswered-call"]),
        (chat(asks(call("c1")), result("c1"), result("c2")), ["orphan-result"]),
    ],
)
def test_without_ids_halves_pair_by_order(turns, expected):
    """A conversation that has no ids at all is judged by order, and its repair gives it none."""
    conversation = conversation_of({"messages": without_ids(turns)})

    assert [flaw.rule for flaw in judge(conversation, Declared())] == expected
    new = json.loads(repaired(conversation))
    assert "by_order_" not in json.dumps(new)
    assert rules(new) == []


@law(60)
@given(broken_lists(odd_ids=True))
def test_what_passes_the_quick_look_passes_the_check(messages):
    """The quick look never calls sound what the check does not, in chat and in Anthropic messages."""
    for array in (chat_array(messages), anthropic_array(messages)):
        conversation = conversation_of(json.loads(array))
        if conversation is None or not is_sound(conversation, None):
            continue
        odd = conversation._replace(turns=[*conversation.turns, {"role": "nobody", "content": "x"}])
        assert not is_sound(odd, None)
        assert [flaw.rule for flaw in full(conversation)] == []


def full(conversation):
    """Judge without the quick look."""
    from unittest import mock

    with mock.patch("condense_cli.dataset.judge.is_sound", return_value=False):
        return judge(conversation, Declared())


@law(60)
@given(broken_lists())
def test_a_repaired_conversation_is_sound(messages):
    """What --fix writes breaks no rule of the contract."""
    for array in (chat_array(messages), anthropic_array(messages)):
        conversation = conversation_of(json.loads(array))
        if conversation is None or not judge(conversation, Declared()):
            continue
        new = conversation_of(json.loads(repaired(conversation)))
        assert new is None or judge(new, Declared()) == ()
