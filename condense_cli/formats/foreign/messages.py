"""Messages of other APIs and libraries: what one item, or one block of it, tells."""

from __future__ import annotations

from condense_cli.formats.foreign.seen import Value, blocks, inner, kind, role

_CONVERSE = frozenset({"toolUse", "toolResult", "reasoningContent", "cachePoint", "guardContent", "citationsContent"})
_GEMINI_PARTS = frozenset(
    {"functionCall", "functionResponse", "function_call", "function_response", "executableCode", "codeExecutionResult"}
)
_ITEM_KEYS = {  # type of an item of the Responses API, and a key that it must have
    "function_call": "call_id", "function_call_output": "call_id", "custom_tool_call": "call_id", "custom_tool_call_output": "call_id",  # noqa: E501 - a sentence is one text
    "computer_call": "call_id", "computer_call_output": "call_id", "local_shell_call": "action", "local_shell_call_output": "id",  # noqa: E501 - a sentence is one text
    "shell_call": "call_id", "shell_call_output": "call_id", "apply_patch_call": "call_id", "apply_patch_call_output": "call_id",  # noqa: E501 - a sentence is one text
    "tool_search_call": "execution", "tool_search_output": "tools", "mcp_approval_request": "id", "mcp_approval_response": "approval_request_id",  # noqa: E501 - a sentence is one text
    "web_search_call": "id", "file_search_call": "id", "code_interpreter_call": "id", "image_generation_call": "id",
    "mcp_call": "id", "mcp_list_tools": "id", "reasoning": "summary", "item_reference": "id", "compaction": "encrypted_content",  # noqa: E501 - a sentence is one text
}  # fmt: skip
_ITEM_BLOCKS = frozenset({"input_text", "output_text", "input_image", "input_file"})
_LANGCHAIN = frozenset(
    {
        "human",
        "ai",
        "system",
        "tool",
        "function",
        "chat",
        "HumanMessage",
        "AIMessage",
        "AIMessageChunk",
        "SystemMessage",
        "ToolMessage",
    }
)
_SHAREGPT = frozenset({"human", "gpt", "system", "tool", "function_call", "observation"})


def converse(value: Value) -> bool:
    """A message of Bedrock Converse: blocks with one key and no type."""
    found = list(blocks(value)) if role(value) else []
    return any("type" not in block and (_CONVERSE & block.keys() or block.keys() == {"text"}) for block in found)


def gemini_contents(value: Value) -> bool:
    """A content of the Gemini API: parts without a type."""
    if "uuid" in value or not (role(value) or value.get("parts")):
        return False
    parts = [part for part in blocks(value, "parts") if "type" not in part]
    return bool(parts) and (
        role(value) in ("model", "function", "user") or any(_GEMINI_PARTS & part.keys() for part in parts)
    )


def model_message(value: Value) -> bool:
    """A message that the AI SDK sends: parts `tool-call` and `tool-result`."""
    return any(kind(block) in ("tool-call", "tool-result") and "toolCallId" in block for block in blocks(value))


def ui_message(value: Value) -> bool:
    """A message that the AI SDK shows: parts with a type, or the invocations of its version 4."""
    if isinstance(value.get("toolInvocations"), list):
        return True
    parts = list(blocks(value, "parts"))
    own = any(
        kind(part).startswith(("tool-", "data-")) or kind(part) in ("dynamic-tool", "step-start") for part in parts
    )
    return (
        bool(role(value))
        and "sessionID" not in value
        and "info" not in value
        and any(kind(part) for part in parts)
        and (own or "id" in value)
    )


def goose(value: Value) -> bool:
    """A message of Goose, or its first line."""
    if "working_dir" in value and "message_count" in value:
        return True
    return any(
        kind(block) in ("toolRequest", "toolResponse", "frontendToolRequest", "toolConfirmationRequest")
        for block in blocks(value)
    )


def langchain(value: Value) -> bool:
    """A message of LangChain, in one of the three shapes in which it is stored."""
    if value.get("lc") == 1 and isinstance(value.get("id"), list):
        return True
    if kind(value) not in _LANGCHAIN:
        return False
    return "content" in inner(value, "data") or (
        "content" in value and bool({"additional_kwargs", "response_metadata"} & value.keys())
    )


def responses_item(value: Value) -> bool:
    """An item of the Responses API that has no Codex envelope."""
    if "payload" in value or "prompt_index" in value:
        return False
    key = _ITEM_KEYS.get(kind(value))
    return (key is not None and key in value) or (
        role(value) != "tool" and bool(role(value)) and any(kind(block) in _ITEM_BLOCKS for block in blocks(value))
    )


def sharegpt(value: Value) -> bool:
    """A row of ShareGPT."""
    listed = value.get("conversations")
    return (
        isinstance(listed, list)
        and bool(listed)
        and isinstance(listed[0], dict)
        and "value" in listed[0]
        and listed[0].get("from") in _SHAREGPT
    )


def opencode_record(value: Value) -> bool:
    """A record of OpenCode's store: a message without its parts, or a part."""
    if not isinstance(value.get("sessionID"), str) or "messages" in value:
        return False
    return bool(role(value) and "created" in inner(value, "time")) or bool("messageID" in value and kind(value))


def other_entry(value: Value) -> bool:
    """An entry of pi's shape with blocks or calls of another API."""
    message = inner(value, "message")
    if kind(value) != "message" or "uuid" in value or not role(message):
        return False
    return "tool_calls" in message or any(kind(block) in ("tool_use", "tool_result") for block in blocks(message))


def command_code(value: Value) -> bool:
    """An entry of Command Code: pi's header and links, and where a message comes from."""
    return kind(value) == "message" and "source" in inner(inner(value, "message"), "meta")


def hub_trace(value: Value) -> bool:
    """A row of a trace in the simple format of the Hugging Face Hub: no ids, no times."""
    if kind(value) == "session":
        return "harness" in value
    return (
        kind(value) == "message"
        and bool(role(inner(value, "message")))
        and not {"id", "parentId", "uuid", "timestamp", "session_id", "payload"} & value.keys()
    )
