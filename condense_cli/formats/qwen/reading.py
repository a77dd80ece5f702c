"""What one record of a Qwen Code session says. Results of parallel calls are one record each, one after the other."""

from __future__ import annotations

from typing import Any, NamedTuple

from condense_cli.document.records import UNKNOWN
from condense_cli.formats.parts import is_understood, read_parts
from condense_cli.model.messages import Flaw, Message, Record, Role

ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "tool_result": Role.RESULT}
COMPRESSION = "chat_compression"
_OFF_THREAD = frozenset({"session_artifact_event", "session_artifact_snapshot", "session_sources_snapshot"})


class Facts(NamedTuple):
    """Which session a record belongs to, whether it can end the thread, and whether it replaces what came before it."""

    session: str | None
    ends: bool
    compresses: bool = False


def read(record: Record, value: dict[str, Any]) -> None:
    """Set kind, links and message of one record."""
    kind, subtype = value.get("type"), value.get("subtype")
    kind = kind if type(kind) is str and kind else "?"
    record.kind = kind
    record.id = _text(value.get("uuid")) or None
    record.parent = _text(value.get("parentUuid")) or None
    record.message = None
    session = _text(value.get("sessionId"))
    if kind == "system":
        record.extra = Facts(session, _can_end(subtype), subtype == COMPRESSION and _history(value) is not None)
        if record.extra.compresses:
            record.message = Message(record, Role.SUMMARY)
        return
    record.extra = Facts(session, kind in ROLES)
    message = value.get("message")
    parts = message.get("parts") if isinstance(message, dict) else None
    if kind in ROLES and isinstance(parts, list) and all(is_understood(part) for part in parts):
        record.message = _message(record, ROLES[kind], parts)
    elif kind in ROLES or record.id is None:
        record.kind = UNKNOWN


def _can_end(subtype: Any) -> bool:
    return not isinstance(subtype, str) or not (subtype in _OFF_THREAD or subtype.startswith("managed_session_"))


def _history(value: dict[str, Any]) -> list[Any] | None:
    """Return the history that a compression puts in the place of all before it, if it has one."""
    payload = value.get("systemPayload")
    found = payload.get("compressedHistory") if isinstance(payload, dict) else None
    return found if isinstance(found, list) else None


def _message(record: Record, role: Role, parts: list[Any]) -> Message:
    found = read_parts(record, parts)
    flaws = found.flaws
    empty = not found.said and not found.calls and not found.results
    if role is Role.USER and (empty or (found.blank and not found.results)):
        flaws = (Flaw("empty-message", "user", 0),)
    return Message(record, role, found.calls, found.results, found.said, flaws=flaws)


def _text(value: Any) -> str | None:
    return value if type(value) is str else None
