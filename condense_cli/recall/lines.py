"""Which records a line of the file belongs to: a message may take many lines, or several records."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condense_cli.model.messages import Message, Record
    from condense_cli.session.opened import Session

LINE = re.compile(r"L([1-9][0-9]*)")
"""A reference that names a line of the file, from 1."""


def on_line(session: Session, line: int) -> list[Record]:
    """Return the records that have bytes on a line, from 1."""
    records = session.records
    end = bisect_right(records, line, key=lambda record: record.line)
    if not end:
        return []
    first = records[end - 1].line
    if first < line and first + session.document.raw(records[end - 1]).rstrip().count(b"\n") < line:
        return []
    return [record for record in records[:end] if record.line == first]


def of_message(session: Session, line: int) -> list[Record]:
    """Return all records of the messages of the active thread that have a record on a line."""
    here = {id(record) for record in on_line(session, line)}
    found: list[Record] = []
    for message in (m for view in session.views() for m in view.messages) if here else ():
        records = _records(session, message)
        if any(id(record) in here for record in records):
            found += records
    return found


def _records(session: Session, message: Message) -> list[Record]:
    halves = (half.record for half in message.halves)
    return [message.record, *halves, *session.format.records_of(session.document, message)]
