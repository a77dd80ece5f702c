"""The events that a repair of a Copilot CLI session makes."""

from __future__ import annotations

import os
import re
from typing import Any

from condense_cli.document.records import Records
from condense_cli.formats.copilot.reading import output_of
from condense_cli.model.ids import fresh_id
from condense_cli.model.messages import Call, Record, Result
from condense_cli.model.times import shifted

_UUID = "0" * 8 + "-0000" * 3 + "-" + "0" * 12
_IS_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_NO_TIME = "1970-01-01T00:00:00.000Z"


def answer(document: Records, call: Call, after: Record, text: str) -> dict[str, Any]:
    """Build the end of a call that has none: failed, one millisecond after the call."""
    asked = document.value(call.record)
    data: dict[str, Any] = {"toolCallId": call.id, "success": False, "error": {"message": text, "code": "interrupted"}}
    data.update((key, asked["data"][key]) for key in ("interactionId", "turnId") if key in asked["data"])
    event = _event(document, "tool.execution_complete", data, after.id, f"answer {after.id} {call.id} {call.part}")
    return {**event, "timestamp": shifted(_time(asked), 1)} | {"parentId": after.id}


def user_note(document: Records, before: Record, text: str) -> dict[str, Any]:
    """Build a prompt that comes before an event."""
    old = document.value(before)
    event = _event(
        document, "user.message", {"content": text, "attachments": []}, old.get("parentId"), f"note {before.id}"
    )
    return {**event, "timestamp": _time(old)}


def result_note(document: Records, result: Result) -> dict[str, Any]:
    """Build a prompt with the text of a result without a call, in the place of its event."""
    old = document.value(result.record)
    text = f"[condense] Result of a call that is not in this conversation:\n{output_of(old['data'])}"
    return {**old, "type": "user.message", "data": {"content": text, "attachments": []}}


def header(document: Records) -> dict[str, Any] | None:
    """Build the first event anew: the session's id is the name of its folder, else derived; the time is that of the
    first event.
    """
    first = next(document.readable(), None)
    if first is None:
        return None
    time = _time(document.value(first))
    folder = os.path.basename(os.path.dirname(os.path.abspath(document.path)))
    session = folder if _IS_UUID.fullmatch(folder) else fresh_id(_UUID, f"session {first.id}".encode(), set())
    versions = (
        document.value(r)["data"].get("copilotVersion") for r in document.readable() if r.kind.startswith("session.")
    )
    version = next((v for v in versions if isinstance(v, str)), "0.0.0")
    data = {
        "sessionId": session,
        "version": 1,
        "producer": "copilot-agent",
        "copilotVersion": version,
        "startTime": time,
    }
    return {**_event(document, "session.start", data, None, "header"), "timestamp": time, "parentId": None}


def _event(document: Records, kind: str, data: dict[str, Any], parent: Any, salt: str) -> dict[str, Any]:
    taken = document.taken
    return {
        "type": kind,
        "data": data,
        "id": fresh_id(_UUID, salt.encode(), taken),
        "timestamp": _NO_TIME,
        "parentId": parent,
    }


def _time(value: dict[str, Any]) -> str:
    found = value.get("timestamp")
    return found if isinstance(found, str) else _NO_TIME
