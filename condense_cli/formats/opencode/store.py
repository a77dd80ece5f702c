"""A session of OpenCode's database, as the document that its rows are read as (`storage/databases/opencode.py`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.document.views import Head
from condense_cli.formats.opencode.format import OpenCode
from condense_cli.jsonbytes import jsonedit
from condense_cli.model.blocks import ANSWER, EMPTY_USER, words
from condense_cli.model.findings import Finding
from condense_cli.model.plan import Change

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense_cli.document.document import Document
    from condense_cli.document.draft import Draft
    from condense_cli.document.records import Records
    from condense_cli.model.messages import Call, Record

_MARK = "opencode.db"
_UNREADABLE = "unreadable"


class OpenCodeStore(OpenCode):
    """A session of OpenCode's database: messages and parts are rows."""

    name = "opencode-db"
    contract = "opencode"

    def detect(self, head: Head) -> bool:
        """The document of a session of the database."""
        value = head.document
        return isinstance(value, dict) and value.get("store") == _MARK and isinstance(value.get("messages"), list)

    def refuse_repair(self, document: Records) -> tuple[str, str] | None:
        """Rows are written one by one."""
        return None

    def scan(self, document: Document) -> Iterator[Finding]:
        """Yield rows that keep the client from opening or sending the session."""
        for record in document.readable():
            value = document.value(record)
            if not isinstance(value, dict):
                continue
            info, parts = value.get("info"), value.get("parts")
            if isinstance(info, dict) and _UNREADABLE in info and "role" not in info:
                yield _finding("unreadable-line", record, None, detail="the row of this message is no JSON object")
            for n, part in enumerate(parts if isinstance(parts, list) else ()):
                if isinstance(part, dict):
                    yield from _of_part(record, n, part)
            yield from _blank_user(record, value)

    def fix(self, draft: Draft, finding: Finding) -> None:
        """Write what the client takes into the row that is there: no row comes or goes."""
        if finding.rule == "unanswered-call" and finding.part is not None:
            _answer(draft, finding.record, finding.part, finding.rule, finding.call_id)
        elif finding.rule == "unreadable-line" and finding.part is not None:
            _empty(draft, finding.record, finding.part, finding.rule)
        elif finding.rule == "unreadable-line":
            info = _info_like(draft, finding.record)
            if info is not None:
                raw = jsonedit.replace(draft.raw(finding.record), ("info",), info)
                draft.rewrite(finding.record, raw, finding.rule)
        elif finding.rule == "empty-message" and finding.part is not None:
            path = ("parts", finding.part, "text")
            draft.rewrite(finding.record, jsonedit.replace(draft.raw(finding.record), path, EMPTY_USER), finding.rule)

    def add_answer(self, draft: Draft, call: Call, cycle: int, anchor: Record, rule: str) -> bool:
        """Write the answer into the part of the call."""
        _answer(draft, call.record, call.part, rule, call.id)
        return True

    def drop_call(self, draft: Draft, call: Call, rule: str) -> bool:
        """Let the part of a call say nothing: the client leaves out an empty text."""
        _empty(draft, call.record, call.part, rule)
        return True

    def drop_block(self, draft: Draft, finding: Finding) -> bool:
        """Let a part say nothing."""
        _empty(draft, finding.record, finding.part or 0, finding.rule)
        return True

    def add_first_user(self, draft: Draft, finding: Finding) -> bool:
        """No row is made: what is missing stays so."""
        return True


_ROW = ("id", "sessionID", "messageID", "row")


def _answer(draft: Draft, record: Record, part: int, rule: str, call_id: str | None) -> None:
    """Give a call a state that is sent: a completed one its output, any other one an error."""
    state = draft.value(record)["parts"][part].get("state")
    state = state if isinstance(state, dict) else {}
    inputs = state.get("input") if isinstance(state.get("input"), dict) else {}
    kept = {**state, "input": inputs}
    if state.get("status") == "completed":
        title = words(state.get("title"))
        data = state.get("metadata") if isinstance(state.get("metadata"), dict) else {}
        new = {**kept, "output": ANSWER, "title": title, "metadata": data}
    else:
        time = draft.value(record)["info"].get("row")
        new = {"time": {"start": time, "end": time}, **kept, "status": "error", "error": ANSWER}
    raw = jsonedit.replace(draft.raw(record), ("parts", part, "state"), new)
    draft.rewrite(record, raw, rule, Change.INSERT, part=part, call_id=call_id)


def _empty(draft: Draft, record: Record, part: int, rule: str) -> None:
    """Let the row of a part say nothing."""
    old = draft.value(record)["parts"][part]
    head = {key: old[key] for key in _ROW if key in old}
    raw = jsonedit.replace(draft.raw(record), ("parts", part), {**head, "type": "text", "text": ""})
    draft.rewrite(record, raw, rule, Change.STRIP, part=part)


def _parts(value: dict[str, Any]) -> list[dict[str, Any]]:
    parts = value.get("parts")
    return [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []


def _info_like(draft: Draft, record: Record) -> dict[str, Any] | None:
    """Return what a message says of itself, as its nearest neighbour of the same role says it; None without one."""
    value = draft.value(record)
    kinds = {words(part.get("type")) for part in _parts(value)}
    role = "assistant" if kinds & _OF_ASSISTANT else "user"
    at = draft.known.order[record]
    before, after = draft.records[:at], draft.records[at + 1 :]
    like = next((one for one in (*reversed(before), *after) if one.kind == role), None)
    if like is None:
        return None
    old, info = value["info"], dict(draft.value(like)["info"])
    head = {key: old[key] for key in _ROW if key in old}
    kept = {key: one for key, one in info.items() if key not in (*_ROW, "error", "summary")}
    asked = next((one.id for one in reversed(before) if one.kind == "user"), None)
    if role == "assistant" and asked is not None:
        kept["parentID"] = asked
    return {**head, **kept, "time": {"created": old.get("row"), "completed": old.get("row")}}


_OF_ASSISTANT = frozenset({"tool", "reasoning", "step-start", "step-finish", "patch", "snapshot"})


def _blank_user(record: Record, value: dict[str, Any]) -> Iterator[Finding]:
    """Yield a user's message that says nothing, at its first text."""
    message, parts = record.message, value.get("parts")
    if (
        not isinstance(parts, list)
        or message is None
        or not any(flaw.rule == "empty-message" and flaw.variant == "user" for flaw in message.flaws)
    ):
        return
    texts = [n for n, one in enumerate(parts) if isinstance(one, dict) and one.get("type") == "text"]
    if texts:
        yield Finding("empty-message", record.line, record, variant="user", part=texts[0])


def _of_part(record: Record, n: int, part: dict[str, Any]) -> Iterator[Finding]:
    """Yield what is wrong with a part: it is no JSON, or a tool that is done has nothing that could be sent."""
    if _UNREADABLE in part and "type" not in part:
        yield _finding("unreadable-line", record, n, detail="the row of this part is no JSON object")
    elif part.get("type") == "tool":
        ident, state = part.get("callID"), part.get("state")
        call_id = ident if isinstance(ident, str) else None
        if not isinstance(state, dict):
            yield _finding("unanswered-call", record, n, call_id, "the part has no state: the session cannot be opened")
        elif state.get("status") == "completed" and not isinstance(state.get("output"), str):
            yield _finding("unanswered-call", record, n, call_id, "it is completed and has no output: nothing is sent")


def _finding(rule: str, record: Record, part: int | None, call_id: str | None = None, detail: str = "") -> Finding:
    variant = "row" if rule == "unreadable-line" else "not-sent"
    return Finding(rule, record.line, record, variant=variant, part=part, call_id=call_id, detail=detail)
