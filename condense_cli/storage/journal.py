"""The journal: what each in-place change took away, so that undo gives it back and query still finds it.

A journal record is a folder of the user's state folder with three files: meta.json, spans.json (the old file as
spans of the new one) and the bytes that are in no span. It appears whole or not at all, and before the session is
touched.
"""

from __future__ import annotations

import contextlib
import os
import stat
import time
import zlib
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from condense_cli.errors import RefusedError, UnreadableError, UsageError
from condense_cli.model.plan import Put, Segment
from condense_cli.storage.journal_record import JournalRecord, Status, as_json, read_record
from condense_cli.storage.source import open_source
from condense_cli.storage.spans import read_spans, write_private, write_spans
from condense_cli.storage.state import make_private, state_folder
from condense_cli.storage.temporary import remove
from condense_cli.storage.writing import sync_folder, unwritable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def journal_folder() -> str:
    """Return the folder of the journal."""
    return os.path.join(state_folder(), "journal")


def prepare(record: JournalRecord, spans: Iterable[Segment]) -> JournalRecord:
    """Write a record with a fresh id to disk before the session is touched; raise RefusedError if that fails.

    Signals must be deferred.
    """
    folder = journal_folder()
    part = ""
    try:
        make_private(folder)
        _remove_left_over(folder)
        record, part = _fresh(folder, record)
        write_spans(part, spans)
        write_private(os.path.join(part, "meta.json"), as_json(record))
        sync_folder(part)
        os.rename(part, os.path.join(folder, record.id))
        sync_folder(folder)
    except OSError as problem:
        if part:
            remove_folder(part)
            remove_folder(os.path.join(folder, record.id))
        failure = unwritable(folder, problem)
        raise RefusedError(failure.problem, f"{failure.advice}; --no-backup repairs without a way back") from problem
    return record


def mark(record: JournalRecord, status: Status) -> JournalRecord:
    """Write down how far a change got. Raises OSError; the old status is there then."""
    record = record._replace(status=status)
    folder = os.path.join(journal_folder(), record.id)
    temporary = os.path.join(folder, f".meta-{os.getpid()}.tmp")
    try:
        write_private(temporary, as_json(record))
        os.replace(temporary, os.path.join(folder, "meta.json"))
    except BaseException:
        with contextlib.suppress(OSError):
            remove(temporary)
        raise
    sync_folder(folder)
    return record


def discard(record: JournalRecord) -> None:
    """Remove the record of a change that did not happen."""
    folder = journal_folder()
    part = os.path.join(folder, f".{record.id}.part")
    with contextlib.suppress(OSError):
        os.rename(os.path.join(folder, record.id), part)
    remove_folder(part)
    remove_folder(os.path.join(folder, record.id))


def records(*, copies: bool = False) -> list[JournalRecord]:
    """Return all records, the newest first; a damaged one is left out. copies: those of new files too."""
    folder = journal_folder()
    try:
        names = sorted((name for name in os.listdir(folder) if not name.startswith(".")), reverse=True)
    except OSError:
        return []
    found = (read_record(os.path.join(folder, name), name) for name in names)
    return [record for record in found if record is not None and (copies or record.status is not Status.COPIED)]


def find(reference: str) -> JournalRecord | None:
    """Return the record with this id, or the only one whose id starts like this; raise UsageError if several do."""
    found = [record for record in records() if reference and record.id.startswith(reference)]
    if len(found) > 1 and (exact := [record for record in found if record.id == reference]):
        return exact[0]
    if len(found) > 1:
        raise UsageError(
            f"{reference}: {len(found)} repairs start like this", "name more of the id; `condense undo` lists them"
        )
    return found[0] if found else None


def latest() -> JournalRecord | None:
    """Return the newest record that can be undone."""
    return next((record for record in records() if happened(record)), None)


def happened(record: JournalRecord) -> bool:
    """Say whether the change took place and was not undone; what a killed run left counts unless it is disproved."""
    if record.status is Status.PREPARED:
        return took_place(record) is not False
    return record.status is Status.DONE


def took_place(record: JournalRecord) -> bool | None:
    """Say by the session's bytes whether it is the new file or the old one, lines appended or not; None: neither."""
    candidates = [(record.new_size, record.new_sha256, True), (record.old_size, record.old_sha256, False)]
    try:
        with open_source(record.path) as source:
            # One may be the beginning of the other: the exact size decides, then the longer one.
            candidates.sort(key=lambda candidate: (candidate[0] == source.size, candidate[0]), reverse=True)
            for size, sha256, answer in candidates:
                if source.size >= size and source.sha256(size) == sha256:
                    return answer
    except UnreadableError:
        return None
    return None


def decide_prepared(path: str) -> None:
    """Decide what killed runs left prepared for this resolved path; its lock must be held."""
    for record in records():
        if record.path != path or record.status is not Status.PREPARED:
            continue
        answer = took_place(record)
        if answer is False:
            discard(record)
        elif answer:
            with contextlib.suppress(OSError):
                mark(record, Status.DONE)


def patch(record: JournalRecord) -> tuple[Segment, ...]:
    """Return the old file as spans of the new one; raise RefusedError if the record is damaged."""
    folder = os.path.join(journal_folder(), record.id)
    try:
        return read_spans(folder, record)
    except (OSError, ValueError, RecursionError, zlib.error) as problem:
        raise RefusedError(f"{record.id}: this record of the journal is damaged", f"look into {folder}") from problem


def removed(path: str) -> Iterator[tuple[JournalRecord, bytes]]:
    """Yield what changes took out of this file and nobody put back: runs of whole records, newest change first."""
    real = os.path.realpath(path)
    for record in records(copies=True):
        if record.path != real or not (happened(record) or record.status is Status.COPIED):
            continue
        with contextlib.suppress(RefusedError):
            for span in patch(record):
                if isinstance(span, Put):
                    yield record, span.data


def remove_folder(folder: str) -> None:
    """Remove a folder of the journal and the files in it; what cannot be removed stays."""
    with contextlib.suppress(OSError):
        # meta.json first: without it there is no record.
        for name in sorted(os.listdir(folder), key=lambda name: name != "meta.json"):
            path = os.path.join(folder, name)
            if not stat.S_ISDIR(os.lstat(path).st_mode):
                remove(path)
        os.rmdir(folder)


def _fresh(folder: str, record: JournalRecord) -> tuple[JournalRecord, str]:
    """Give the record an id that sorts by time (UTC, then 1/65536 s) and make its unpublished folder."""
    ticks = int(time.time() * 65536)
    while True:
        seconds, fraction = divmod(ticks, 65536)
        name = f"{datetime.fromtimestamp(seconds, UTC):%Y%m%d-%H%M%S}-{fraction:04x}"
        part = os.path.join(folder, f".{name}.part")
        with contextlib.suppress(FileExistsError):
            if not os.path.lexists(os.path.join(folder, name)):
                os.mkdir(part, 0o700)
                return record._replace(id=name, time=ticks / 65536), part
        ticks += 1


def _remove_left_over(folder: str) -> None:
    """Remove what killed runs left half written more than an hour ago."""
    for name in os.listdir(folder):
        if name.startswith(".") and name.endswith(".part"):
            with contextlib.suppress(OSError):
                if os.stat(os.path.join(folder, name)).st_mtime < time.time() - 3600:
                    remove_folder(os.path.join(folder, name))
