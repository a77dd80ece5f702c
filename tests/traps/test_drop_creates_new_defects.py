"""Trap: what was dropped leaves a new fault behind, and nobody looks a second time."""

import json

import pytest
from tests.oracle import accepted, notation
from tests.strategies import anthropic_array, chat_array, condense, pi_file, read_back, repair, session_file

CASES = {
    "the dropped result was the only user turn at the front": "R(x) T U T",
    "the dropped result stood between two assistant turns": "U T R(x) T U",
    "the dropped result hid an open call": "U A(y) R(x) U",
    "the dropped call was all its message had": "U A(x) U T",
    "only results": "U R(x) R(y) R(x)",
}


@pytest.mark.parametrize("given", CASES.values(), ids=CASES)
@pytest.mark.parametrize(
    ("write", "form"), [(pi_file, "pi"), (chat_array, "openai-chat"), (anthropic_array, "anthropic")]
)
@pytest.mark.parametrize("options", [(), ("--unanswered", "drop", "--displaced", "drop")], ids=["defaults", "dropping"])
def test_one_repair_is_enough(given, write, form, options):
    """After one repair `check` finds nothing to fix, and the next repair writes the same bytes."""
    # The format is named, since an array that has lost its last half could be of either kind.
    options = (*options, "--format", form)
    outcome, repaired = repair(write(notation(given)), *options)
    assert outcome.code == 0, outcome.err
    with session_file(repaired) as path:
        assert condense("check", "--format", form, path).code == 0
    assert repair(repaired, *options)[1] == repaired


@pytest.mark.parametrize("given", CASES.values(), ids=CASES)
def test_the_independent_checker_agrees(given):
    """What is left of an Anthropic array is accepted: a user's turn first, every call answered."""
    _, repaired = repair(anthropic_array(notation(given)), name="s.json")
    messages, _ = read_back(json.loads(repaired))
    assert accepted(messages, "anthropic") == []


def test_reasoning_goes_with_the_call_it_led_to():
    """In a Codex rollout a reasoning item does not stay behind when the call after it is dropped."""
    items = [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "go"}]},
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAAA"},
        {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "call_1"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "again"}]},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "yes"}]},
    ]
    meta = {
        "id": "01a22bcf-0000-7000-8000-000000000000",
        "timestamp": "2026-01-01T00:00:00.000Z",
        "cwd": "/w",
        "originator": "codex_cli_rs",
        "cli_version": "0.171.0",
    }
    records = [
        {"type": "session_meta", "payload": meta},
        *({"type": "response_item", "payload": item} for item in items),
    ]
    data = b"".join(
        json.dumps({"timestamp": "2026-01-01T00:00:00.000Z", **record}).encode() + b"\n" for record in records
    )
    outcome, repaired = repair(
        data, "--unanswered", "drop", name="rollout-2026-01-01T00-00-00-01a22bcf-0000-7000-8000-000000000000.jsonl"
    )
    assert outcome.code == 0, outcome.err
    kinds = [json.loads(line)["payload"].get("type") for line in repaired.split(b"\n") if line]
    assert "function_call" not in kinds
    assert "reasoning" not in kinds
