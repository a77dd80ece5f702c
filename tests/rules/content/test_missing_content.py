"""missing-content: which messages need a content, and what is written in."""

from __future__ import annotations

import json

import pytest
from condense_cli.document.memory import BytesInMemory
from condense_cli.formats.read import read_document
from condense_cli.model.plan import apply
from condense_cli.repair.choice import Choice
from condense_cli.repair.engine import make_plan

USE = {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "bell", "input": {}}]}
USED = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1"}]}


def repaired(name, values, *, lines=False, contract=None, select=()):
    raw = b"".join(json.dumps(value).encode() + b"\n" for value in values) if lines else json.dumps(values).encode()
    source = BytesInMemory(raw)
    document = read_document("s.jsonl" if lines else "s.json", source, name)
    plan = make_plan(document, Choice((contract or document.format.contract,), select=frozenset(select)))
    new = b"".join(apply(plan.segments, source))
    return [json.loads(line) for line in new.splitlines()] if lines else json.loads(new)


@pytest.mark.parametrize("absent", [{}, {"content": None}])
def test_an_answer_of_an_anthropic_array_gets_an_empty_list(absent):
    """A field that is not there and one that is null are the same to a reader."""
    new = repaired("anthropic", [{"role": "user", "content": "Ring."}, {"role": "assistant"} | absent, USE, USED])
    assert new[1] == {"role": "assistant", "content": []}
    assert new[3] == USED


def test_a_user_says_something():
    """An empty list would be another error."""
    new = repaired("anthropic", [{"role": "user"}, USE, USED])
    assert new[0] == {"role": "user", "content": "(empty)"}


@pytest.mark.parametrize("role", ["assistant", "toolResult", "user"])
def test_a_message_of_pi_has_a_content(role):
    """Each role that pi goes through, in a turn that failed, too."""
    header = {"type": "session", "version": 3, "id": "0196demo", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/demo"}

    def entry(ident, parent, message):
        return {"type": "message", "id": ident, "parentId": parent, "timestamp": "2026-01-01T00:00:01.000Z", "message": message}

    call = {"type": "toolCall", "id": "call_1", "name": "bell", "arguments": {}}
    messages = {
        "user": {"role": "user", "content": [{"type": "text", "text": "Ring."}]},
        "toolResult": {"role": "toolResult", "toolCallId": "call_1", "toolName": "bell", "content": [{"type": "text", "text": "rung"}]},
    }
    asked = {"role": "assistant", "content": [call], "stopReason": "toolUse", "provider": "openai", "api": "openai-completions", "model": "m"}
    failed = {"role": "assistant", "stopReason": "error", "provider": "openai", "api": "openai-completions", "model": "m"}
    entries = [header, entry("a", None, dict(messages["user"])), entry("b", "a", asked), entry("c", "b", dict(messages["toolResult"]))]
    if role == "assistant":
        entries.append(entry("d", "c", failed))
    else:
        del entries[1 if role == "user" else 3]["message"]["content"]
    where = {"user": 1, "toolResult": 3, "assistant": 4}[role]
    new = repaired("pi", entries, lines=True)
    assert new[where]["message"]["content"] == ("(empty)" if role == "user" else [])
    assert [line for n, line in enumerate(new) if n != where] == [line for n, line in enumerate(entries) if n != where]


def test_a_result_of_a_chat_is_a_text():
    """On request, for its API asks for no more than a warning's worth."""
    call = {"id": "call_1", "type": "function", "function": {"name": "bell", "arguments": "{}"}}
    messages = [{"role": "user", "content": "Ring."}, {"role": "assistant", "tool_calls": [call]}, {"role": "tool", "tool_call_id": "call_1"}]
    assert repaired("openai-chat", messages) == messages
    assert repaired("openai-chat", messages, select=["missing-content"])[2]["content"] == ""


@pytest.mark.parametrize("contract", ["openai-chat", "training"])
def test_an_empty_list_of_calls_goes(contract):
    """Nothing else of the message changes; a data set must not have it either."""
    answer = {"role": "assistant", "content": "Rung.", "tool_calls": [], "refusal": None}
    new = repaired("openai-chat", [{"role": "user", "content": "Ring."}, answer], contract=contract)
    assert new[1] == {"role": "assistant", "content": "Rung.", "refusal": None}
