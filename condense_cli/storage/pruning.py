"""Old records of the journal are removed on request: by age and by size, never the newest one of a session."""

from __future__ import annotations

import os
import time
from typing import NamedTuple

from condense_cli.errors import RefusedError
from condense_cli.storage import journal
from condense_cli.storage.journal_record import JournalRecord
from condense_cli.storage.state import lock

MAX_DAYS = 90
"""Days after which a record is removed."""

MAX_BYTES = 2 << 30
"""Bytes that all records together may take; the oldest ones beyond that are removed."""


class Pruned(NamedTuple):
    """What was removed, oldest first, and how many bytes of the disk it took; how many records are left."""

    removed: tuple[JournalRecord, ...]
    bytes: int
    left: int


def prune(*, max_days: float = MAX_DAYS, max_bytes: int = MAX_BYTES, now: float | None = None) -> Pruned:
    """Remove the records that are older than max_days, then the oldest ones until max_bytes are enough.

    The newest record of a session stays, and so does that of a session on which another condense is at work. now
    in seconds since 1970 (default: the clock).
    """
    records = journal.records(copies=True)
    sizes = {record.id: _size(record) for record in records}
    newest = {record.path: record.id for record in reversed(records)}
    oldest_kept = (time.time() if now is None else now) - max_days * 86400
    total = sum(sizes.values())
    removed: list[JournalRecord] = []
    for record in reversed(records):
        if newest[record.path] == record.id or (record.time >= oldest_kept and total <= max_bytes):
            continue
        if _remove(record):
            removed.append(record)
            total -= sizes[record.id]
    return Pruned(tuple(removed), sum(sizes[record.id] for record in removed), len(records) - len(removed))


def _remove(record: JournalRecord) -> bool:
    try:
        with lock(record.path):
            journal.discard(record)
    except RefusedError:
        return False
    return not os.path.lexists(os.path.join(journal.journal_folder(), record.id))


def _size(record: JournalRecord) -> int:
    folder = os.path.join(journal.journal_folder(), record.id)
    try:
        return sum(os.lstat(os.path.join(folder, name)).st_size for name in os.listdir(folder))
    except OSError:
        return 0
