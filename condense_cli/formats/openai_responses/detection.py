"""What tells items of the Responses API from other arrays, and from Codex's rollouts, which hold them in envelopes."""

from __future__ import annotations

from typing import Any

from condense_cli.model.blocks import words

KEYS = {  # type of an item, and a key that only it has
    "function_call": "call_id", "function_call_output": "call_id",
    "custom_tool_call": "call_id", "custom_tool_call_output": "call_id",
    "computer_call": "call_id", "computer_call_output": "call_id",
    "local_shell_call": "action", "local_shell_call_output": "id",
    "shell_call": "call_id", "shell_call_output": "call_id",
    "apply_patch_call": "call_id", "apply_patch_call_output": "call_id",
    "tool_search_call": "execution", "tool_search_output": "tools",
    "mcp_approval_request": "id", "mcp_approval_response": "approval_request_id",
    "web_search_call": "id", "file_search_call": "id", "code_interpreter_call": "id", "image_generation_call": "id",
    "mcp_call": "id", "mcp_list_tools": "id",
    "reasoning": "summary", "item_reference": "id", "compaction": "encrypted_content",
}  # fmt: skip
OTHERS = frozenset(
    {"message", "compaction_trigger", "configuration_update", "additional_tools", "program", "program_output"}
)
ROLES = frozenset({"user", "assistant", "system", "developer"})
_BLOCKS = frozenset({"input_text", "output_text", "input_image", "input_file", "input_audio", "refusal"})
_OF_OTHERS = frozenset(
    {
        "payload",
        "record_type",
        "prompt_index",
        "parts",
        "toolInvocations",
        "tool_calls",
        "tool_call_id",
        "message",
        "data",
    }
)
_EARLY_ROLLOUT = frozenset({"instructions", "git"})  # beside the time of its first record


def is_item(value: dict[str, Any]) -> bool:
    """Say whether an object is an item, or a message of this API."""
    if not _OF_OTHERS.isdisjoint(value) or ("timestamp" in value and not _EARLY_ROLLOUT.isdisjoint(value)):
        return False
    kind = value.get("type", "message")
    if kind == "message":
        return _is_message(value)
    return isinstance(kind, str) and "role" not in value and (kind in KEYS or kind in OTHERS)


def _is_message(value: dict[str, Any]) -> bool:
    content = value.get("content")
    if words(value.get("role")) not in ROLES:
        return False
    return (
        all(isinstance(block, dict) and words(block.get("type")) in _BLOCKS for block in content)
        if isinstance(content, list)
        else content is None or isinstance(content, str)
    )


def is_evident(value: dict[str, Any]) -> bool:
    """Say whether an item could be of no other API."""
    key = KEYS.get(words(value.get("type")))
    if key is not None:
        return key in value
    content = value.get("content")
    return isinstance(content, list) and any(isinstance(block, dict) for block in content)
