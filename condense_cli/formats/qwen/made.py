"""The records that a repair of a Qwen Code session makes."""

from __future__ import annotations

from typing import Any

from condense_cli.document.records import Records
from condense_cli.formats.parts import response_text
from condense_cli.model.ids import fresh_id
from condense_cli.model.messages import Call, Record, Result

_ENVELOPE = ("sessionId", "timestamp", "cwd", "version", "gitBranch")
_UUID = "0" * 8 + "-0000" * 3 + "-" + "0" * 12


def answer(document: Records, call: Call, after: Record, text: str) -> dict[str, Any]:
    """Build the result of a call as an error; its id and time derive from the call."""
    response = {"functionResponse": {"id": call.id, "name": call.name or "unknown_tool", "response": {"error": text}}}
    made = _record(document, call.record, after, "tool_result", [response], f"answer {call.id} {call.part}")
    made["toolCallResult"] = {"callId": call.id, "status": "error", "resultDisplay": text}
    made["executionStatus"] = "error"
    return made


def user_note(document: Records, before: Record, text: str) -> dict[str, Any]:
    """Build a prompt that takes the place of the record's parent."""
    made = _record(document, before, before, "user", [{"text": text}], "note")
    made["parentUuid"] = before.parent
    return made


def result_note(document: Records, result: Result) -> dict[str, Any] | None:
    """Build the record again as a prompt that keeps the text of a result without a call."""
    value = document.value(result.record)
    parts = value["message"]["parts"]
    said = response_text(parts[result.part]["functionResponse"])
    kept = {key: item for key, item in value.items() if key not in ("toolCallResult", "executionStatus")}
    note = f"[condense] Result of a call that is not in this conversation:\n{said}"
    return {**kept, "type": "user", "provenance": "real_user", "message": {"role": "user", "parts": [{"text": note}]}}


def keep_leaf(document: Records, leaf: Record) -> dict[str, Any]:
    """Build a record without a meaning of its own whose parent is the leaf, for the end of the file."""
    old = document.value(leaf)
    made = _envelope(document, old, leaf, "leaf")
    return {**made, "type": "system", "provenance": "system", "subtype": "condense_leaf", "systemPayload": {}}


def _record(document: Records, like: Record, after: Record, kind: str, parts: list[Any], salt: str) -> dict[str, Any]:
    made = _envelope(document, document.value(like), after, salt)
    source = "real_user" if kind == "user" else kind
    return {**made, "type": kind, "provenance": source, "message": {"role": "user", "parts": parts}}


def _envelope(document: Records, old: dict[str, Any], after: Record, salt: str) -> dict[str, Any]:
    made: dict[str, Any] = {
        "uuid": fresh_id(_UUID, f"{after.id} {salt}".encode(), document.taken),
        "parentUuid": after.id,
    }
    made.update((key, old[key]) for key in _ENVELOPE if key in old)
    return made
