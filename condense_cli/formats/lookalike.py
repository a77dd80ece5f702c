"""Files that resemble sessions and are none: event streams, and formats of other agents. They are named and refused."""

from __future__ import annotations

from typing import Any

from condense_cli.document.format import Head

_EXEC_EVENTS = frozenset({"thread.started", "turn.started", "turn.completed", "turn.failed", "item.started", "item.updated", "item.completed"})
_PI_EVENTS = frozenset({"agent_start", "agent_end", "turn_start", "turn_end", "message_start", "message_update", "message_end", "tool_execution_start", "tool_execution_end"})
_COPILOT_EVENTS = frozenset({"session.start", "session.info", "user.message", "assistant.message", "assistant.turn_start", "assistant.turn_end", "tool.execution_start", "tool.execution_complete"})


def name_it(head: Head) -> str | None:
    """Return what the file is when it is a known look-alike, else None."""
    records = head.records
    for test, name in _TESTS:
        if any(test(value) for value in records):
            return name
    return None


def _kind(value: dict[str, Any]) -> str:
    kind = value.get("type")
    return kind if isinstance(kind, str) else ""


def _qwen(value: dict[str, Any]) -> bool:
    message = value.get("message")
    return "uuid" in value and ("systemPayload" in value or (isinstance(message, dict) and isinstance(message.get("parts"), list)))


def _stream_json(value: dict[str, Any]) -> bool:
    return "session_id" in value and "sessionId" not in value and _kind(value) in ("system", "assistant", "user", "result", "stream_event") and "payload" not in value


def _dsh(value: dict[str, Any]) -> bool:
    kind = value.get("type")
    return (kind == "session" and value.get("version") == 0) or ("seq" in value and isinstance(kind, str) and "/" in kind)


def _kimi_wire(value: dict[str, Any]) -> bool:
    return value.get("type") == "metadata" and "protocol_version" in value


def _viewer(value: dict[str, Any]) -> bool:
    return _kind(value) in ("tool", "tool_result") and ("workspace" in value or "agent" in value)


_TESTS = (
    (lambda v: _kind(v) in _EXEC_EVENTS, "an event stream of `codex exec --json`"),
    (lambda v: _kind(v) in _PI_EVENTS, "an event stream of `pi --mode json`"),
    (lambda v: _kind(v) in _COPILOT_EVENTS and "data" in v, "a Copilot CLI event log"),
    (_qwen, "a Qwen Code session, which no rule here was written for"),
    (_stream_json, "an event stream of `claude --output-format stream-json`"),
    (_dsh, "a dsh session log"),
    (_kimi_wire, "a wire log of Kimi (the session is context.jsonl)"),
    (_viewer, "lines made by a transcript viewer"),
)
