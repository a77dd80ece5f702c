"""What providers and clients answer with when a session is broken, word for word.

One table serves both directions: a finding is given the literal text of its contract, and a text that
somebody pasted is led back to the rules it is about. Ids, indexes and lengths are placeholders.
"""

from __future__ import annotations

import html
import re
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Refusal(NamedTuple):
    """One literal error text.

    `text` holds placeholders: {n} message index and {m} part index (from 0), {id}, {ids}, {name}, {length}
    (of the id), {line} (from 1), {any}. What stands in [[ ]] identifies the refusal; the rest may be cut off.
    `rules` are the likely causes, likeliest first; none where no rule of a session file explains it.
    `variant` lists the variants of a rule that get this wording. `needs` is a pattern that must occur in a pasted text, too, where the wording alone is too common.
    """

    code: str
    who: str
    contracts: tuple[str, ...]
    rules: tuple[str, ...]
    text: str
    variant: str = ""
    note: str = ""
    source: str = "observed"
    needs: str = ""

    @property
    def literal(self) -> str:
        """Return the text with its placeholders and without the marks."""
        return self.text.replace("[[", "").replace("]]", "")

    @property
    def shown(self) -> str:
        """Return the text as people read it: N, M, ID and NAME stand for what differs."""
        return _PLACEHOLDER.sub(lambda found: _UNKNOWN[found[1]], self.literal)


class Match(NamedTuple):
    """A refusal found in a pasted text: what it may be about, and what the text names. Indexes count from 0."""

    code: str
    who: str
    contracts: tuple[str, ...]
    rules: tuple[str, ...]
    texts: tuple[str, ...]
    note: str
    ids: tuple[str, ...]
    messages: tuple[int, ...]
    parts: tuple[int, ...]
    score: int


_CALLS = ("unanswered-call", "displaced-result", "results-not-first", "result-before-call", "trailing-call")
_RESULTS = ("orphan-result", "result-of-skipped-call", "result-before-call", "duplicate-result", "displaced-result")
_BOTH = ("orphan-result", "unanswered-call", "displaced-result", "duplicate-result", "result-before-call", "reused-id")
_LINES = ("fused-line", "torn-tail", "split-record", "nul-bytes", "unreadable-line", "invalid-utf8")
_BAD_REQUEST = r"\b(4\d\d|error|invalid|bad ?request|failed|rejected|exception)\b"

_AN = ("anthropic",)
_AC = ("anthropic", "claude-code")
_AB = ("anthropic", "bedrock")
_OC = ("openai-chat",)
_OR = ("openai-responses",)
_RX = ("openai-responses", "codex")
_GE = ("gemini",)
_BR = ("bedrock",)
_KI = ("kimi",)
_DS = ("deepseek",)
_MI = ("mistral",)

_TOO_LARGE = "The size of an image is no fault of the session file's form: replace that image, or go back to before it."
_REQUEST = "This is about how the client built the request, not about the session file."
_SIGNED = "Signed thinking of the latest turn was changed on its way. A repair never touches it; go back to before that turn."
_ITEM_ID = "Item ids are optional: a client that leaves them out and keeps call_id is accepted."

REFUSALS: tuple[Refusal, ...] = (
    # Anthropic Messages
    Refusal("E1", "Anthropic", _AN, _CALLS, "messages.{n}: [[`tool_use` ids were found without `tool_result` blocks immediately after]]: {ids}. Each `tool_use` block must have a corresponding `tool_result` block in the next message."),
    Refusal("AN-3", "Anthropic", _AN, ("results-not-first", *_CALLS[:2]), "messages.{n}: Did not find {any} [[tool_result block(s) at the beginning of this message]]. Messages following tool_use blocks must begin with a matching number of tool_result blocks.", variant="older"),
    Refusal("E2", "Anthropic", _AN, _RESULTS, "messages.{n}.content.{m}: [[unexpected `tool_use_id` found in `tool_result` blocks]]: {ids}. Each `tool_result` block must have a corresponding `tool_use` block in the previous message."),
    Refusal("AN-19", "Anthropic", _AC, ("orphan-result", "displaced-result"), "messages.{n}.content.{m}: [[unexpected `tool_use_id` found in `{name}_tool_result` blocks]]: {ids}. Each `{any}` block must have a corresponding `server_tool_use` block before it.", variant="server"),
    Refusal("AN-19", "Anthropic", _AC, ("unanswered-call", "displaced-result"), "messages.{n}: `{name}` [[tool use with id `{id}` was found without a corresponding `{any}_tool_result` block]]", variant="server"),
    Refusal("E3", "Claude Code", ("claude-code", "anthropic"), ("unanswered-call", "orphan-result", "displaced-result", "results-not-first", "duplicate-result"), "API Error: 400 [[due to tool use concurrency issues]]."),
    Refusal("AN-5", "Anthropic", _AN, ("duplicate-result",), "messages.{n}.content.{m}: [[each tool_use must have a single result]]. Found multiple `tool_result` blocks with id: {id}"),
    Refusal("E11", "Anthropic", _AC, ("duplicate-call-id", "reused-id"), "messages.{n}.content.{m}: [[`tool_use` ids must be unique]]"),
    Refusal("E25", "Anthropic", _AC, ("invalid-call-id",), "messages.{n}.content.{m}.[[tool_use.id: String should match pattern]] '^[a-zA-Z0-9_-]+$'"),
    Refusal("E25", "Anthropic", _AC, ("invalid-call-id",), "messages.{n}.content.{m}.[[tool_result.tool_use_id: String should match pattern]] '^[a-zA-Z0-9_-]+$'", variant="lost"),
    Refusal("E25", "Anthropic", _AC, ("invalid-call-id",), "messages.{n}.content.{m}.[[server_tool_use.id: String should match pattern]] '^srvtoolu_[a-zA-Z0-9_]+$'", variant="server"),
    Refusal("E25", "OpenClaw", (), ("invalid-call-id",), "[[tool_use ids must match ^[a-zA-Z0-9_-]+$]]"),
    Refusal("E27", "Anthropic", _AC, ("invalid-arguments",), "messages.{n}.content.{m}.[[tool_use.input: Input should be a valid dictionary]]"),
    Refusal("E27", "Anthropic", _AC, ("invalid-arguments",), "messages.{n}.content.{m}.[[tool_use.input: Input should be an object]]", variant="newer"),
    Refusal("E27", "Anthropic", _AC, ("missing-arguments",), "messages.{n}.content.{m}.[[tool_use.input: Field required]]"),
    Refusal("WC-003", "Anthropic", _AC, ("invalid-tool-name",), "messages.{n}.content.{m}.[[tool_use.name: String should match pattern]] '^[a-zA-Z0-9_-]{1,128}$'", variant="characters"),
    Refusal("WC-003", "Anthropic", _AC, ("invalid-tool-name",), "messages.{n}.content.{m}.[[tool_use.name: String should have at least 1 character]]", variant="empty"),
    Refusal("WC-003", "Anthropic", _AC, ("invalid-tool-name",), "messages.{n}.content.{m}.[[tool_use.name: String should have at most]] 200 characters", variant="long"),
    Refusal("E19", "Anthropic", _AC, ("blank-text", "empty-message"), "messages: [[text content blocks must be non-empty]]"),
    Refusal("E19", "Anthropic", _AC, ("blank-text", "empty-message"), "messages: [[text content blocks must contain non-whitespace text]]", variant="white blank-assistant"),
    Refusal("E19", "Anthropic", _AC, ("empty-message",), "messages.{n}: [[user messages must have non-empty content]]", variant="user", source="measured"),
    Refusal("E19", "Anthropic", _AN, ("empty-message",), "messages.{n}: [[all messages must have non-empty content except for the optional final assistant message]]", variant="empty-assistant"),
    Refusal("E19", "Anthropic", _AN, ("blank-text",), "messages.{n}.content.{m}.text: [[cache_control cannot be set for empty text blocks]]", variant="cached"),
    Refusal("AN-9", "Anthropic", _AB, (), "messages.{n}.content.{m}.type: [[Expected `thinking` or `redacted_thinking`, but found]] `{any}`. When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks).", note="The turn whose tools are still open has lost its thinking: switch thinking off, or go back to before that turn."),
    Refusal("AN-10", "Anthropic", _AN, (), "[[When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`]].", note="Switch thinking on again, or go back to before the last answer."),
    Refusal("E14", "Anthropic", _AB, (), "messages.{n}.content.{m}: [[`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified]]. These blocks must remain as they were in the original response.", note=_SIGNED),
    Refusal("E13", "Anthropic", ("anthropic", "bedrock", "openclaw"), ("unsigned-thinking",), "messages.{n}.content.{m}: [[Invalid `signature` in `thinking` block]]"),
    Refusal("E13", "Anthropic", ("anthropic", "bedrock"), ("unsigned-thinking",), "messages.{n}.content.{m}.[[thinking.signature: Field required]]", variant="missing"),
    Refusal("E13", "Anthropic", _AN, ("unsigned-thinking",), "messages.{n}.content.{m}.[[thinking.thinking: Field required]]", variant="hollow"),
    Refusal("AN-13", "Anthropic", _AC, ("starts-without-user",), 'messages: [[first message must use the "user" role]]'),
    Refusal("AN-14", "Anthropic", _AN, ("roles-not-alternating",), 'messages: [[roles must alternate between "user" and "assistant"]], but found multiple "{any}" roles in a row'),
    Refusal("E29", "Anthropic", _AB, ("ends-with-assistant",), "[[This model does not support assistant message prefill]]. The conversation must end with a user message.", note="A finished answer at the end is sound: the next request has to end with a user message, which is the client's job.", source="measured"),
    Refusal("AN-16", "Anthropic", _AN, (), "messages: [[final assistant content cannot end with trailing whitespace]]", note=_REQUEST),
    Refusal("AN-17", "Anthropic", _AN, (), "messages.{n}.content.{m}.tool_result: [[all content must be type 'text' if 'is_error' is true]]", note="An image or document stands in a result that is marked as an error; the client has to send it outside."),
    Refusal("AN-18", "Anthropic", _AN, (), "[[Requests which include tool_use or tool_result blocks must define tools]]", note=_REQUEST, source="documentation"),
    Refusal("E20", "Anthropic", _AN, (), "messages.{n}.content.{m}.image.source.base64.data: [[At least one of the image dimensions exceed max allowed size]]: 8000 pixels", note=_TOO_LARGE),
    Refusal("E20", "Anthropic", _AN, (), "messages.{n}.content.{m}.image.source.base64.data: [[At least one of the image dimensions exceed max allowed size for many-image requests]]: 2000 pixels", note=_TOO_LARGE),
    Refusal("E21", "Anthropic", _AN, ("invalid-image",), "[[Could not process image]]", needs=_BAD_REQUEST),
    Refusal("E21", "OpenAI", ("openai-chat", "openai-responses"), ("invalid-image",), "[[The image data you provided does not represent a valid image]]. Please check your input and try again."),
    Refusal("E21", "OpenAI Responses", _RX, ("invalid-image",), "Invalid 'input[{n}].content[{m}].image_url'. [[Expected a base64-encoded data URL with an image MIME type]] {any}, but got unsupported MIME type '{any}'.", variant="media-type"),
    Refusal("E22", "Anthropic", _AN, ("lone-surrogate",), "[[The request body is not valid JSON: no low surrogate in string]]: line 1 column {any} (char {any})"),
    Refusal("E22", "Anthropic", _AN, ("lone-surrogate",), "[[The request body is not valid JSON: no high surrogate in string]]: line 1 column {any} (char {any})", variant="low"),
    Refusal("E22", "Anthropic", _AN, ("nul-character", "lone-surrogate"), "[[The request body is not valid JSON: unexpected end of data]]: line 1 column {any} (char {any})"),
    # OpenAI Chat Completions and those who speak it
    Refusal("E4", "OpenAI", _OC, _CALLS, "[[An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id']]. The following tool_call_ids did not have response messages: {ids}"),
    Refusal("E4", "Moonshot", _KI, _CALLS, "[[an assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id']]. The following tool_call_ids did not have response messages: {ids}"),
    Refusal("E4", "DeepSeek", _DS, _CALLS, "[[An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. (insufficient tool messages following tool_calls message)]]"),
    Refusal("QW-1", "DashScope", _OC, _CALLS, '<400> InternalError.Algo.InvalidParameter: [[An assistant message with "tool_calls" must be followed by tool messages responding to each "tool_call_id". The following tool_call_ids did not have response messages: message[{n}].role]]', variant="dashscope"),
    Refusal("E5", "OpenAI", _OC, _RESULTS, "Invalid parameter: [[messages with role 'tool' must be a response to a preceeding message with 'tool_calls']]."),
    Refusal("E5", "DeepSeek", _DS, _RESULTS, "[[Messages with role 'tool' must be a response to a preceding message with 'tool_calls']]"),
    Refusal("E5", "OpenAI", _OC, _RESULTS, "Invalid parameter: [[messages with role 'tool' must be a response to a preceding message with 'tool_calls']].", variant="newer"),
    Refusal("QW-2", "DashScope", _OC, _RESULTS, '[[<400> InternalError.Algo.InvalidParameter: messages with role "tool" must be a response to a preceeding message with "tool_calls"]].', variant="dashscope"),
    Refusal("OC-3", "OpenAI", _OC, ("duplicate-result",), "Invalid parameter: [[Duplicate value for 'tool_call_id']] of '{id}', in messages[{n}] and messages[{any}]."),
    Refusal("OC-4", "OpenAI", _OC, ("invalid-call-id",), "Invalid 'messages[{n}].[[tool_calls[{m}].id': string too long]]. Expected a string with maximum length 64, but got a string with length {length} instead.", variant="long", source="measured"),
    Refusal("OC-4", "OpenAI", _OC, ("invalid-call-id",), "Invalid 'messages[{n}].[[tool_calls[{m}].id': string too long]]. Expected a string with maximum length 40, but got a string with length {length} instead.", variant="over-40"),
    Refusal("OC-4", "OpenAI", _OC, ("invalid-call-id",), "Invalid '[[messages[{n}].tool_call_id': string too long]]. Expected a string with maximum length {any}, but got a string with length {length} instead.", variant="result"),
    Refusal("E31", "OpenAI-compatible", _OC, ("invalid-call-id",), "[[missing field `tool_call_id`]]", variant="empty lost"),
    Refusal("E31", "OpenAI", _OC, ("invalid-call-id",), "[[Missing required parameter: 'messages[{n}].tool_call_id']].", variant="missing"),
    Refusal("OC-5", "OpenAI", _OC, ("empty-message",), "[[Invalid value for 'content': expected a string, got null]]."),
    Refusal("OC-5", "OpenAI", _OC, ("empty-message",), "Invalid '[[messages[{n}].content': empty array]]. Expected an array with minimum length 1, but got an empty array instead.", variant="array"),
    Refusal("OC-6", "OpenAI", _OC, (), "Invalid 'messages[{n}]'. [[Image URLs are only allowed for messages with role 'user', but this message with role]] '{any}' contains an image URL.", note="An image stands in a tool result; the client has to send it in a user message behind the results."),
    Refusal("OC-7", "OpenAI", _OC, ("invalid-tool-name",), "Invalid 'messages[{n}].[[tool_calls[{m}].function.name': string does not match pattern]]. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.", variant="characters"),
    Refusal("OC-7", "OpenAI", _OC, ("invalid-tool-name",), "Invalid 'messages[{n}].[[tool_calls[{m}].function.name': empty string]]. Expected a string with minimum length 1, but got an empty string instead.", variant="empty"),
    Refusal("OC-7", "OpenAI", _OC, ("invalid-tool-name",), "Invalid 'messages[{n}].[[tool_calls[{m}].function.name': string too long]]. Expected a string with maximum length 64, but got a string with length {any} instead.", variant="long"),
    Refusal("E28", "OpenAI-compatible", _OC, ("invalid-arguments", "missing-arguments"), "messages.{n}.tool_calls.{m}.[[function.arguments: arguments must be a valid JSON object string]]"),
    Refusal("E28", "vLLM", _OC, ("invalid-arguments",), "[[Expecting ',' delimiter: line {any} column {any} (char {any})]]", variant="vllm", needs=r"\b400\b|bad ?request"),
    Refusal("E28", "vLLM", _OC, ("invalid-arguments",), "[[Unterminated string starting at: line {any} column {any} (char {any})]]", variant="vllm", needs=r"\b400\b|bad ?request"),
    Refusal("E28", "vLLM", _OC, ("invalid-arguments",), "[[Expecting value: line {any} column {any} (char {any})]]", variant="vllm", needs=r"\b400\b|bad ?request"),
    Refusal("E8", "OpenRouter", _OC, _RESULTS, "[[tool message tool_call_id {id} does not match any tool call in the preceding assistant messages]]", variant="openrouter"),
    # Kimi
    Refusal("E8", "Moonshot", _KI, _RESULTS, "Invalid request: [[tool_call_id {id} is not found]]"),
    Refusal("E8", "Moonshot", _KI, ("invalid-call-id", "orphan-result"), "[[tool_call_id  is not found]]", variant="empty lost", note="The id in the text is empty: look for a call or a result without an id."),
    Refusal("E8", "Kimi K3", _KI, _RESULTS, "[[Kimi K3 tool messages need a resolvable tool name]]: carry `tool`/`name`, or match a preceding assistant tool_call by order", variant="k3"),
    Refusal("E12", "Moonshot", _KI, ("duplicate-call-id", "reused-id"), "Invalid request: [[tool call id {id} is duplicated]]"),
    Refusal("E19", "Moonshot", _KI, ("empty-message",), "Invalid request: [[the message at position {n} with role '{name}' must not be empty]]"),
    Refusal("E19", "Moonshot", _KI, ("blank-text",), "[[text content is empty]]", needs=_BAD_REQUEST),
    Refusal("E18", "Moonshot", _KI, ("missing-reasoning",), "[[thinking is enabled but reasoning_content is missing in assistant tool call message]] at index {n}"),
    Refusal("KI-8", "Moonshot", _KI, (), "the message at position {n} with role '{any}' [[contains an invalid part type]]: {any}", note=_REQUEST),
    # DeepSeek
    Refusal("E18", "DeepSeek", _DS, ("missing-reasoning",), "[[The `reasoning_content` in the thinking mode must be passed back to the API]]."),
    Refusal("E18", "DeepSeek", _DS, ("missing-reasoning",), "[[Missing `reasoning_content` field in the assistant message]] at message index {n}", variant="indexed"),
    Refusal("E18", "DeepSeek", _DS, (), "[[The `content[].thinking` in the thinking mode must be passed back to the API]].", variant="thinking", note="The client left out the thinking of an earlier turn; switch thinking off, or start the turn anew."),
    Refusal("E18", "OpenAI-compatible", _OR, ("missing-reasoning",), "[[reasoning_content_missing]]", variant="code", source="source code"),
    Refusal("DS-4", "DeepSeek", _DS, ("roles-not-alternating",), "[[deepseek-reasoner does not support successive user or assistant messages]] (messages[{n}] and messages[{any}] in your input). You should interleave the user/assistant messages in the message sequence."),
    Refusal("DS-5", "DeepSeek", _DS, ("ends-with-assistant",), "[[The last message of deepseek-reasoner must be a user message]], or an assistant message with prefix mode on"),
    # OpenAI Responses
    Refusal("E6", "OpenAI Responses", _OR, ("unanswered-call", "trailing-call"), "[[No tool output found for function call]] {id}."),
    Refusal("E6", "OpenAI Responses", _OR, ("unanswered-call", "trailing-call"), "[[No tool output found for custom tool call]] {id}.", variant="custom"),
    Refusal("E6", "DeepSeek", _DS, _CALLS, "[[No tool output found for tool call]] {id}", variant="responses"),
    Refusal("E7", "OpenAI Responses", _RX, ("orphan-result", "result-before-call", "duplicate-result", "result-of-skipped-call"), "[[No tool call found for function call output with call_id]] {id}."),
    Refusal("E23", "OpenAI Responses", _RX, ("invalid-call-id",), "Invalid '[[input[{n}].call_id': string too long]]. Expected a string with maximum length 64, but got a string with length {length} instead.", variant="long"),
    Refusal("E26", "OpenAI Responses", _RX, ("invalid-tool-name",), "Invalid '[[input[{n}].name': string does not match pattern]]. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.", variant="characters"),
    Refusal("OR-6", "OpenAI Responses", _OR, (), "Invalid 'input[{n}].id': '{id}'. [[Expected an ID that begins with]] '{any}'.", note=_ITEM_ID),
    Refusal("OR-7", "OpenAI Responses", _RX, ("duplicate-record",), "[[Duplicate item found with id]] {id}. Remove duplicate items from your input and try again."),
    Refusal("OR-7", "OpenAI-compatible", _RX, ("duplicate-call-id", "reused-id"), "[[Duplicate 'call_id']]: {id}", needs=_BAD_REQUEST),
    Refusal("E15", "OpenAI Responses", _RX, ("dangling-reasoning",), "Item '{id}' [[of type 'reasoning' was provided without its required following item]]."),
    Refusal("E16", "OpenAI Responses", _OR, (), "Item '{id}' [[of type '{any}' was provided without its required 'reasoning' item]]: '{id}'.", note=_ITEM_ID),
    Refusal("E17", "OpenAI Responses", _RX, ("foreign-reasoning",), "[[The encrypted content {any} could not be verified]].", note="Nobody but the provider can tell which reasoning it means: `condense repair --select foreign-reasoning` drops what is bound to another provider or model."),
    Refusal("E17", "OpenAI Responses", _RX, ("foreign-reasoning",), "[[invalid_encrypted_content]]", variant="code", note="Nobody but the provider can tell which reasoning it means: `condense repair --select foreign-reasoning` drops what is bound to another provider or model."),
    Refusal("OR-11", "OpenAI Responses", _OR, (), "[[Invalid value: 'tool'. Supported values are]]: 'assistant', 'system', 'developer', and 'user'.", note=_REQUEST),
    # Gemini
    Refusal("E10", "Gemini", _GE, _BOTH[:4], "[[Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn]]."),
    Refusal("GE-2", "Gemini", _GE, ("displaced-result", "result-before-call", "orphan-result", "unanswered-call"), "[[Please ensure that function response turn comes immediately after a function call turn]]"),
    Refusal("GE-3", "Gemini", _GE, ("starts-without-user", "displaced-result"), "[[Please ensure that function call turn comes immediately after a user turn or after a function response turn]]."),
    Refusal("E30", "Gemini", _GE, (), "[[Function call is missing a thought_signature in functionCall parts]].", note="The client did not send back the signature of a call. It cannot be made up: go back to before that turn, or use another model."),
    Refusal("E30", "Vertex AI", _GE, (), "[[Unable to submit request because function call `{name}` in the {any} content block is missing a `thought_signature`]].", variant="vertex", note="The client did not send back the signature of a call. It cannot be made up: go back to before that turn, or use another model."),
    Refusal("GE-5", "Gemini", _GE, ("empty-message",), "GenerateContentRequest.[[contents[{n}].parts: contents.parts must not be empty]]."),
    Refusal("GE-5", "Gemini", _GE, ("blank-text", "empty-message"), "GenerateContentRequest.contents[{n}].[[parts[{m}].data: required oneof field 'data' must have one initialized field]]"),
    Refusal("GE-6", "Gemini", _GE, (), "[[Unknown name \"id\" at 'contents[{n}].parts[{m}].function_]]response'", note=_REQUEST),
    # Bedrock Converse
    Refusal("BR-1", "Bedrock", _BR, _CALLS, "[[Expected toolResult blocks at messages.{n}.content for the following Ids]]: {ids}"),
    Refusal("BR-2", "Bedrock", _BR, _RESULTS, "[[The number of toolResult blocks at messages.{n}.content exceeds the number of toolUse blocks of previous turn]]."),
    Refusal("BR-3", "Bedrock", _BR, ("duplicate-result",), "[[The toolResult blocks at messages.{n}.content contain duplicate Ids]]: {ids}"),
    Refusal("E12", "Bedrock", _BR, ("duplicate-call-id",), "[[The toolUse blocks at messages.{n}.content contain duplicate Ids]]: {ids}"),
    Refusal("E12", "Bedrock", _BR, ("duplicate-call-id",), "[[The toolUse blocks at messages.{n} contain duplicate Ids]]: {ids}", variant="older"),
    Refusal("BR-5", "Bedrock", _BR, ("roles-not-alternating",), "[[A conversation must alternate between user and assistant roles]]. Make sure the conversation alternates between user and assistant roles and try again."),
    Refusal("BR-6", "Bedrock", _BR, ("starts-without-user",), "[[A conversation must start with a user message]]. Try again with a conversation that starts with a user message."),
    Refusal("BR-7", "Bedrock", _BR, ("blank-text", "empty-message"), "[[The text field in the ContentBlock object at messages.{n}.content.{m} is blank]]. Add text to the text field, and try again."),
    Refusal("BR-8", "Bedrock", _BR, ("empty-message",), "[[The content field in the Message object at messages.{n} is empty]]. Add a ContentBlock object to the content field and try again."),
    Refusal("BR-9", "Bedrock", _BR, (), "[[The content field at messages.{n}.content.{m}.toolResult cannot be empty when status value is error]].", note="A result that is marked as an error is empty; the client has to send a word in it."),
    Refusal("BR-10", "Bedrock", _BR, (), "[[The toolConfig field must be defined when using toolUse and toolResult content blocks]].", note=_REQUEST),
    Refusal("BR-11", "Bedrock", _BR, (), "messages.{n}.content: [[Conversation blocks and tool result blocks cannot be provided in the same turn]].", note="This model refuses text beside results, in whatever order; the client has to send the text in a turn of its own."),
    # Mistral
    Refusal("E24", "Mistral", _MI, ("invalid-call-id",), "[[Tool call id was {id} but must be a-z, A-Z, 0-9, with a length of 9]]."),
    Refusal("E24", "Mistral", _MI, ("invalid-call-id",), "[[Tool call id was  but must be a-z, A-Z, 0-9, with a length of 9]].", variant="empty"),
    Refusal("MI-2", "Mistral", _MI, ("unanswered-call", "orphan-result", "duplicate-result", "reused-id"), "[[Not the same number of function calls and responses]]"),
    Refusal("MI-3", "Mistral", _MI, ("roles-not-alternating",), "[[Unexpected role 'user' after role 'tool']]"),
    Refusal("MI-4", "Mistral", _MI, ("displaced-result", "result-before-call", "orphan-result"), "[[Unexpected role 'tool' after role 'user']]"),
    Refusal("MI-5", "Mistral", _MI, ("ends-with-assistant",), "[[Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant]]"),
    Refusal("MI-6", "Mistral", _MI, ("duplicate-call-id",), "[[Duplicate tool call id in assistant message]]"),
    # MiniMax, GLM, servers with a chat template
    Refusal("E9", "MiniMax", _OC, _BOTH, "[[invalid params, tool call result does not follow tool call]] (2013)", variant="minimax"),
    Refusal("MM-1", "MiniMax", _OC, _RESULTS, "invalid params, [[tool result's tool id({id}) not found]] (2013)", variant="minimax"),
    Refusal("MM-1", "MiniMax", _OC, ("duplicate-call-id", "reused-id"), "invalid params, [[duplicate tool_call id: {id}]] (2013)", variant="minimax"),
    Refusal("MM-1", "MiniMax", _OC, _BOTH, "invalid params, [[tool call and result not match]] (2013)", variant="minimax"),
    Refusal("MM-1", "MiniMax", _OC, ("invalid-arguments", "missing-arguments"), "invalid params, [[invalid function arguments json string, tool_call_id]]: {id} (2013)", variant="minimax"),
    Refusal("ZP-1", "GLM", _OC, ("starts-without-user", *_BOTH), "[[The messages parameter is illegal. Please check the documentation]].", variant="glm", note="This provider does not say what is wrong; these are the causes that were seen."),
    Refusal("ZP-1", "GLM", _OC, ("starts-without-user", *_BOTH), "[[messages 参数非法。请检查文档]]。", variant="glm", note="This provider does not say what is wrong; these are the causes that were seen."),
    Refusal("QW-3", "chat template", _OC, (), "[[System message must be at the beginning]].", note="The server's chat template takes one system message, at the head; the client has to send it there."),
    # clients
    Refusal("L1", "pi", ("pi", "openclaw"), ("missing-header", "misplaced-header", "bom"), "[[Session file is not a valid pi session]]: {any}"),
    Refusal("L2", "pi, Claude Code", ("pi", "openclaw", "claude-code"), ("parent-cycle", "duplicate-id", "duplicate-record"), "[[RangeError: Invalid array length]]"),
    Refusal("L2", "pi, Claude Code", ("pi", "openclaw", "claude-code"), ("parent-cycle", "duplicate-id", "duplicate-record"), "[[JavaScript heap out of memory]]", variant="memory"),
    Refusal("L3", "Node.js", (), (), "[[Cannot create a string longer than 0x1fffffe8 characters]]", note="The file is larger than this client can read at once (512 MiB); its records may be sound."),
    Refusal("L4", "Copilot CLI", (), _LINES, "[[Session file is corrupted]] (line {line}: SyntaxError {any})"),
    Refusal("L4", "Claude Code", ("claude-code",), _LINES, "[[JSON Parse error: Expected ':' before value in object property definition]]"),
    Refusal("L4", "Copilot CLI", (), ("missing-header", *_LINES), "[[Session {id} not found on disk]]"),
    Refusal("L5", "Codex", ("codex",), ("missing-ordinal",), "[[final paginated rollout record at {any} is missing an ordinal]]"),
    Refusal("L5", "Codex", ("codex",), ("duplicate-ordinal", "missing-ordinal"), "[[expected ordinal {any}, got {any}]]"),
    Refusal("L6", "Codex", ("codex",), ("missing-header", "misplaced-header", "bom"), "[[failed to parse thread ID from rollout file]]"),
    Refusal("F1", "pydantic-ai", _OC, ("trailing-call", "unanswered-call"), "[[Cannot provide a new user prompt when the message history contains unprocessed tool calls]].", variant="client"),
    Refusal("F1", "Vercel AI SDK", _OC, ("unanswered-call", "trailing-call"), "[[ToolInvocation must have a result]]", variant="client"),
    Refusal("F1", "Vercel AI SDK", _OC, ("unanswered-call", "trailing-call"), "[[AI_MissingToolResultsError]]", variant="client"),
    Refusal("F1", "Vercel AI SDK", _OC, ("unanswered-call", "trailing-call"), "[[Tool result is missing for tool call]] {id}.", variant="client", source="source code"),
    Refusal("F1", "Vercel AI SDK", _OC, ("unanswered-call", "trailing-call"), "[[Tool results are missing for tool calls]] {ids}.", variant="client", source="source code"),
)

# Which contract a text points to by a name in it; the first that occurs is tried first.
_HINTS: tuple[tuple[str, str], ...] = (
    (r"deepseek", "deepseek"),
    (r"moonshot|kimi", "kimi"),
    (r"bedrock|converse", "bedrock"),
    (r"mistral", "mistral"),
    (r"codex", "codex"),
)


# --- from a finding to the text -----------------------------------------------------------------


def provider_error(
    rule: str,
    variant: str,
    contract: str,
    *,
    call_id: str | None = None,
    index: int | None = None,
    part: int | None = None,
    name: str | None = None,
) -> str | None:
    """Return the literal text that this contract answers with for this finding, or None if none is known.

    index is the message's number and part the block's, both from 0. What is not given stays a capital
    placeholder (N, M, ID, NAME).
    """
    refusal = _refusal_for(rule, variant, _shape(rule, call_id, name), contract)
    if refusal is None:
        return None
    given: dict[str, object] = {"n": index, "m": part, "id": call_id, "ids": call_id, "name": name}
    if call_id is not None:
        given["length"] = len(call_id.encode("utf-16-le", "surrogatepass")) // 2
    return _PLACEHOLDER.sub(lambda found: _filled(found[1], given), refusal.literal)


def texts(rule: str, contract: str | None = None) -> tuple[Refusal, ...]:
    """Return the refusals that a rule can cause, those of which it is the likeliest cause first."""
    found = [r for r in REFUSALS if rule in r.rules and (contract is None or contract in r.contracts)]
    return tuple(sorted(found, key=lambda refusal: refusal.rules.index(rule)))


def _shape(rule: str, call_id: str | None, name: str | None) -> str:
    """Read from the value itself what is wrong with it, where the variant does not say so."""
    value = {"invalid-call-id": call_id, "invalid-tool-name": name}.get(rule)
    if value is None:
        return ""
    if not value:
        return "empty"
    return "long" if len(value) > 64 else "characters"


@cache
def _refusal_for(rule: str, variant: str, shape: str, contract: str) -> Refusal | None:
    def distance(refusal: Refusal) -> tuple[int, int, bool]:
        wordings = refusal.variant.split()
        near = 0 if variant and variant in wordings else 1 if shape and shape in wordings else 2
        return near, refusal.rules.index(rule), bool(wordings)

    return min(texts(rule, contract), key=distance, default=None)


_PLACEHOLDER = re.compile(r"\{(n|m|ids?|name|length|line|any)\}")
_UNKNOWN = {"n": "N", "m": "M", "id": "ID", "ids": "ID", "name": "NAME", "length": "N", "line": "N", "any": "…"}


def _filled(placeholder: str, given: dict[str, object]) -> str:
    value = given.get(placeholder)
    return _UNKNOWN[placeholder] if value is None else str(value)


# --- from the text to the rules -----------------------------------------------------------------

_LIMIT = 200_000  # characters of a pasted text that are looked at
_REPEATS = 20  # times that one refusal is looked at in a log
_CUT = 24  # squeezed characters that must be left of a text that was cut off


def recognise(text: str) -> tuple[Match, ...]:
    """Find the refusals that a pasted text is about, best first; none gives ().

    Ids, indexes, case, quotes, backticks, JSON escapes, colours and line breaks do not matter.
    """
    plain = _unescaped(text[:_LIMIT])
    best: dict[str, Match] = {}
    # A terminal breaks lines between words or inside them: both readings are tried.
    for view in dict.fromkeys((_collapsed(plain, full=" "), _collapsed(plain, full=""))):
        for match in _matches(view):
            known = best.get(match.code)
            if known is None or match.score > known.score:
                best[match.code] = match
            elif match.score == known.score:
                longer = (name for name in match.ids if any(name.startswith(short) for short in known.ids))
                best[match.code] = known._replace(ids=tuple(dict.fromkeys((*known.ids, *longer))))
    found = list(best.values()) or _cut_off(_squeezed(plain))
    hinted = tuple(contract for pattern, contract in _HINTS if re.search(pattern, plain, re.IGNORECASE))
    return tuple(_with_hints(match, hinted) for match in sorted(found, key=lambda match: -match.score))


class _Hit(NamedTuple):
    refusal: Refusal
    start: int
    end: int
    score: int
    captures: tuple[tuple[str, str], ...]


def _matches(view: str) -> Iterator[Match]:
    """Yield one match per code; a hit inside a longer one is the same words in another vendor's sentence."""
    hits = list(_hits(view))
    kept = [hit for hit in hits if not any(_covers(other, hit) for other in hits)]
    for code in dict.fromkeys(hit.refusal.code for hit in kept):
        yield _merged([hit for hit in kept if hit.refusal.code == code])


def _hits(view: str) -> Iterator[_Hit]:
    squeezed = _squeezed(view)
    for refusal in REFUSALS:
        pattern, landmark = _compiled(refusal)
        if landmark not in squeezed or (refusal.needs and not re.search(refusal.needs, view, re.IGNORECASE)):
            continue
        for found in islice(pattern.finditer(view), _REPEATS):
            captures = tuple((key.partition("_")[0], value) for key, value in found.groupdict().items() if value is not None)
            score = len(_squeezed(found[0])) - sum(len(_squeezed(value)) for _, value in captures)
            words = found[0].strip()
            start = found.start() + found[0].index(words)
            yield _Hit(refusal, start, start + len(words), score, captures)


def _covers(other: _Hit, hit: _Hit) -> bool:
    return other.score > hit.score and other.start <= hit.start < other.end


def _merged(hits: list[_Hit]) -> Match:
    top = max(hit.score for hit in hits)
    # Vendors share sentences to the letter: all who say the best one stay candidates.
    rows = list(dict.fromkeys(hit.refusal for hit in hits if hit.score == top))
    captures = [capture for hit in hits for capture in hit.captures]
    return as_match(rows, top, captures)


def as_match(rows: list[Refusal], score: int = 0, captures: Iterable[tuple[str, str]] = ()) -> Match:
    """Return rows of one code as one match; captures are (placeholder, what stood there)."""
    captures = list(captures)
    ids = (part for kind, value in captures if kind in ("id", "ids") for part in re.split(r" ?, ?(?:and )?", value))
    return Match(
        code=rows[0].code,
        who=", ".join(dict.fromkeys(row.who for row in rows)),
        contracts=tuple(dict.fromkeys(contract for row in rows for contract in row.contracts)),
        rules=tuple(dict.fromkeys(rule for row in rows for rule in row.rules)),
        texts=tuple(dict.fromkeys(row.shown for row in rows)),
        note=rows[0].note,
        ids=tuple(dict.fromkeys(ids)),
        messages=tuple(dict.fromkeys(int(value) for kind, value in captures if kind == "n")),
        parts=tuple(dict.fromkeys(int(value) for kind, value in captures if kind == "m")),
        score=score,
    )


def _cut_off(squeezed: str) -> list[Match]:
    """Find the refusal whose beginning is the end of the text: it was cut off there."""
    found: list[tuple[int, Refusal]] = []
    for refusal in REFUSALS:
        _, landmark = _compiled(refusal)
        for size in range(len(landmark) - 1, _CUT - 1, -1):
            if squeezed.endswith(landmark[:size]):
                found.append((size, refusal))
                break
    if not found:
        return []
    top = max(size for size, _ in found)
    return [as_match([refusal for size, refusal in found if size == top], top)]


def _with_hints(match: Match, hinted: tuple[str, ...]) -> Match:
    return match._replace(contracts=tuple(sorted(match.contracts, key=lambda contract: contract not in hinted)))


# --- pasted texts -------------------------------------------------------------------------------

_ESCAPE = re.compile(r"(?<!\\)\\+(u[0-9a-fA-F]{4}|[nrtbf\"'/])")
_ESCAPED = {"n": "\n", "r": "\n", "t": " ", "b": "", "f": " "}
_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_QUOTES = re.compile("[`\"'\\\\‘’‚‛“”„«»]")
_INDEX = re.compile(r"\[(\d+|\{n\}|\{m\}|\{any\})\]")
_MARGIN = " \t\r│┃║|>⎿●⏺"  # what terminals and quoting put around a line


def _unescaped(text: str) -> str:
    text = html.unescape(_ANSI.sub("", text))
    return _ESCAPE.sub(lambda found: chr(int(found[1][1:], 16)) if found[1][0] == "u" else _ESCAPED.get(found[1], found[1]), text)


def _unquoted(text: str) -> str:
    # messages[3] and messages.3 are the same place in two spellings.
    return _INDEX.sub(r".\1", _QUOTES.sub("", text))


def _collapsed(text: str, *, full: str) -> str:
    """Put a text on one line; `full` joins a line that is as long as any to the next one, a blank the others."""
    lines = text.split("\n")
    width = max(len(line.rstrip()) for line in lines)
    joined = "".join(line.strip(_MARGIN) + (full if len(line.rstrip()) == width else " ") for line in lines)
    return re.sub(r"\s+", " ", _unquoted(joined))


def _squeezed(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


# --- templates to patterns ----------------------------------------------------------------------

_NO_ID = r"\s,;(){}<>\[\]"
_IN_TEXT = {
    "n": r"\d+",
    "m": r"\d+",
    "line": r"\d+",
    "length": r"\d+",
    "id": rf"[^{_NO_ID}]+?",
    "ids": rf"[^{_NO_ID}]+?(?: ?, ?(?:and )?[^{_NO_ID}]+?)*?",
    "name": r"[\w.:-]{1,200}?",
    "any": r".{0,200}?",
}
_AT_END = {
    "id": rf"[^{_NO_ID}]*[^{_NO_ID}.:…]",
    "ids": rf"[^{_NO_ID}]*[^{_NO_ID}.:…](?: ?, ?(?:and )?[^{_NO_ID}]*[^{_NO_ID}.:…])*",
    "any": r"",
}


@cache
def _compiled(refusal: Refusal) -> tuple[re.Pattern[str], str]:
    """Return the pattern of a refusal, and its longest literal, squeezed, which any match must hold."""
    before, core, after = (_tokens(text) for text in _split(refusal.text))
    numbers = iter(range(100))
    pattern = _optional(_regex(before, numbers)) + _regex(core, numbers, last=True) + _endings(after, numbers)
    literals = [_squeezed(_unquoted(token)) for token in core if not _PLACEHOLDER.fullmatch(token)]
    return re.compile(pattern, re.IGNORECASE), max(literals, key=len)


def _split(text: str) -> tuple[str, str, str]:
    before, _, rest = text.partition("[[")
    core, _, after = rest.rpartition("]]")
    return before, core, after


def _tokens(text: str) -> list[str]:
    return [token for token in re.split(r"(\{(?:n|m|ids?|name|length|line|any)\})", _unquoted(text)) if token]


def _regex(tokens: list[str], numbers: Iterator[int], *, last: bool = False) -> str:
    pieces: list[str] = []
    for at, token in enumerate(tokens):
        found = _PLACEHOLDER.fullmatch(token)
        if not found:
            # A blank may be missing or be there in too many places: a terminal wrapped the text.
            pieces.append(" ?" + " ?".join(re.escape(character) for character in token if not character.isspace()) + " ?")
            continue
        ends = last and at == len(tokens) - 1
        inner = (_AT_END if ends else _IN_TEXT).get(found[1], _IN_TEXT[found[1]])
        pieces.append(f"(?P<{found[1]}_{next(numbers)}>{inner})")
    return "".join(pieces)


def _endings(tokens: list[str], numbers: Iterator[int]) -> str:
    """Accept the whole rest of the sentence, else as far as a placeholder, else nothing."""
    ends = [len(tokens), *(at + 1 for at in range(len(tokens) - 1, -1, -1) if _PLACEHOLDER.fullmatch(tokens[at]))]
    choices = [_regex(tokens[:end], numbers, last=True) for end in dict.fromkeys(ends) if end]
    return _optional("|".join(choices))


def _optional(pattern: str) -> str:
    return f"(?:{pattern})?" if pattern else ""
