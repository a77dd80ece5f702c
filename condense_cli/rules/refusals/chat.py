"""What OpenAI Chat Completions answers, and servers that copy it."""

from __future__ import annotations

from condense_cli.rules.refusals.row import (
    CALLS,
    CHAT,
    DEEPSEEK,
    KIMI,
    RESULTS,
    Refusal,
)

# fmt: off
ROWS: tuple[Refusal, ...] = (
    Refusal(
        "E4", "OpenAI", CHAT, CALLS,
        "[[An assistant message with 'tool_calls' must be followed by tool messages responding to each "
        "'tool_call_id']]. The following tool_call_ids did not have response messages: {ids}",
    ),
    Refusal(
        "E4", "Moonshot", KIMI, CALLS,
        "[[an assistant message with 'tool_calls' must be followed by tool messages responding to each "
        "'tool_call_id']]. The following tool_call_ids did not have response messages: {ids}",
    ),
    Refusal(
        "E4", "DeepSeek", DEEPSEEK, CALLS,
        "[[An assistant message with 'tool_calls' must be followed by tool messages responding to each "
        "'tool_call_id'. (insufficient tool messages following tool_calls message)]]",
    ),
    Refusal(
        "QW-1", "DashScope", CHAT, CALLS,
        '<400> InternalError.Algo.InvalidParameter: [[An assistant message with "tool_calls" must be followed '
        'by tool messages responding to each "tool_call_id". The following tool_call_ids did not have response '
        "messages: message[{n}].role]]",
        variant="dashscope",
    ),
    Refusal(
        "E5", "OpenAI", CHAT, RESULTS,
        "Invalid parameter: [[messages with role 'tool' must be a response to a preceeding message with "
        "'tool_calls']].",
    ),
    Refusal(
        "E5", "DeepSeek", DEEPSEEK, RESULTS,
        "[[Messages with role 'tool' must be a response to a preceding message with 'tool_calls']]",
    ),
    Refusal(
        "E5", "OpenAI", CHAT, RESULTS,
        "Invalid parameter: [[messages with role 'tool' must be a response to a preceding message with "
        "'tool_calls']].",
        variant="newer",
    ),
    Refusal(
        "QW-2", "DashScope", CHAT, RESULTS,
        '[[<400> InternalError.Algo.InvalidParameter: messages with role "tool" must be a response to a '
        'preceeding message with "tool_calls"]].',
        variant="dashscope",
    ),
    Refusal(
        "OC-3", "OpenAI", CHAT, ("duplicate-result",),
        "Invalid parameter: [[Duplicate value for 'tool_call_id']] of '{id}', in messages[{n}] and "
        "messages[{any}].",
    ),
    Refusal(
        "OC-4", "OpenAI", CHAT, ("invalid-call-id",),
        "Invalid 'messages[{n}].[[tool_calls[{m}].id': string too long]]. Expected a string with maximum "
        "length 64, but got a string with length {length} instead.",
        variant="long", source="measured",
    ),
    Refusal(
        "OC-4", "OpenAI", CHAT, ("invalid-call-id",),
        "Invalid 'messages[{n}].[[tool_calls[{m}].id': string too long]]. Expected a string with maximum "
        "length 40, but got a string with length {length} instead.",
        variant="over-40",
    ),
    Refusal(
        "OC-4", "OpenAI", CHAT, ("invalid-call-id",),
        "Invalid '[[messages[{n}].tool_call_id': string too long]]. Expected a string with maximum length "
        "{any}, but got a string with length {length} instead.",
        variant="result",
    ),
    Refusal(
        "E31", "OpenAI-compatible", CHAT, ("invalid-call-id",),
        "[[missing field `tool_call_id`]]",
        variant="empty lost",
    ),
    Refusal(
        "E31", "OpenAI", CHAT, ("invalid-call-id",),
        "[[Missing required parameter: 'messages[{n}].tool_call_id']].",
        variant="missing",
    ),
    Refusal(
        "OC-5", "OpenAI", CHAT, ("empty-message",),
        "[[Invalid value for 'content': expected a string, got null]].",
    ),
    Refusal(
        "OC-5", "OpenAI", CHAT, ("empty-message",),
        "Invalid '[[messages[{n}].content': empty array]]. Expected an array with minimum length 1, but got an "
        "empty array instead.",
        variant="array",
    ),
    Refusal(
        "OC-8", "OpenAI", CHAT, ("empty-calls",),
        "Invalid '[[messages[{n}].tool_calls': empty array]]. Expected an array with minimum length 1, but got an "
        "empty array instead.",
    ),
    Refusal(
        "OC-8", "OpenAI-compatible", CHAT, ("empty-calls",),
        "[] [[is too short - 'messages.{n}.tool_calls']]",
        variant="older",
    ),
    Refusal(
        "OC-7", "OpenAI", CHAT, ("invalid-tool-name",),
        "Invalid 'messages[{n}].[[tool_calls[{m}].function.name': string does not match pattern]]. Expected a "
        "string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
        variant="characters",
    ),
    Refusal(
        "OC-7", "OpenAI", CHAT, ("invalid-tool-name",),
        "Invalid 'messages[{n}].[[tool_calls[{m}].function.name': empty string]]. Expected a string with "
        "minimum length 1, but got an empty string instead.",
        variant="empty",
    ),
    Refusal(
        "OC-7", "OpenAI", CHAT, ("invalid-tool-name",),
        "Invalid 'messages[{n}].[[tool_calls[{m}].function.name': string too long]]. Expected a string with "
        "maximum length 64, but got a string with length {any} instead.",
        variant="long",
    ),
    Refusal(
        "E28", "OpenAI-compatible", CHAT, ("invalid-arguments", "missing-arguments"),
        "messages.{n}.tool_calls.{m}.[[function.arguments: arguments must be a valid JSON object string]]",
    ),
    Refusal(
        "E28", "vLLM", CHAT, ("invalid-arguments",),
        "[[Expecting ',' delimiter: line {any} column {any} (char {any})]]",
        variant="vllm", needs=r"\b400\b|bad ?request",
    ),
    Refusal(
        "E28", "vLLM", CHAT, ("invalid-arguments",),
        "[[Unterminated string starting at: line {any} column {any} (char {any})]]",
        variant="vllm", needs=r"\b400\b|bad ?request",
    ),
    Refusal(
        "E28", "vLLM", CHAT, ("invalid-arguments",),
        "[[Expecting value: line {any} column {any} (char {any})]]",
        variant="vllm", needs=r"\b400\b|bad ?request",
    ),
    Refusal(
        "E8", "OpenRouter", CHAT, RESULTS,
        "[[tool message tool_call_id {id} does not match any tool call in the preceding assistant messages]]",
        variant="openrouter",
    ),
)
# fmt: on
