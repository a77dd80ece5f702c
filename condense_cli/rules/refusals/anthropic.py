"""What Anthropic Messages answers, and Claude Code where it rewords it."""

from __future__ import annotations

from condense_cli.rules.refusals.row import (
    ANTHROPIC,
    ANTHROPIC_BEDROCK,
    ANTHROPIC_CLIENT,
    CALLS,
    REQUEST,
    RESULTS,
    SIGNED,
    Refusal,
)

# fmt: off
ROWS: tuple[Refusal, ...] = (
    Refusal(
        "E1", "Anthropic", ANTHROPIC, CALLS,
        "messages.{n}: [[`tool_use` ids were found without `tool_result` blocks immediately after]]: {ids}. "
        "Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
    ),
    Refusal(
        "AN-3", "Anthropic", ANTHROPIC, ("results-not-first", *CALLS[:2]),
        "messages.{n}: Did not find {any} [[tool_result block(s) at the beginning of this message]]. Messages "
        "following tool_use blocks must begin with a matching number of tool_result blocks.",
        variant="older",
    ),
    Refusal(
        "E2", "Anthropic", ANTHROPIC, RESULTS,
        "messages.{n}.content.{m}: [[unexpected `tool_use_id` found in `tool_result` blocks]]: {ids}. Each "
        "`tool_result` block must have a corresponding `tool_use` block in the previous message.",
    ),
    Refusal(
        "AN-19", "Anthropic", ANTHROPIC_CLIENT, ("orphan-result", "displaced-result"),
        "messages.{n}.content.{m}: [[unexpected `tool_use_id` found in `{name}_tool_result` blocks]]: {ids}. "
        "Each `{any}` block must have a corresponding `server_tool_use` block before it.",
        variant="server",
    ),
    Refusal(
        "AN-19", "Anthropic", ANTHROPIC_CLIENT, ("unanswered-call", "displaced-result"),
        "messages.{n}: `{name}` [[tool use with id `{id}` was found without a corresponding "
        "`{any}_tool_result` block]]",
        variant="server",
    ),
    Refusal(
        "E3", "Claude Code", ("claude-code", "anthropic"),
        ("unanswered-call", "orphan-result", "displaced-result", "results-not-first", "duplicate-result"),
        "API Error: 400 [[due to tool use concurrency issues]].",
    ),
    Refusal(
        "AN-5", "Anthropic", ANTHROPIC, ("duplicate-result",),
        "messages.{n}.content.{m}: [[each tool_use must have a single result]]. Found multiple `tool_result` "
        "blocks with id: {id}",
    ),
    Refusal(
        "E11", "Anthropic", ANTHROPIC_CLIENT, ("duplicate-call-id", "reused-id"),
        "messages.{n}.content.{m}: [[`tool_use` ids must be unique]]",
    ),
    Refusal(
        "E25", "Anthropic", ANTHROPIC_CLIENT, ("invalid-call-id",),
        "messages.{n}.content.{m}.[[tool_use.id: String should match pattern]] '^[a-zA-Z0-9_-]+$'",
    ),
    Refusal(
        "E25", "Anthropic", ANTHROPIC_CLIENT, ("invalid-call-id",),
        "messages.{n}.content.{m}.[[tool_result.tool_use_id: String should match pattern]] '^[a-zA-Z0-9_-]+$'",
        variant="lost",
    ),
    Refusal(
        "E25", "Anthropic", ANTHROPIC_CLIENT, ("invalid-call-id",),
        "messages.{n}.content.{m}.[[server_tool_use.id: String should match pattern]] "
        "'^srvtoolu_[a-zA-Z0-9_]+$'",
        variant="server",
    ),
    Refusal(
        "E25", "OpenClaw", (), ("invalid-call-id",),
        "[[tool_use ids must match ^[a-zA-Z0-9_-]+$]]",
    ),
    Refusal(
        "E27", "Anthropic", ANTHROPIC_CLIENT, ("invalid-arguments",),
        "messages.{n}.content.{m}.[[tool_use.input: Input should be a valid dictionary]]",
    ),
    Refusal(
        "E27", "Anthropic", ANTHROPIC_CLIENT, ("invalid-arguments",),
        "messages.{n}.content.{m}.[[tool_use.input: Input should be an object]]",
        variant="newer",
    ),
    Refusal(
        "E27", "Anthropic", ANTHROPIC_CLIENT, ("missing-arguments",),
        "messages.{n}.content.{m}.[[tool_use.input: Field required]]",
    ),
    Refusal(
        "WC-003", "Anthropic", ANTHROPIC_CLIENT, ("invalid-tool-name",),
        "messages.{n}.content.{m}.[[tool_use.name: String should match pattern]] '^[a-zA-Z0-9_-]{1,128}$'",
        variant="characters",
    ),
    Refusal(
        "WC-003", "Anthropic", ANTHROPIC_CLIENT, ("invalid-tool-name",),
        "messages.{n}.content.{m}.[[tool_use.name: String should have at least 1 character]]",
        variant="empty",
    ),
    Refusal(
        "WC-003", "Anthropic", ANTHROPIC_CLIENT, ("invalid-tool-name",),
        "messages.{n}.content.{m}.[[tool_use.name: String should have at most]] 200 characters",
        variant="long",
    ),
    Refusal(
        "E19", "Anthropic", ANTHROPIC_CLIENT, ("blank-text", "empty-message"),
        "messages: [[text content blocks must be non-empty]]",
    ),
    Refusal(
        "E19", "Anthropic", ANTHROPIC_CLIENT, ("blank-text", "empty-message"),
        "messages: [[text content blocks must contain non-whitespace text]]",
        variant="white blank-assistant",
    ),
    Refusal(
        "E19", "Anthropic", ANTHROPIC_CLIENT, ("empty-message",),
        "messages.{n}: [[user messages must have non-empty content]]",
        variant="user", source="measured",
    ),
    Refusal(
        "E19", "Anthropic", ANTHROPIC, ("empty-message",),
        "messages.{n}: [[all messages must have non-empty content except for the optional final assistant "
        "message]]",
        variant="empty-assistant",
    ),
    Refusal(
        "E19", "Anthropic", ANTHROPIC, ("blank-text",),
        "messages.{n}.content.{m}.text: [[cache_control cannot be set for empty text blocks]]",
        variant="cached",
    ),
    Refusal(
        "AN-9", "Anthropic", ANTHROPIC_BEDROCK, (),
        "messages.{n}.content.{m}.type: [[Expected `thinking` or `redacted_thinking`, but found]] `{any}`. "
        "When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding "
        "the lastmost set of `tool_use` and `tool_result` blocks).",
        note=(
            "The turn whose tools are still open has lost its thinking: switch thinking off, or go back to "
            "before that turn."
        ),
    ),
    Refusal(
        "AN-10", "Anthropic", ANTHROPIC, (),
        "[[When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`]].",
        note=(
            "Switch thinking on again, or go back to before the last answer."
        ),
    ),
    Refusal(
        "E14", "Anthropic", ANTHROPIC_BEDROCK, (),
        "messages.{n}.content.{m}: [[`thinking` or `redacted_thinking` blocks in the latest assistant message "
        "cannot be modified]]. These blocks must remain as they were in the original response.",
        note=SIGNED,
    ),
    Refusal(
        "E13", "Anthropic", ("anthropic", "bedrock", "openclaw"), ("unsigned-thinking",),
        "messages.{n}.content.{m}: [[Invalid `signature` in `thinking` block]]",
    ),
    Refusal(
        "E13", "Anthropic", ("anthropic", "bedrock"), ("unsigned-thinking",),
        "messages.{n}.content.{m}.[[thinking.signature: Field required]]",
        variant="missing",
    ),
    Refusal(
        "E13", "Anthropic", ANTHROPIC, ("unsigned-thinking",),
        "messages.{n}.content.{m}.[[thinking.thinking: Field required]]",
        variant="hollow",
    ),
    Refusal(
        "AN-13", "Anthropic", ANTHROPIC_CLIENT, ("starts-without-user",),
        'messages: [[first message must use the "user" role]]',
    ),
    Refusal(
        "AN-14", "Anthropic", ANTHROPIC, ("roles-not-alternating",),
        'messages: [[roles must alternate between "user" and "assistant"]], but found multiple "{any}" roles '
        "in a row",
    ),
    Refusal(
        "E29", "Anthropic", ANTHROPIC_BEDROCK, ("ends-with-assistant",),
        "[[This model does not support assistant message prefill]]. The conversation must end with a user "
        "message.",
        note=(
            "A finished answer at the end is sound: the next request has to end with a user message, which is "
            "the client's job."
        ),
        source="measured",
    ),
    Refusal(
        "AN-16", "Anthropic", ANTHROPIC, (),
        "messages: [[final assistant content cannot end with trailing whitespace]]",
        note=REQUEST,
    ),
    Refusal(
        "AN-18", "Anthropic", ANTHROPIC, (),
        "[[Requests which include tool_use or tool_result blocks must define tools]]",
        note=REQUEST, source="documentation",
    ),
    Refusal(
        "E22", "Anthropic", ANTHROPIC, ("lone-surrogate",),
        "[[The request body is not valid JSON: no low surrogate in string]]: line 1 column {any} (char {any})",
    ),
    Refusal(
        "E22", "Anthropic", ANTHROPIC, ("lone-surrogate",),
        "[[The request body is not valid JSON: no high surrogate in string]]: line 1 column {any} (char {any})",
        variant="low",
    ),
    Refusal(
        "E22", "Anthropic", ANTHROPIC, ("nul-character", "lone-surrogate"),
        "[[The request body is not valid JSON: unexpected end of data]]: line 1 column {any} (char {any})",
    ),
    Refusal(
        "AN-21", "Anthropic", ANTHROPIC_CLIENT, ("unknown-tool-reference",),
        "[[Tool reference '{name}' not found in available tools]]",
    ),
)
# fmt: on
