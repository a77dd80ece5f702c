"""The entries that a repair of a pi session makes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from condense_cli.formats.pi.content import blocks_of
from condense_cli.formats.pi.threads import is_linear
from condense_cli.jsonbytes.javascript import double, is_number
from condense_cli.model.ids import fresh_id
from condense_cli.model.messages import Call, Record, Result

if TYPE_CHECKING:
    from condense_cli.document.records import Records


def keep_leaf(document: Records, leaf: Record) -> dict[str, Any] | None:
    """Build an entry that makes `leaf` the end of the thread again, when another branch's entry became the last
    line.
    """
    entries = [r for r in document.readable() if r.kind != "session"]
    return None if not entries or entries[-1] is leaf or is_linear(document) else leaf_entry(document, leaf)


def leaf_entry(document: Records, leaf: Record) -> dict[str, Any]:
    """Build an entry without a meaning of its own whose parent is `leaf`."""
    taken = document.taken
    time = document.value(leaf).get("timestamp")
    return {
        "type": "custom",
        "customType": "condense-leaf",
        "data": {},
        "id": fresh_id(leaf.id or "00000000", f"leaf {leaf.id}".encode(), taken),
        "parentId": leaf.id,
        "timestamp": time if isinstance(time, str) else "1970-01-01T00:00:00.000Z",
    }


def answer(document: Records, call: Call, after: Record, text: str) -> dict[str, Any]:
    """Build a toolResult entry one millisecond after its call."""
    asked = document.value(call.record)
    message = {
        "role": "toolResult",
        "toolCallId": call.id,
        "toolName": call.name or "unknown_tool",
        "content": [{"type": "text", "text": text}],
        "isError": True,
        "timestamp": _later(asked.get("message", {}).get("timestamp")),
    }
    return _entry(document, after, asked.get("timestamp"), message, f"answer {call.id} {call.part}")


def user_note(document: Records, before: Record, text: str) -> dict[str, Any]:
    """Build a user entry that takes the place of the record's parent."""
    old = document.value(before)
    time: Any = old.get("message", {}).get("timestamp") if isinstance(old.get("message"), dict) else None
    message = {
        "role": "user",
        "content": [{"type": "text", "text": text}],
        "timestamp": time if is_number(time) and math.isfinite(double(time)) else 0,
    }
    made = _entry(document, before, old.get("timestamp"), message, "note")
    if "parentId" in made:
        made["parentId"] = before.parent
    return made


def _later(time: Any) -> Any:
    return time + 1 if is_number(time) and math.isfinite(double(time)) else 0


def _entry(document: Records, after: Record, time: Any, message: dict[str, Any], salt: str) -> dict[str, Any]:
    made: dict[str, Any] = {"type": "message"}
    if after.id is not None:
        taken = document.taken
        made["id"] = fresh_id(after.id, f"{after.id} {salt}".encode(), taken)
        made["parentId"] = after.id
    made["timestamp"] = time if isinstance(time, str) else "1970-01-01T00:00:00.000Z"
    made["message"] = message
    return made


def result_note(document: Records, result: Result) -> dict[str, Any] | None:
    """Keep the text of a result without a call as a custom message, which every reader shows and sends as text."""
    value = document.value(result.record)
    message = value.get("message")
    if not isinstance(message, dict):
        return None
    text = "\n".join(b.text for b in blocks_of(message.get("content")) if b.kind == "text")
    made: dict[str, Any] = {
        "type": "custom_message",
        "customType": "condense-orphan-result",
        "content": f"[condense] Result of a call that is not in this session:\n{text}",
        "display": True,
        "details": {"toolName": message.get("toolName")},
    }
    for key in ("id", "parentId", "timestamp"):
        if key in value:
            made[key] = value[key]
    return made
