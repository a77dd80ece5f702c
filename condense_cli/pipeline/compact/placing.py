"""Taking the records of a chain out of a thread and putting one user message in their place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense_cli.document import Document
    from condense_cli.model import Record
    from condense_cli.pipeline.compact.leaving import Leaving
    from condense_cli.pipeline.mend.surgery import Surgery

_Value = dict[str, Any]


def put_in(surgery: Surgery, leaving: Leaving, text: str, rule: str) -> tuple[Record, ...]:
    """Replace what leaves by a message with this text; return the records that are taken out.

    What hung on them hangs on the message, or on what stands before it.
    """
    document, first, anchor = surgery.document, leaving.records[0], leaving.behind
    name = document.format.NAME
    value = document.format.user_note(document, first, text)
    if name == "claude-code":
        _hang(document, value, anchor)
    more = list(_events(document, leaving, surgery)) if name == "codex" else []
    for record in (*leaving.records, *more):
        surgery.drop(record, rule)
    made = surgery.insert(value, anchor, rule)
    if name == "codex" and "payload" in value:
        event = {"type": "user_message", "message": text, "images": []}
        surgery.insert({**value, "type": "event_msg", "payload": event}, made, rule)
    return (*leaving.records, *more)


def _hang(document: Document, value: _Value, anchor: Record) -> None:
    """Hang a prompt on a record, not earlier than that; it is marked as one that the user did not type."""
    value["parentUuid"] = anchor.id
    value["isMeta"] = True
    before = document.value(anchor).get("timestamp")
    if isinstance(before, str):
        value["timestamp"] = max(value["timestamp"], before)


def _events(document: Document, leaving: Leaving, surgery: Surgery) -> Iterator[Record]:
    """Yield the events that show a call that leaves: nothing would be left for them to show."""
    named = {answered.call.id for answered in leaving.answered}
    last = surgery.order[id(leaving.records[-1])]
    while last + 1 < len(document.records) and document.records[last + 1].kind == "event_msg":
        last += 1
    for record in document.records[surgery.order[id(leaving.records[0])] : last + 1]:
        if record.kind == "event_msg" and not record.gone:
            payload = document.value(record).get("payload")
            ident = payload.get("call_id") if isinstance(payload, dict) else None
            if isinstance(ident, str) and ident in named:
                yield record
