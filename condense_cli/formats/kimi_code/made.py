"""The records that a repair of a Kimi Code session makes."""

from __future__ import annotations

from typing import Any

from condense_cli.document.records import Records
from condense_cli.formats.kimi_code.detection import LOOP, MESSAGE
from condense_cli.formats.kimi_code.reading import output_of, shown
from condense_cli.model.messages import Call, Record, Result


def answer(document: Records, call: Call, after: Record, text: str) -> dict[str, Any]:
    """Build the result of a call as an error, a millisecond after the call."""
    old = document.value(call.record)
    if call.record.kind == MESSAGE:
        said = {"role": "tool", "content": [{"type": "text", "text": text}], "toolCallId": call.id, "toolCalls": []}
        return _record(old, MESSAGE, "message", said, later=1)
    event = old["event"]
    result = {
        "type": "tool.result",
        **({"parentUuid": event["uuid"]} if "uuid" in event else {}),
        "toolCallId": call.id,
        "result": {"output": text, "isError": True},
    }
    return _record(old, LOOP, "event", result, later=1)


def user_note(document: Records, before: Record, text: str) -> dict[str, Any]:
    """Build a message of the user that comes before a record."""
    said = {"role": "user", "content": [{"type": "text", "text": text}], "toolCalls": [], "origin": {"kind": "user"}}
    return _record(document.value(before), MESSAGE, "message", said)


def result_note(document: Records, result: Result) -> dict[str, Any] | None:
    """Build a message of the user with the text of a result without a call."""
    old = document.value(result.record)
    event = old.get("event")
    output = output_of(event) if isinstance(event, dict) else old["message"].get("content")
    text = f"[condense] Result of a call that is not in this conversation:\n{shown(output)}"
    said = {"role": "user", "content": [{"type": "text", "text": text}], "toolCalls": [], "origin": {"kind": "user"}}
    return _record(old, MESSAGE, "message", said)


def _record(like: dict[str, Any], kind: str, key: str, said: dict[str, Any], later: int = 0) -> dict[str, Any]:
    time = like.get("time")
    return {
        "type": kind,
        **({"agentId": like["agentId"]} if "agentId" in like else {}),
        key: said,
        "time": time + later if isinstance(time, int) and not isinstance(time, bool) else 0,
    }
