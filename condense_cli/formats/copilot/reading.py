"""What one event of a Copilot CLI session says. Events of sub-agents are no part of the main thread."""

from __future__ import annotations

from typing import Any, NamedTuple

from condense_cli.document.records import UNKNOWN
from condense_cli.model.blocks import is_placeholder
from condense_cli.model.messages import Call, Flaw, Message, Record, Result, Role

COMPLETE = "session.compaction_complete"
START = "session.compaction_start"
FAMILIES = (
    "session.", "system.", "user.", "assistant.", "tool.", "subagent.", "skill.", "hook.", "permission.", "external_tool.",  # noqa: E501 - a sentence is one text
)  # fmt: skip


class Facts(NamedTuple):
    """Whose event it is ("" is the main agent's), the response it is a piece of, and whether it is an effective
    compaction.
    """

    agent: str = ""
    response: str = ""
    compacts: bool = False


MAIN = Facts()


def read(record: Record, value: dict[str, Any]) -> None:
    """Set kind, id and message of one event. Replay goes by the order of the file: parents play no part."""
    kind, data = value.get("type"), value.get("data")
    record.kind = kind if type(kind) is str and kind else "?"
    record.id = _text(value.get("id")) or None
    record.parent = record.message = None
    record.extra = MAIN
    if (
        not isinstance(data, dict)
        or "parentId" not in value
        or value.get("ephemeral") is True
        or "vscodeVersion" in data
    ):
        record.kind = UNKNOWN  # another log in the same envelope
        return
    agent = _text(value.get("agentId")) or _text(data.get("parentToolCallId")) or ""
    summary = record.kind == COMPLETE and data.get("success") is True and bool(_text(data.get("summaryContent")))
    response = _text(data.get("apiCallId")) if isinstance(data.get("chunkIndex"), int) else None
    if agent or summary or response:
        record.extra = Facts(agent, response or "", summary)
    reader = _READERS.get(record.kind)
    if reader is not None and _is_understood(record.kind, data):
        record.message = reader(record, data)
    elif reader is not None:
        record.kind = UNKNOWN
    elif summary:
        record.message = Message(record, Role.SUMMARY)


def _is_understood(kind: str, data: dict[str, Any]) -> bool:
    """Say whether the data of a message has the members that are sent, of the kind that this client writes."""
    content, asked = data.get("content"), data.get("toolRequests")
    if kind == "tool.execution_complete":
        return "toolCallId" in data
    return (
        isinstance(content, str | None)
        and isinstance(asked, list | None)
        and (content is not None or asked is not None)
    )


def _user(record: Record, data: dict[str, Any]) -> Message:
    sent = data.get("transformedContent", data.get("content"))
    media = bool(data.get("attachments"))
    blank = not media and not (isinstance(sent, str) and sent.strip())
    return Message(record, Role.USER, flaws=(Flaw("empty-message", "user", 0),) if blank else ())


def _assistant(record: Record, data: dict[str, Any]) -> Message:
    listed = data.get("toolRequests")
    calls: list[Call] = []
    flaws: list[Flaw] = []
    for n, asked in enumerate(listed if isinstance(listed, list) else ()):
        if not isinstance(asked, dict):
            continue
        calls.append(Call(record, n, _text(asked.get("toolCallId")), _text(asked.get("name"))))
        if not isinstance(asked.get("arguments"), dict):
            flaws.append(
                Flaw("invalid-arguments" if "arguments" in asked else "missing-arguments", "", n, "", calls[-1].id)
            )
    said = bool(_text(data.get("content")))
    if not said and not calls:
        flaws.append(Flaw("empty-message", "empty-assistant", 0))
    return Message(record, Role.ASSISTANT, tuple(calls), (), said, flaws=tuple(flaws))


def _result(record: Record, data: dict[str, Any]) -> Message:
    result = Result(record, 0, _text(data.get("toolCallId")), is_placeholder(output_of(data)))
    return Message(record, Role.RESULT, (), (result,), said=False)


def output_of(data: dict[str, Any]) -> str:
    """Return what is sent of a finished call: its content, else its error, else nothing."""
    for key, inner in (("result", "content"), ("error", "message")):
        value = data.get(key)
        if isinstance(value, dict) and isinstance(value.get(inner), str):
            return str(value[inner])
    return ""


def _text(value: Any) -> str | None:
    return value if type(value) is str else None


_READERS = {
    "user.message": _user,
    "assistant.message": _assistant,
    "tool.execution_complete": _result,
}
