"""What a repair into a new file took out: kept in the journal under the name of that file, so that `query` finds it."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

from condense_cli.model.plan import Put, Segment, apply
from condense_cli.storage import journal
from condense_cli.storage.interrupts import deferred
from condense_cli.storage.journal_record import JournalRecord, Repair, Status
from condense_cli.storage.reverse import reverse
from condense_cli.storage.state import lock

if TYPE_CHECKING:
    from collections.abc import Iterable

    from condense_cli.storage.source import Source


def keep_removed(path: str, source: Source, segments: Iterable[Segment], *, repair: Repair) -> None:
    """Write a record for a new file made of the segments; a record of what was in its place before goes.

    Nothing is kept for what is no regular file. Raises RefusedError where the journal cannot be written.
    """
    if path == "-" or not os.path.isfile(path):
        return
    real = os.path.realpath(path)
    segments = tuple(segments)
    back = reverse(segments, source.size, source.read)
    new = hashlib.sha256()
    size = 0
    for piece in apply(segments, source):
        new.update(piece)
        size += len(piece)
    with lock(real), deferred():
        for record in journal.records(copies=True):
            if record.path == real and record.status is Status.COPIED:
                journal.discard(record)
        if not any(isinstance(segment, Put) for segment in back):
            return
        record = JournalRecord(
            id="",
            time=0.0,
            path=real,
            format=repair.format,
            command=repair.command,
            rules=repair.rules,
            old_sha256=source.sha256(),
            old_size=source.size,
            new_sha256=new.hexdigest(),
            new_size=size,
            mode=source.stat.st_mode & 0o7777,
            mtime=max(source.stamp.mtime, 0),
            status=Status.COPIED,
        )
        journal.prepare(record, back)
