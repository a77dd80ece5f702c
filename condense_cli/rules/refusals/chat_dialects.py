"""What Moonshot, DeepSeek, Mistral, MiniMax and GLM answer: chat completions with checks of their own."""

from __future__ import annotations

from condense_cli.rules.refusals.row import (
    BAD_REQUEST,
    BOTH,
    CHAT,
    DEEPSEEK,
    KIMI,
    MISTRAL,
    REQUEST,
    RESPONSES,
    RESULTS,
    Refusal,
)

# fmt: off
ROWS: tuple[Refusal, ...] = (
    Refusal(
        "E8", "Moonshot", KIMI, RESULTS,
        "Invalid request: [[tool_call_id {id} is not found]]",
    ),
    Refusal(
        "E8", "Moonshot", KIMI, ("invalid-call-id", "orphan-result"),
        "[[tool_call_id  is not found]]",
        note=(
            "The id in the text is empty: look for a call or a result without an id."
        ),
        variant="empty lost",
    ),
    Refusal(
        "E8", "Kimi K3", KIMI, RESULTS,
        "[[Kimi K3 tool messages need a resolvable tool name]]: carry `tool`/`name`, or match a preceding "
        "assistant tool_call by order",
        variant="k3",
    ),
    Refusal(
        "E12", "Moonshot", KIMI, ("duplicate-call-id", "reused-id"),
        "Invalid request: [[tool call id {id} is duplicated]]",
    ),
    Refusal(
        "E19", "Moonshot", KIMI, ("empty-message",),
        "Invalid request: [[the message at position {n} with role '{name}' must not be empty]]",
    ),
    Refusal(
        "E19", "Moonshot", KIMI, ("blank-text", "empty-message"),
        "[[text content is empty]]",
        needs=BAD_REQUEST,
    ),
    Refusal(
        "E18", "Moonshot", KIMI, ("missing-reasoning",),
        "[[thinking is enabled but reasoning_content is missing in assistant tool call message]] at index {n}",
    ),
    Refusal(
        "KI-8", "Moonshot", KIMI, (),
        "the message at position {n} with role '{any}' [[contains an invalid part type]]: {any}",
        note=REQUEST,
    ),
    Refusal(
        "E18", "DeepSeek", DEEPSEEK, ("missing-reasoning",),
        "[[The `reasoning_content` in the thinking mode must be passed back to the API]].",
    ),
    Refusal(
        "E18", "DeepSeek", DEEPSEEK, ("missing-reasoning",),
        "[[Missing `reasoning_content` field in the assistant message]] at message index {n}",
        variant="indexed",
    ),
    Refusal(
        "E18", "DeepSeek", DEEPSEEK, ("missing-reasoning",),
        "[[The `content[].thinking` in the thinking mode must be passed back to the API]].",
        note=(
            "The client left out the thinking of an earlier turn; switch thinking off, or start the turn anew."
        ),
        variant="thinking",
    ),
    Refusal(
        "E18", "OpenAI-compatible", RESPONSES, ("missing-reasoning",),
        "[[reasoning_content_missing]]",
        variant="code", source="source code",
    ),
    Refusal(
        "DS-6", "DeepSeek", DEEPSEEK, ("empty-message",),
        "[[Invalid assistant message: content or tool_calls must be set]]",
    ),
    Refusal(
        "DS-4", "DeepSeek", DEEPSEEK, ("roles-not-alternating",),
        "[[deepseek-reasoner does not support successive user or assistant messages]] (messages[{n}] and "
        "messages[{any}] in your input). You should interleave the user/assistant messages in the message "
        "sequence.",
    ),
    Refusal(
        "DS-5", "DeepSeek", DEEPSEEK, ("ends-with-assistant",),
        "[[The last message of deepseek-reasoner must be a user message]], or an assistant message with prefix "
        "mode on",
    ),
    Refusal(
        "E24", "Mistral", MISTRAL, ("invalid-call-id",),
        "[[Tool call id was {id} but must be a-z, A-Z, 0-9, with a length of 9]].",
    ),
    Refusal(
        "E24", "Mistral", MISTRAL, ("invalid-call-id",),
        "[[Tool call id was  but must be a-z, A-Z, 0-9, with a length of 9]].",
        variant="empty",
    ),
    Refusal(
        "MI-2", "Mistral", MISTRAL, ("unanswered-call", "orphan-result", "duplicate-result", "reused-id"),
        "[[Not the same number of function calls and responses]]",
    ),
    Refusal(
        "MI-3", "Mistral", MISTRAL, ("roles-not-alternating",),
        "[[Unexpected role 'user' after role 'tool']]",
    ),
    Refusal(
        "MI-4", "Mistral", MISTRAL, ("displaced-result", "result-before-call", "orphan-result"),
        "[[Unexpected role 'tool' after role 'user']]",
    ),
    Refusal(
        "MI-5", "Mistral", MISTRAL, ("ends-with-assistant",),
        "[[Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant]]",
    ),
    Refusal(
        "MI-6", "Mistral", MISTRAL, ("duplicate-call-id",),
        "[[Duplicate tool call id in assistant message]]",
    ),
    Refusal(
        "E9", "MiniMax", CHAT, BOTH,
        "[[invalid params, tool call result does not follow tool call]] (2013)",
        variant="minimax",
    ),
    Refusal(
        "MM-1", "MiniMax", CHAT, RESULTS,
        "invalid params, [[tool result's tool id({id}) not found]] (2013)",
        variant="minimax",
    ),
    Refusal(
        "MM-1", "MiniMax", CHAT, ("duplicate-call-id", "reused-id"),
        "invalid params, [[duplicate tool_call id: {id}]] (2013)",
        variant="minimax",
    ),
    Refusal(
        "MM-1", "MiniMax", CHAT, BOTH,
        "invalid params, [[tool call and result not match]] (2013)",
        variant="minimax",
    ),
    Refusal(
        "MM-1", "MiniMax", CHAT, ("invalid-arguments", "missing-arguments"),
        "invalid params, [[invalid function arguments json string, tool_call_id]]: {id} (2013)",
        variant="minimax",
    ),
    Refusal(
        "ZP-1", "GLM", CHAT, ("starts-without-user", *BOTH),
        "[[The messages parameter is illegal. Please check the documentation]].",
        note=(
            "This provider does not say what is wrong; these are the causes that were seen."
        ),
        variant="glm",
    ),
    Refusal(
        "ZP-1", "GLM", CHAT, ("starts-without-user", *BOTH),
        "[[messages 参数非法。请检查文档]]。",
        note=(
            "This provider does not say what is wrong; these are the causes that were seen."
        ),
        variant="glm",
    ),
    Refusal(
        "QW-3", "chat template", CHAT, (),
        "[[System message must be at the beginning]].",
        note=(
            "The server's chat template takes one system message, at the head; the client has to send it there."
        ),
    ),
)
# fmt: on
