"""Refusals: every literal error is recognised in the shapes people paste it in, and nothing else is."""

from __future__ import annotations

import json
import re

import pytest
from condense_cli.rules.catalogue import RULES
from condense_cli.rules.refusals import REFUSALS, Match, Refusal, recognise

COMING = {
    "broken-lineage", "oversized-request", "image-in-result", "unknown-tool-reference", "invalid-item", "missing-content", "empty-calls",
}  # fmt: skip

# code, pasted text, likeliest rule (None: no rule of a session file), ids, message indexes
PASTED: list[tuple[str, str, str | None, tuple[str, ...], tuple[int, ...]]] = [
    ("E1", "messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01Ab. Each `tool_use` block must have a corresponding `tool_result` block in the next message.", "unanswered-call", ("toolu_01Ab",), (2,)),
    ("E1", "messages.14: tool_use ids were found without tool_result blocks immediately after: toolu_01Ab, toolu_02Cd. Each tool_use block", "unanswered-call", ("toolu_01Ab", "toolu_02Cd"), (14,)),
    ("E1", 'API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"messages.1: `tool_use` ids were found without `tool_result` blocks immediately after."}}', "unanswered-call", (), (1,)),
    ("AN-3", "Did not find 2 tool_result block(s) at the beginning of this message. Messages following tool_use blocks must begin with a matching number of tool_result blocks.", "results-not-first", (), ()),
    ("E2", "messages.0.content.3: unexpected `tool_use_id` found in `tool_result` blocks: toolu_9. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.", "orphan-result", ("toolu_9",), (0,)),
    ("E2", '{"error":{"message":"***.***.content.0: unexpected `tool_use_id` found in `tool_result` blocks: call_3. Each `tool_re"}}', "orphan-result", ("call_3",), ()),
    ("AN-19", "messages.5.content.1: unexpected `tool_use_id` found in `advisor_tool_result` blocks: srvtoolu_01. Each `advisor_tool_result` block must have a corresponding `server_tool_use` block before it.", "orphan-result", ("srvtoolu_01",), (5,)),
    ("AN-19", '"message":"messages.1: `web_search` tool use with id `srvtoolu_01D2` was found without a corresponding `web_search_tool_result` block"', "unanswered-call", ("srvtoolu_01D2",), (1,)),
    ("E3", "  ⎿  API Error: 400 due to tool use concurrency issues. Run /rewind to recover the conversation.", "unanswered-call", (), ()),
    ("E3", "due to tool use\nconcurrency issues", "unanswered-call", (), ()),
    ("E4", "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_7", "unanswered-call", ("call_7",), ()),
    ("E4", "an assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: Shell:58", "unanswered-call", ("Shell:58",), ()),
    ("E4", "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. (insufficient tool messages following tool_calls message)", "unanswered-call", (), ()),
    ("QW-1", '<400> InternalError.Algo.InvalidParameter: An assistant message with "tool_calls" must be followed by tool messages responding to each "tool_call_id". The following tool_call_ids did not have response messages: message[532].role', "unanswered-call", (), (532,)),
    ("E5", "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'", "orphan-result", (), ()),
    ("E5", "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.", "orphan-result", (), ()),
    ("QW-2", '<400> InternalError.Algo.InvalidParameter: messages with role "tool" must be a response to a preceeding message with "tool_calls".', "orphan-result", (), ()),
    ("E6", "No tool output found for function call call_xyz.", "unanswered-call", ("call_xyz",), ()),
    ("E6", "stream error: No tool output found for custom tool call call_q; retrying 1/5", "unanswered-call", ("call_q",), ()),
    ("E6", "No tool output found for tool call call_5", "unanswered-call", ("call_5",), ()),
    ("E7", "No tool call found for function call output with call_id call_d1.", "orphan-result", ("call_d1",), ()),
    ("E7", "400 no tool call found for function call output with call_id fc-3", "orphan-result", ("fc-3",), ()),
    ("E8", "Invalid request: tool_call_id  is not found", "invalid-call-id", (), ()),
    ("E8", "Invalid request: tool_call_id functions.bash:3 is not found", "orphan-result", ("functions.bash:3",), ()),
    ("E8", "Kimi K3 tool messages need a resolvable tool name: carry `tool`/`name`, or match a preceding assistant tool_call by order", "orphan-result", (), ()),
    ("E8", "tool message tool_call_id call_4 does not match any tool call in the preceding assistant messages", "orphan-result", ("call_4",), ()),
    ("E9", "invalid params, tool call result does not follow tool call (2013)", "orphan-result", (), ()),
    ("E9", '{"base_resp":{"status_code":2013,"status_msg":"invalid params, tool call result does not follow tool call"}}', "orphan-result", (), ()),
    ("MM-1", "invalid params, tool result's tool id(call_1) not found (2013)", "orphan-result", ("call_1",), ()),
    ("MM-1", "invalid params, duplicate tool_call id: call_1 (2013)", "duplicate-call-id", ("call_1",), ()),
    ("MM-1", "invalid params, tool call and result not match (2013)", "orphan-result", (), ()),
    ("MM-1", "invalid params, invalid function arguments json string, tool_call_id: call_1 (2013)", "invalid-arguments", ("call_1",), ()),
    ("E10", "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.", "orphan-result", (), ()),
    ("E10", "[400 Bad Request] please ensure that the number of function response parts\nis equal to the number of function call parts of the function call turn", "orphan-result", (), ()),
    ("E11", "messages.43.content.2: `tool_use` ids must be unique", "duplicate-call-id", (), (43,)),
    ("E11", "messages[1].content[1]: tool_use ids must be unique", "duplicate-call-id", (), (1,)),
    ("E12", "Invalid request: tool call id write:0 is duplicated", "duplicate-call-id", ("write:0",), ()),
    ("E12", "The toolUse blocks at messages.7.content contain duplicate Ids: http_request", "duplicate-call-id", ("http_request",), (7,)),
    ("E12", "The toolUse blocks at messages.7 contain duplicate Ids: http_request", "duplicate-call-id", ("http_request",), (7,)),
    ("E13", "messages.5.content.2: Invalid `signature` in `thinking` block", "unsigned-thinking", (), (5,)),
    ("E13", "messages.1.content.0.thinking.signature: Field required", "unsigned-thinking", (), (1,)),
    ("E14", "messages.3.content.1: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.", None, (), (3,)),
    ("E14", "thinking or redacted_thinking blocks in the latest assistant message cannot be modified", None, (), ()),
    ("E15", "Item 'rs_0a1b' of type 'reasoning' was provided without its required following item.", "dangling-reasoning", ("rs_0a1b",), ()),
    ("E15", '{"message": "Item \\u0027rs_0a1b\\u0027 of type \\u0027reasoning\\u0027 was provided without its required following item."}', "dangling-reasoning", ("rs_0a1b",), ()),
    ("E16", "Item 'fc_1' of type 'function_call' was provided without its required 'reasoning' item: 'rs_2'.", "dangling-reasoning", ("fc_1", "rs_2"), ()),
    ("E16", "Item 'msg_1' of type 'message' was provided without its required 'reasoning' item: 'rs_2'.", "dangling-reasoning", ("msg_1", "rs_2"), ()),
    ("E17", "The encrypted content gAAAAABq5f could not be verified. Reason: Encrypted content could not be decrypted or parsed.", "foreign-reasoning", (), ()),
    ("E17", '{"error":{"message":null,"code":"invalid_encrypted_content"}}', "foreign-reasoning", (), ()),
    ("E18", "The `reasoning_content` in the thinking mode must be passed back to the API.", "missing-reasoning", (), ()),
    ("E18", "Missing `reasoning_content` field in the assistant message at message index 12", "missing-reasoning", (), (12,)),
    ("E18", "thinking is enabled but reasoning_content is missing in assistant tool call message at index 3", "missing-reasoning", (), (3,)),
    ("E19", "messages: text content blocks must be non-empty", "blank-text", (), ()),
    ("E19", "messages: text content blocks must contain non-whitespace text", "blank-text", (), ()),
    ("E19", "messages.4.content.0.text: cache_control cannot be set for empty text blocks", "blank-text", (), (4,)),
    ("E19", "Invalid request: the message at position 3 with role 'assistant' must not be empty", "empty-message", (), (3,)),
    ("E20", "messages.41.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels", "oversized-media", (), (41,)),
    ("E20", "At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels", "oversized-media", (), ()),
    ("E21", "API Error: 400 Could not process image", "invalid-image", (), ()),
    ("E21", "The image data you provided does not represent a valid image. Please check your input and try again.", "invalid-image", (), ()),
    ("E21", "Invalid 'input[6].content[0].image_url'. Expected a base64-encoded data URL with an image MIME type (e.g. 'data:image/png;base64,aW1n'), but got unsupported MIME type 'image'.", "invalid-image", (), (6,)),
    ("E22", "The request body is not valid JSON: no low surrogate in string: line 1 column 118344 (char 118343)", "lone-surrogate", (), ()),
    ("E22", "the request body is not valid json: unexpected end of data: line 1 column 9 (char 8)", "nul-character", (), ()),
    ("E23", "Invalid 'input[9].call_id': string too long. Expected a string with maximum length 64, but got a string with length 69 instead.", "invalid-call-id", (), (9,)),
    ("E23", 'Invalid \\"input[9].call_id\\": string too long.', "invalid-call-id", (), (9,)),
    ("E24", "Tool call id was call_0fypS1hVX but must be a-z, A-Z, 0-9, with a length of 9.", "invalid-call-id", ("call_0fypS1hVX",), ()),
    ("E24", '{"object":"error","message":"Tool call id was functions.x:0 but must be a-z, A-Z, 0-9, with a length of 9.","code":3280}', "invalid-call-id", ("functions.x:0",), ()),
    ("E25", "messages.92.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'", "invalid-call-id", (), (92,)),
    ("E25", "tool_use ids must match ^[a-zA-Z0-9_-]+$", "invalid-call-id", (), ()),
    ("E26", "Invalid 'input[4].name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.", "invalid-tool-name", (), (4,)),
    ("E26", "invalid input[4].name: string does not match pattern", "invalid-tool-name", (), (4,)),
    ("E27", "messages.1.content.0.tool_use.input: Input should be a valid dictionary", "invalid-arguments", (), (1,)),
    ("E27", "LLM request rejected: messages.12.content.1.tool_use.input: Field required", "missing-arguments", (), (12,)),
    ("E28", "messages.3.tool_calls.0.function.arguments: arguments must be a valid JSON object string", "invalid-arguments", (), (3,)),
    ("E28", "Error code: 400 - Expecting ',' delimiter: line 1 column 35 (char 34)", "invalid-arguments", (), ()),
    ("E29", "This model does not support assistant message prefill. The conversation must end with a user message.", "ends-with-assistant", (), ()),
    ("E29", "The model returned the following errors: This model does not support assistant message prefill.", "ends-with-assistant", (), ()),
    ("E30", "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly. Additional data, function call default_api:read , position 2.", None, (), ()),
    ("E30", "Unable to submit request because function call `read` in the 4. content block is missing a `thought_signature`.", None, (), ()),
    ("E31", "missing field `tool_call_id`", "invalid-call-id", (), ()),
    ("E31", "Failed to deserialize the JSON body into the target type: messages[5]: missing field `tool_call_id` at line 1 column 998", "invalid-call-id", (), (5,)),
    ("L1", "Error: Session file is not a valid pi session: /home/x/.pi/agent/sessions/a.jsonl", "missing-header", (), ()),
    ("L2", "RangeError: Invalid array length\n    at Array.unshift", "parent-cycle", (), ()),
    ("L3", "Error: Cannot create a string longer than 0x1fffffe8 characters", None, (), ()),
    ("L4", "Session file is corrupted (line 12: SyntaxError: Unexpected token)", "fused-line", (), ()),
    ("L4", "JSON Parse error: Expected ':' before value in object property definition", "fused-line", (), ()),
    ("L4", "Session 0c1d-22 not found on disk", "missing-header", ("0c1d-22",), ()),
    ("L5", "final paginated rollout record at /x/rollout-1.jsonl is missing an ordinal", "missing-ordinal", (), ()),
    ("L5", "expected ordinal 7, got 6", "duplicate-ordinal", (), ()),
    ("L6", "failed to parse thread ID from rollout file", "missing-header", (), ()),
    ("F1", "UserError: Cannot provide a new user prompt when the message history contains unprocessed tool calls.", "trailing-call", (), ()),
    ("F1", "AI_MissingToolResultsError: Tool result is missing for tool call call_1.", "unanswered-call", ("call_1",), ()),
    ("F1", 'Error: ToolInvocation must have a result: {"state":"call"}', "unanswered-call", (), ()),
    # media
    ("MD-1", "messages.12.content.0.image.source.base64.data: Image does not match the provided media type image/jpeg", "media-type-mismatch", (), (12,)),
    ("MD-1", "messages.1.content.3.image.source.base64: The image was specified using the image/webp media type, but the image appears to be a image/png image", "media-type-mismatch", (), (1,)),
    ("E21", "messages.1.content.0.image.source.base64: image cannot be empty", "invalid-image", (), (1,)),
    ("E21", "messages.9.content.0.tool_result.content.1.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'", "invalid-image", (), (9,)),
    ("E21", "failed to decode image", "invalid-image", (), ()),
    ("E21", "messages.3.content.1: Could not process image", "invalid-image", (), (3,)),
    ("E21", "Could not process image", "invalid-image", (), ()),
    ("MD-3", "messages.2.content.1.pdf.source.base64.data: A maximum of 600 PDF pages may be provided.", "oversized-media", (), (2,)),
    ("MD-3", "PDF too large. Please double press esc to edit your message and try again.", "oversized-media", (), ()),
    ("E20", "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6500712 bytes > 5242880 bytes", "oversized-media", (), (0,)),
    ("MD-2", "messages.4.content.0.pdf.source.base64.data: The PDF specified was not valid.", "invalid-document", (), (4,)),
    ("MD-4", "messages: too many images and documents: 105 + 0 > 100", "too-many-media", (), ()),
    ("MD-4", "ValidationException: messages: too many images and documents: 21 + 0 > 20", "too-many-media", (), ()),
    ("MD-5", '413 {"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}', "oversized-request", (), ()),
    ("MD-5", "Request too large. Double press esc to go back and try with a smaller file.", "oversized-request", (), ()),
    ("OC-6", "Invalid 'messages[4]'. Image URLs are only allowed for messages with role 'user', but this message with role 'tool' contains an image URL.", "image-in-result", (), (4,)),
    ("OC-6", "messages.6.tool.content.str: Input should be a valid string", "image-in-result", (), (6,)),
    # items, calls, contents
    ("AN-21", "API Error: 400 Tool reference 'fax' not found in available tools", "unknown-tool-reference", (), ()),
    ("E6", "No tool output found for tool search call call_7x.", "unanswered-call", ("call_7x",), ()),
    ("E6", "No tool output found for local shell call call_7x.", "unanswered-call", ("call_7x",), ()),
    ("IT-1", "Invalid value: 'other'. Supported values are: 'search', 'open_page', and 'find_in_page'.", "invalid-item", (), ()),
    ("IT-2", "Invalid 'input[31].content': array too long. Expected an array with maximum length 0, but got an array with length 1 instead.", "invalid-item", (), (31,)),
    ("IT-3", "Missing required parameter: 'input[8].encrypted_content'.", "dangling-reasoning", (), (8,)),
    ("IT-4", "Invalid 'input[2].id': string too long. Expected a string with maximum length 64, but got a string with length 1640 instead.", "invalid-item", (), (2,)),
    ("L7", "invalid paginated history lineage for 01a0b1c2: cutoff byte offset is past the source rollout", "broken-lineage", (), ()),
    ("DS-6", "Invalid assistant message: content or tool_calls must be set", "empty-message", (), ()),
    ("E19", "text content is empty", "blank-text", (), ()),
    ("F2", "TypeError: content is not iterable\n    at transform", "missing-content", (), ()),
    ("E1", "Execution failed: CAPIError: 400 messages.11: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01Ab. (Request ID: A0:11)", "unanswered-call", ("toolu_01Ab",), (11,)),
    ("F1", "Found AIMessages with tool_calls that do not have a corresponding ToolMessage. Here are the first few of those tool calls: [{'name': 'some_grep', 'args': {}, 'id': 'call_9', 'type': 'tool_call'}] (INVALID_CHAT_HISTORY)", "unanswered-call", ("call_9",), ()),
    ("BR-4", "1 validation error detected: Value '' at 'messages.3.member.content.2.member.toolUse.name' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+", "invalid-tool-name", (), ()),
    ("OC-8", "Invalid 'messages[3].tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.", "empty-calls", (), (3,)),
    # no fault of the file
    ("WC-010", "A maximum of 4 blocks with cache_control may be provided. Found 5.", None, (), ()),
    ("AD-6", "'file part media type text/html' functionality not supported.", None, (), ()),
    ("KI-8", "the message at position 3 with role 'user' contains an invalid part type: video_url", None, (), (3,)),
    ("AD-1", "prompt is too long: 208310 tokens > 200000 maximum", None, (), ()),
    ("AD-1", "API Error: 400 prompt is too long: 212543 tokens > 200000 maximum", None, (), ()),
    ("AD-1", "This model's maximum context length is 128000 tokens. However, your messages resulted in 130021 tokens.", None, (), ()),
    ("AD-1", "Conversation too long. Press esc twice to go up a few messages and try again.", None, (), ()),
    ("AD-2", "container_id is required when there are pending tool uses generated by code execution with tools.", None, (), ()),
    ("AD-3", "No message found with message.uuid of: 0c1d-22", None, ("0c1d-22",), ()),
    ("AD-4", "Error: thread/resume: thread/resume failed: Cannot change this thread's model provider from `openai` to `azure` on resume.", None, (), ()),
    ("AD-5", 'Invalid session identifier "latest2".', None, ("latest2",), ()),
    ("WC-018", "wire contract broken (WC-018) in request 3", "orphan-result", (), ()),
]

OTHERS = [
    "",
    "   \n\t ",
    "Hello, can you fix the tests in tests/test_refusals.py?",
    "The assistant called a tool and the tool result was not what I had expected, so I called the tool again.",
    '{"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your account\'s rate limit. Please try again later."}}',
    '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
    "Invalid 'tools[1].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
    "tools.12.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'",
    "Invalid 'metadata.user': string too long. Expected a string with maximum length 64, but got a string with length 70 instead.",
    "max_tokens: Field required",
    "messages.0.content.0.text: Field required",
    "401 Incorrect API key provided: sk-x. You can find your API key in your account settings.",
    "The text content is empty and the page stays white.",
    "json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)",
    "messages",
    "tool_use ids",
]

TAUGHT = {"n": "7", "m": "2", "id": "toolu_01AbCdEf", "ids": "toolu_01AbCdEf, toolu_02", "name": "advisor", "length": "69", "line": "4", "any": "99"}


def as_text(refusal: Refusal) -> str:
    return "API Error: 400 " + re.sub(r"\{(n|m|ids?|name|length|line|any)\}", lambda found: TAUGHT[found[1]], refusal.literal)


def in_json(text: str) -> str:
    return 'API Error: 400 {"type":"error","error":' + json.dumps({"message": text + "\nmore"}) + ',"request_id":"req_1"}'


def in_json_twice(text: str) -> str:
    return json.dumps({"raw": in_json(text)})


def wrapped(width: int):
    def wrap(text: str) -> str:
        rows = [text[at : at + width] for at in range(0, len(text), width)]
        return "\n".join(f"│ {row.ljust(width)} │" for row in rows)

    return wrap


def by_a_shell(text: str) -> str:
    """Take out the words in backticks, as a shell does between double quotes."""
    return re.sub(r"`[^`]*`", "", text)


def coloured(text: str) -> str:
    return "\x1b[31m\x1b[1m" + text.replace(" ", "\x1b[0m \x1b[31m") + "\x1b[0m"


def unquoted(text: str) -> str:
    return re.sub("[`'\"]", "", text)


def typographic(text: str) -> str:
    return text.replace("'", "’").replace('"', "“")


SHAPES = {
    "plain": str,
    "in prose": lambda text: f"Since yesterday I get\n\n    {text}\n\non every message, what can I do?",
    "json": in_json,
    "json in json": in_json_twice,
    "python": lambda text: f"Error code: 400 - {({'error': {'message': text}})!r}",
    "wrapped at 80": wrapped(80),
    "wrapped at 31": wrapped(31),
    "coloured": coloured,
    "upper case": str.upper,
    "lower case": str.lower,
    "quotes lost": unquoted,
    "typographic quotes": typographic,
    "html": lambda text: text.replace("<", "&lt;").replace("'", "&#39;").replace('"', "&quot;"),
}


@pytest.mark.parametrize(("code", "text", "rule", "ids", "messages"), PASTED, ids=lambda value: str(value)[:30])
def test_a_pasted_error_is_led_back_to_its_rule_its_ids_and_its_messages(code, text, rule, ids, messages):
    """A pasted error gives its code first, its likeliest rule, and the ids and indexes that it names."""
    first = recognise(text)[0]
    assert (first.code, first.rules[0] if first.rules else None, first.ids, first.messages) == (code, rule, ids, messages)


EATEN = [row for row in PASTED if "`" in row[1] and row[0] != "E31"]  # of "missing field" nothing is left to know


@pytest.mark.parametrize(("code", "text", "rule", "ids", "messages"), EATEN, ids=lambda value: str(value)[:30])
@pytest.mark.parametrize("shape", [str, lambda text: json.dumps({"error": {"message": text, "code": 400}})], ids=["plain", "json"])
def test_words_in_backticks_may_be_missing(code, text, rule, ids, messages, shape):
    """A text whose words in backticks a shell has run as commands is still known, with its message."""
    if messages or len(by_a_shell(text)) > 60:
        first = recognise(shape(by_a_shell(text)))[0]
        assert (first.code, first.rules[0] if first.rules else None, first.messages) == (code, rule, messages)


def test_the_table_of_pasted_errors_names_every_public_error_twice():
    """E1 to E31 are all tried in at least two wordings, L1 to L6 and F1 in one."""
    counts = {code: sum(1 for row in PASTED if row[0] == code) for code, *_ in PASTED}
    assert [number for number in range(1, 32) if counts.get(f"E{number}", 0) < 2] == []
    assert [code for code in ("L1", "L2", "L3", "L4", "L5", "L6", "F1") if code not in counts] == []


@pytest.mark.parametrize("shape", SHAPES)
def test_every_refusal_is_recognised_whatever_it_was_pasted_from(shape):
    """Each row of the table is found, and nothing else with it, in every shape that a pasted text has."""
    wrong = {}
    for refusal in REFUSALS:
        found = [match.code for match in recognise(SHAPES[shape](as_text(refusal)))]
        if found != [refusal.code]:
            wrong[refusal.literal] = found
    assert wrong == {}


@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape not in ("upper case", "lower case")])
def test_ids_and_indexes_survive_every_shape(shape):
    """The id and the message index of each row are read out of every shape, the id with its case."""
    wrong = {}
    for refusal in REFUSALS:
        match = recognise(SHAPES[shape](as_text(refusal)))[0]
        if ("{id" in refusal.text and "toolu_01AbCdEf" not in match.ids) or ("{n}" in refusal.text and 7 not in match.messages):
            wrong[refusal.literal] = (match.ids, match.messages)
    assert wrong == {}


@pytest.mark.parametrize("text", OTHERS, ids=lambda text: text[:30])
def test_other_texts_are_not_recognised(text):
    """Prose, rate limits, context limits and errors about other fields are none of the known errors."""
    assert recognise(text) == ()


@pytest.mark.parametrize("size", [60, 80, 100])
def test_a_text_that_was_cut_off_is_recognised(size):
    """The beginning of a long error is enough."""
    text = "messages.3: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1. Each"[:size]
    assert [match.code for match in recognise(text)] == ["E1"]


def test_vendors_that_share_a_sentence_are_all_named():
    """A wording that several vendors use gives all of their contracts, and a name in the text puts one first."""
    text = "an assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: x"
    assert recognise(text)[0].contracts == ("openai-chat", "kimi")
    assert recognise("moonshot: " + text)[0].contracts == ("kimi", "openai-chat")


def test_several_errors_in_one_text_are_all_found():
    """A log with two errors gives both, with the ids of each."""
    text = "No tool output found for function call call_a.\nNo tool call found for function call output with call_id call_b.\nNo tool output found for function call call_c."
    assert {match.code: match.ids for match in recognise(text)} == {"E6": ("call_a", "call_c"), "E7": ("call_b",)}


def test_a_huge_text_is_looked_at_in_time_that_grows_with_its_length():
    """Megabytes of white space, of one word and of the same error again end at once."""
    for text in (" " * 3_000_000, "x" * 3_000_000, "tool_call_id " * 200_000, "messages.1: `tool_use` ids must be unique\n" * 50_000, "'" + "\\" * 1_000_000):
        assert len(recognise(text)) <= 2


def test_every_row_names_rules_that_exist_and_says_something():
    """Rules of the table are rules of condense or will be; a row without a rule tells what to do instead."""
    assert {rule for row in REFUSALS for rule in row.rules} - set(RULES) <= COMING
    assert [row.text for row in REFUSALS if not row.rules and not row.note] == []


def test_a_match_is_a_plain_value():
    """Recognising twice gives equal values."""
    assert recognise("missing field `tool_call_id`") == recognise("missing field `tool_call_id`")
    assert isinstance(recognise("missing field `tool_call_id`")[0], Match)
