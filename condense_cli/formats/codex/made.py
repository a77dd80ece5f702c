"""The records that a repair of a rollout makes."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from condense_cli.formats.codex.blocks import blocks_of
from condense_cli.formats.codex.items import BARE, CUSTOM, SEARCH
from condense_cli.formats.codex.meta import IN_NAME, is_fixed, ordinal_of
from condense_cli.jsonbytes import jsonedit
from condense_cli.model.messages import Call, Record, Result

if TYPE_CHECKING:
    from condense_cli.document.records import Records


_TIME = "1970-01-01T00:00:00.000Z"


def header(document: Records) -> dict[str, Any] | None:
    """Build a session_meta from the broken line, the file name and the content; None where no line may be put in
    front.
    """
    entries = list(document.readable())
    if not entries or is_fixed(document):
        return None
    left = (
        document.raw(document.records[0]).decode("utf-8", "replace") if document.records[0].kind == "unreadable" else ""
    )

    def said(key: str) -> str | None:
        found = re.search(rf'"{key}"\s*:\s*"([^"\\]*)"', left)
        return found[1] if found else None

    values = [document.value(record) for record in entries[:50]]
    time = said("timestamp") or next((v["timestamp"] for v in values if isinstance(v.get("timestamp"), str)), _TIME)
    name = IN_NAME.fullmatch(os.path.basename(document.path))
    ident = (name[1] if name else None) or said("id") or said("session_id") or _derived(document, entries[0])
    if all(record.kind in (BARE, "state") for record in entries):
        return {"id": ident, "timestamp": time, "instructions": None}
    folder = next(
        (
            v["payload"]["cwd"]
            for v in values
            if v.get("type") == "turn_context"
            and isinstance(v.get("payload"), dict)
            and isinstance(v["payload"].get("cwd"), str)
        ),
        "/",
    )
    payload = {
        "id": ident,
        "timestamp": time,
        "cwd": said("cwd") or folder,
        "originator": said("originator") or "codex_cli_rs",
    }
    payload |= {"cli_version": said("cli_version") or "0.0.0", "source": said("source") or "cli"}
    if provider := said("model_provider"):
        payload["model_provider"] = provider
    return {"timestamp": time, "type": "session_meta", "payload": payload}


def session_id(document: Records, record: Record) -> str:
    """Return the id that a header without one should have."""
    name = IN_NAME.fullmatch(os.path.basename(document.path))
    payload = document.value(record).get("payload")
    other = payload.get("session_id") if isinstance(payload, dict) else None
    return (
        (name[1] if name else None)
        or (other if isinstance(other, str) and other else None)
        or _derived(document, record)
    )


def _derived(document: Records, record: Record) -> str:
    import hashlib

    digest = hashlib.sha256(document.raw(record).strip()).hexdigest()
    return f"{digest[:8]}-{digest[8:12]}-7{digest[13:16]}-8{digest[17:20]}-{digest[20:32]}"


def answer(document: Records, call: Call, after: Record, text: str) -> dict[str, Any]:
    """Build the output of the call's own family, at the time of the call."""
    return enveloped(document, call.record, call_output(call, text))


def call_output(call: Call, text: str) -> dict[str, Any]:
    """Build the output of a call, of the kind that its call asks for."""
    if call.family == SEARCH:
        return {
            "type": "tool_search_output",
            "call_id": call.id,
            "status": "completed",
            "execution": "client",
            "tools": [],
        }
    kind = "custom_tool_call_output" if call.family == CUSTOM else "function_call_output"
    return {"type": kind, "call_id": call.id, "output": text}


def user_note(document: Records, before: Record, text: str) -> dict[str, Any]:
    """Build a user message at the time of the record that it goes before."""
    return enveloped(
        document, before, {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}
    )


def replacement(document: Records, first: Record, text: str) -> tuple[dict[str, Any], ...]:
    """Build a user message, and the event that shows it where the file has events."""
    message = user_note(document, first, text)
    if "payload" not in message:
        return (message,)
    return message, {**message, "type": "event_msg", "payload": {"type": "user_message", "message": text, "images": []}}


def result_note(document: Records, result: Result) -> dict[str, Any] | None:
    """Build a user message that keeps the text of an output, unless that is in a compaction or its place is
    fixed.
    """
    if result.record.kind == "compacted" or is_fixed(document):
        return None
    value = document.value(result.record)
    text = "\n".join(block.text for block in blocks_of(value if result.record.kind == BARE else value["payload"]))
    return user_note(document, result.record, f"[condense] Output of a tool call that is not in this session:\n{text}")


def enveloped(document: Records, like: Record, payload: dict[str, Any]) -> dict[str, Any]:
    """Put an item into the envelope of a record like it."""
    if like.kind == BARE:
        return payload
    time = document.value(like).get("timestamp")
    made: dict[str, Any] = {"timestamp": time if isinstance(time, str) else _TIME}
    if document.derived(is_fixed):
        made["ordinal"] = document.derived(_next_ordinal) + document.added
    return made | {"type": "response_item", "payload": payload}


def stand_in(document: Records, record: Record) -> bytes:
    """Return what takes the place of a record that cannot be taken out: an event that says nothing, with its number."""
    raw = document.raw(record)
    raw = jsonedit.replace(raw, ("payload",), b'{"type":"token_count","info":null}')
    return jsonedit.replace(raw, ("type",), "event_msg")


def _next_ordinal(document: Records) -> int:
    return max((number for number in map(ordinal_of, document.readable()) if number is not None), default=-1) + 1
