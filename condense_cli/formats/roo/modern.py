"""Parts of the AI SDK in tasks of the second version, read as the blocks that the first version has."""

from __future__ import annotations

from typing import Any

from condense_cli.jsonbytes import jsonedit
from condense_cli.model.blocks import words
from condense_cli.model.messages import Call

_FAILED = "[ERROR] "
_KEYS = {"toolCallId": "id", "toolName": "name", "input": "input"}


def is_part(block: Any) -> bool:
    """Say whether a block is a call or a result as the AI SDK writes it."""
    return isinstance(block, dict) and words(block.get("type")) in ("tool-call", "tool-result")


def as_block(block: Any) -> Any:
    """Return a part as the block of Anthropic's that says the same; other blocks as they are."""
    if not is_part(block):
        return block
    if block["type"] == "tool-call":
        return {"type": "tool_use", **{new: block[old] for old, new in _KEYS.items() if old in block}}
    text = _output(block.get("output"))
    made = {"type": "tool_result", "content": text, "is_error": text.startswith(_FAILED.strip())}
    return {**made, "tool_use_id": block["toolCallId"]} if "toolCallId" in block else made


def _output(output: Any) -> str:
    """Return what an output says: its value, a text or JSON, or the texts of its parts."""
    value = output.get("value") if isinstance(output, dict) else output
    if isinstance(value, list) and all(isinstance(part, dict) and isinstance(part.get("text"), str) for part in value):
        return "\n".join(part["text"] for part in value)
    return value if isinstance(value, str) else "" if value is None else jsonedit.dump(value, spaced=True).decode()


def result_part(call: Call, text: str) -> dict[str, Any]:
    """Build the result of a call as an error."""
    output = {"type": "text", "value": f"{_FAILED}{text}"}
    return {"type": "tool-result", "toolCallId": call.id, "toolName": call.name or "unknown_tool", "output": output}
