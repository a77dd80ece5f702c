"""Replacing what a session in a database says, with a record in the journal, and undoing that."""

from __future__ import annotations

import contextlib
import hashlib
import os
from typing import TYPE_CHECKING

from condense_cli.errors import RefusedError
from condense_cli.model.plan import apply
from condense_cli.storage import journal
from condense_cli.storage.databases.write import guard, write_rows
from condense_cli.storage.interrupts import deferred
from condense_cli.storage.journal_record import JournalRecord, Repair, Status
from condense_cli.storage.reverse import reverse
from condense_cli.storage.state import lock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from condense_cli.model.plan import Segment
    from condense_cli.storage.databases.find import SessionAddress
    from condense_cli.storage.source import Source


def replace_in_database(
    source: Source,
    place: SessionAddress,
    segments: Iterable[Segment],
    prove: Callable[[bytes], None],
    repair: Repair,
    *,
    force: bool,
    backup: bool,
) -> JournalRecord | None:
    """Write the rows that the segments describe; return the journal's record, None without one or without a change.

    prove is called with the new bytes and raises if they are not what they should be. Raises RefusedError; nothing was
    written then.
    """
    real = f"{os.path.realpath(place.file)}#{place.id}"
    segments = tuple(segments)
    with lock(real, anywhere=not backup):
        guard(place, force=force)
        old, new = source.read(0, source.size), b"".join(apply(segments, source))
        if old == new:
            return None
        prove(new)
        with deferred() as pending:
            pending.stop()
            record = _record(source, real, repair, old, new)
            if backup:
                record = journal.prepare(record, reverse(segments, source.size, source.read))
            try:
                write_rows(place, old, new)
            except BaseException:
                if backup:
                    journal.discard(record)
                raise
            return _marked(record, Status.DONE) if backup else None


def undo_in_database(record: JournalRecord, source: Source, place: SessionAddress, *, force: bool) -> None:
    """Give the rows the texts that they had before a repair. Raises RefusedError where they are others by now."""
    now = source.read(0, source.size)
    if hashlib.sha256(now).hexdigest() != record.new_sha256:
        raise RefusedError(
            f"{record.path}: is no longer what the repair made of it, so it was not changed",
            "the session went on since; `condense query` still finds what the repair removed",
        )
    guard(place, force=force)
    old = b"".join(apply(journal.patch(record), source))
    if hashlib.sha256(old).hexdigest() != record.old_sha256:
        raise RefusedError(
            f"{record.id}: this record of the journal is damaged: it does not give the old bytes",
            "nothing was changed",
        )
    with deferred() as pending:
        pending.stop()
        _marked(record, Status.PREPARED)
        try:
            write_rows(place, now, old)
        except BaseException:
            _marked(record, Status.DONE)
            raise
        _marked(record, Status.UNDONE)


def _record(source: Source, real: str, repair: Repair, old: bytes, new: bytes) -> JournalRecord:
    return JournalRecord(
        id="",
        time=0.0,
        path=real,
        format=repair.format,
        command=repair.command,
        rules=repair.rules,
        old_sha256=hashlib.sha256(old).hexdigest(),
        old_size=len(old),
        new_sha256=hashlib.sha256(new).hexdigest(),
        new_size=len(new),
        mode=0o600,
        mtime=source.stamp.mtime,
        status=Status.PREPARED,
    )


def _marked(record: JournalRecord, status: Status) -> JournalRecord:
    with contextlib.suppress(OSError):  # the rows themselves say how far it got
        return journal.mark(record, status)
    return record
