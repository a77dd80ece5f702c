"""Answers: a finding gets the literal text of its contract."""

from __future__ import annotations

import pytest
from condense_cli.rules.refusals import REFUSALS, provider_error, recognise, texts


@pytest.mark.parametrize(
    ("arguments", "given", "expected"),
    [
        (("unanswered-call", "", "anthropic"), {"call_id": "toolu_1", "index": 4}, "messages.4: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1. Each `tool_use` block must have a corresponding `tool_result` block in the next message."),
        (("orphan-result", "", "anthropic"), {"call_id": "toolu_1", "index": 0, "part": 3}, "messages.0.content.3: unexpected `tool_use_id` found in `tool_result` blocks: toolu_1. Each `tool_result` block must have a corresponding `tool_use` block in the previous message."),
        (("orphan-result", "server", "anthropic"), {"call_id": "srvtoolu_1", "index": 0, "part": 3, "name": "web_search"}, "messages.0.content.3: unexpected `tool_use_id` found in `web_search_tool_result` blocks: srvtoolu_1. Each `…` block must have a corresponding `server_tool_use` block before it."),
        (("orphan-result", "", "openai-chat"), {}, "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."),
        (("unanswered-call", "", "deepseek"), {}, "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. (insufficient tool messages following tool_calls message)"),
        (("unanswered-call", "", "kimi"), {"call_id": "Shell:58"}, "an assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: Shell:58"),
        (("invalid-call-id", "", "kimi"), {"call_id": ""}, "tool_call_id  is not found"),
        (("invalid-call-id", "", "mistral"), {"call_id": "call_1"}, "Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9."),
        (("invalid-call-id", "", "openai-responses"), {"call_id": "x" * 69, "index": 2}, "Invalid 'input[2].call_id': string too long. Expected a string with maximum length 64, but got a string with length 69 instead."),
        (("invalid-tool-name", "", "anthropic"), {"name": "", "index": 1, "part": 0}, "messages.1.content.0.tool_use.name: String should have at least 1 character"),
        (("empty-message", "", "anthropic"), {"index": 2}, "messages.2: user messages must have non-empty content"),
        (("blank-text", "", "bedrock"), {"index": 2, "part": 1}, "The text field in the ContentBlock object at messages.2.content.1 is blank. Add text to the text field, and try again."),
        (("empty-message", "blank-assistant", "anthropic"), {"index": 2}, "messages: text content blocks must contain non-whitespace text"),
        (("invalid-call-id", "over-40", "openai-chat"), {"call_id": "x" * 41, "index": 2, "part": 0}, "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 41 instead."),
        (("unanswered-call", "server", "anthropic"), {"call_id": "srvtoolu_1", "index": 1, "name": "web_search"}, "messages.1: `web_search` tool use with id `srvtoolu_1` was found without a corresponding `…_tool_result` block"),
        (("missing-ordinal", "", "codex"), {}, "final paginated rollout record at … is missing an ordinal"),
        (("unanswered-call", "", "anthropic"), {}, "messages.N: `tool_use` ids were found without `tool_result` blocks immediately after: ID. Each `tool_use` block must have a corresponding `tool_result` block in the next message."),
        (("unanswered-call", "", "openai-responses"), {"call_id": "{n}{id}"}, "No tool output found for function call {n}{id}."),
        (("torn-tail", "", "anthropic"), {}, None),
        (("no-such-rule", "", "anthropic"), {}, None),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, tuple) else "",
)
def test_the_literal_text_of_a_finding(arguments, given, expected):
    """A finding gets its contract's text with its id and place filled in; what is unknown stays a placeholder."""
    assert provider_error(*arguments, **given) == expected


def test_what_a_provider_answers_is_recognised_as_the_rule_it_was_made_from():
    """The two directions of the table agree: text from a rule leads back to that rule."""
    wrong = []
    for refusal in REFUSALS:
        for rule in refusal.rules:
            for contract in refusal.contracts:
                text = provider_error(rule, (refusal.variant or "x").split()[0], contract, call_id="toolu_1", index=3, part=1, name="x")
                assert text is not None
                if not any(rule in match.rules for match in recognise("Error: 400 " + text)):
                    wrong.append((rule, contract, text))
    assert wrong == []


def test_texts_of_a_rule_are_ordered_by_how_likely_the_rule_is():
    """The first text of a rule is one of which the rule is the likeliest cause."""
    assert texts("displaced-result")[0].rules[0] == "displaced-result"
    assert all("deepseek" in row.contracts for row in texts("orphan-result", "deepseek"))
