"""What one record of a Claude Code session says: its links, its owner, its message.

One response of the model is written as several records with one `message.id`, mostly one block each, so
what is wrong with a whole response is decided in responses.py.
"""

from __future__ import annotations

from typing import Any

from condense_cli.document.records import UNKNOWN
from condense_cli.formats.claude_code.assistant import read_assistant
from condense_cli.formats.claude_code.facts import BOUNDARY, ERROR, LIVE, Facts, Owner
from condense_cli.formats.claude_code.user import read_user
from condense_cli.model.messages import Message, Record, Role

CHAIN_TYPES = frozenset({"user", "assistant", "system", "attachment", "progress"})


METADATA_TYPES = frozenset({
    "summary", "file-history-snapshot", "queue-operation", "last-prompt", "custom-title", "ai-title", "agent-name",
    "agent-setting", "mode", "permission-mode", "pr-link", "bridge-session", "tag", "worktree-state", "relocated",
    "frame-link", "fork-context-ref", "rewind-pointer",
})  # fmt: skip


_METADATA_KEYS = ("sessionId", "leafUuid", "messageId")


_TURNS = ("user", "assistant")


def is_record(value: dict[str, Any]) -> bool:
    """A record of the chain, or one of the metadata records by type and key."""
    kind = value.get("type")
    if not isinstance(kind, str):
        return False
    if isinstance(value.get("uuid"), str) and "parentUuid" in value:
        return True
    return kind in METADATA_TYPES and any(key in value for key in _METADATA_KEYS)


def read(record: Record, value: dict[str, Any], owners: dict[tuple[Any, Any, bool], Owner]) -> None:
    """Set the facts of one record; metadata records have no id, whatever they name."""
    kind = value.get("type")
    record.kind = kind if type(kind) is str and kind else "?"
    record.message = None
    ident = value.get("uuid")
    if type(ident) is not str or not ident:
        record.id = record.parent = record.extra = None
        if kind == "last-prompt":
            record.extra = value.get("leafUuid")  # the branch that the client resumes
        if kind in _TURNS and type(value.get("message")) is dict:
            record.kind = UNKNOWN  # a turn without an id is out of every client's reach
        return
    record.id = ident
    parent = value.get("parentUuid")
    record.parent = parent if type(parent) is str and parent else None
    session, agent, sidechain = value.get("sessionId"), value.get("agentId"), value.get("isSidechain") is True
    if type(session) is not str:
        session = None
    if agent is not None and type(agent) is not str:
        agent = None
    if (
        kind in _TURNS
        and type(message := value.get("message")) is dict
        and "content" not in message
        and "parts" in message
    ):
        record.kind = UNKNOWN
        record.extra = Facts(Owner(session, agent, sidechain), "", LIVE)
        return
    key = (session, agent, sidechain)
    owner = owners.get(key)
    if owner is None:
        owner = owners[key] = Owner(*key)
    time = value.get("timestamp")
    _read_kind(record, value, owner, time if type(time) is str else "")


def _read_kind(record: Record, value: dict[str, Any], owner: Owner, time: str) -> None:
    kind = value.get("type")
    if kind in _TURNS:
        message = value.get("message")
        if type(message) is not dict:
            record.extra = Facts(owner, time, LIVE)
        elif kind == "assistant":
            read_assistant(record, value, message, owner, time)
        else:
            read_user(record, value, message.get("content"), owner, time)
    elif kind == "system":
        subtype = value.get("subtype")
        if subtype == "local_command":
            record.message = Message(record, Role.CUSTOM)
        record.extra = Facts(owner, time, _SYSTEM.get(subtype, LIVE) if type(subtype) is str else LIVE)
    else:
        record.extra = Facts(owner, time)


_SYSTEM = {"compact_boundary": LIVE | BOUNDARY, "api_error": LIVE | ERROR}
