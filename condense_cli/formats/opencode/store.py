"""A session of OpenCode's database, as the document that its rows are read as (`storage/databases/opencode.py`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.document.views import Head
from condense_cli.formats.opencode.format import OpenCode
from condense_cli.model.findings import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense_cli.document.document import Document
    from condense_cli.document.records import Records
    from condense_cli.model.messages import Record

_MARK = "opencode.db"
_UNREADABLE = "unreadable"
_REFUSAL = (
    "a session in OpenCode's database is only read",
    "OpenCode itself answers interrupted calls when the session goes on; `condense render` shows the session",
)


class OpenCodeStore(OpenCode):
    """A session of OpenCode's database: messages and parts are rows."""

    name = "opencode-db"
    contract = "opencode"

    def detect(self, head: Head) -> bool:
        """The document of a session of the database."""
        value = head.document
        return isinstance(value, dict) and value.get("store") == _MARK and isinstance(value.get("messages"), list)

    def refuse_repair(self, document: Records) -> tuple[str, str] | None:
        """Say that rows are not written."""
        return _REFUSAL

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
