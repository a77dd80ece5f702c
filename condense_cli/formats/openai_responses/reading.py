"""What one item says: as in a rollout of Codex, with the items that Codex does not write."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from condense_cli.document.records import UNKNOWN
from condense_cli.formats.codex.items import FUNCTION, Item, read_item
from condense_cli.formats.openai_responses.detection import KEYS, OTHERS, is_item
from condense_cli.model.blocks import words
from condense_cli.model.messages import Call, Flaw, Message, Record, Result, Role

COMPUTER, SHELL, PATCH = "computer", "shell", "apply_patch"
_CALLS = {"computer_call": COMPUTER, "shell_call": SHELL, "apply_patch_call": PATCH}
_OUTPUTS = {
    "computer_call_output": COMPUTER, "shell_call_output": SHELL,
    "apply_patch_call_output": PATCH, "local_shell_call_output": FUNCTION,
}  # fmt: skip
_PREFIXES = {"function_call": "fc", "custom_tool_call": "ctc"}
_PLAIN = frozenset(
    {
        "item_reference",
        "mcp_approval_response",
        "configuration_update",
        "additional_tools",
        "program_output",
        "compaction_trigger",
    }
)


def read(record: Record, value: dict[str, Any]) -> None:
    """Read one item; extra is what it says, None where it says nothing to the model."""
    kind = words(value.get("type", "message"))
    record.kind, record.id, record.message, record.extra = kind or "?", None, None, None
    if not is_item(value):
        if "role" in value or kind in KEYS or kind in OTHERS or not kind:
            record.kind = UNKNOWN
        return
    item = _item(record, value, kind)
    if item is not None:
        record.extra = replace_flaws(item, value)
        record.message = record.extra.message


def _item(record: Record, value: dict[str, Any], kind: str) -> Item | None:
    family = _CALLS.get(kind)
    if family is not None:
        call = Call(record, 0, _text(value.get("call_id")), family, family)
        return Item(kind, Message(record, Role.ASSISTANT, (call,), said=False), _text(value.get("id")))
    family = _OUTPUTS.get(kind)
    if family is not None:
        ident = value.get("call_id", value.get("id") if kind == "local_shell_call_output" else None)
        result = Result(record, 0, _text(ident), family=family)
        return Item(kind, Message(record, Role.RESULT, (), (result,), said=False), _text(value.get("id")))
    if kind in _PLAIN:
        return None
    found = read_item(record, value)
    return found or Item("server", Message(record, Role.ASSISTANT), _text(value.get("id")))


def replace_flaws(item: Item, value: dict[str, Any]) -> Item:
    """Return an item with the flaws that it has outside a rollout.

    Reasoning with an id is kept by the API itself; ids of what the model made begin as the API writes them.
    """
    flaws = item.message.flaws
    if item.kind == "reasoning" and item.id:
        flaws = tuple(flaw for flaw in flaws if flaw.rule != "dangling-reasoning")
    prefix = _PREFIXES.get(item.kind, "msg" if item.kind == "message" and value.get("role") == "assistant" else "")
    if prefix and item.id and not item.id.startswith(prefix) and not any(f.rule == "invalid-item" for f in flaws):
        flaws += (Flaw("invalid-item", "id", 0, f"its id does not begin with {prefix}"),)
    return item._replace(message=replace(item.message, flaws=flaws))


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
