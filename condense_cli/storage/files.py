"""Replacing a session in place, and undoing that."""

from __future__ import annotations

import contextlib
import hashlib
import os
from typing import TYPE_CHECKING, NamedTuple

from condense_cli.errors import RefusedError, UsageError
from condense_cli.model.plan import Segment, apply
from condense_cli.storage import journal
from condense_cli.storage.databases.replace import undo_in_database
from condense_cli.storage.databases.write import guard as guard_rows
from condense_cli.storage.in_use import Holder, live_reason, writers
from condense_cli.storage.interrupts import Pending, deferred
from condense_cli.storage.journal_record import JournalRecord, Repair, Status
from condense_cli.storage.replace import Taken, changed, take_place
from condense_cli.storage.reverse import reverse
from condense_cli.storage.source import Source, open_source
from condense_cli.storage.state import key, lock
from condense_cli.storage.temporary import NewFile, create, remove, remove_left_over
from condense_cli.storage.writing import UnconfirmedError, keep_facts, unwritable, write_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


class Replaced(NamedTuple):
    """What became of an in-place change: its journal record, and what was seen in the moment of the exchange.

    carried: bytes of lines that a client appended meanwhile. writer: who still has the old file open, whose name is old.
    """  # noqa: E501 - a sentence is one text

    entry: JournalRecord | None
    carried: int = 0
    writer: Holder | None = None
    old: str = ""


class Undone(NamedTuple):
    """What became of an undo: bytes of lines kept that were appended since; already: nothing had to be done."""

    kept: int = 0
    already: bool = False


class _New(NamedTuple):
    """A finished file beside the session, and a free name beside it for the old one."""

    file: NewFile
    sha256: str
    size: int
    spare: str


def replace_in_place(
    source: Source,
    segments: Iterable[Segment],
    prove: Callable[[str], None],
    *,
    repair: Repair,
    sha256: str | None = None,
    force: bool = False,
    backup: bool = True,
    report: Callable[[Replaced], None] | None = None,
) -> Replaced:
    """Put the file that the segments describe in the place of the source, or leave everything as it is.

    prove is called with the path of the finished new file and raises if that is not what it should be.
    sha256 is the hash of the bytes that the segments were made for (default: as they are now). Without
    backup there is no journal record. report is told of a change before a signal that arrived meanwhile is delivered.
    Raises RefusedError if the session is in use (force: that is overridden), changed since it was opened, fails its
    proof or cannot be written; UsageError if it is no file that could be replaced.
    """
    real = _replaceable(source)
    segments = tuple(segments)
    with lock(real, anywhere=not backup):
        _remove_left_over(real)
        journal.decide_prepared(real)
        guard(source, force=force)
        old_sha256 = source.sha256()
        if source.changed() or (sha256 or old_sha256) != old_sha256:
            raise changed(source.path)
        with _beside(source, apply(segments, source)) as new:
            if new.sha256 == old_sha256:
                return Replaced(None)
            prove(new.file.path)
            with deferred() as pending:
                record = _record(source, repair, old_sha256, new) if backup else None
                back = reverse(segments, source.size, source.read) if backup else ()
                outcome = _replace(source, new, record, back, sha256=old_sha256, force=force, pending=pending)
                if report is not None:
                    report(outcome)
                return outcome


def _replace(
    source: Source,
    new: _New,
    record: JournalRecord | None,
    back: Iterable[Segment],
    *,
    sha256: str,
    force: bool,
    pending: Pending,
) -> Replaced:
    """Write the journal record, exchange the files, and confirm the record. Signals are deferred."""
    if record is None:
        taken = _take_place(source, new, sha256=sha256, force=force, pending=pending)
        return Replaced(None, *taken)
    pending.stop()
    record = journal.prepare(record, back)
    try:
        taken = _take_place(source, new, sha256=sha256, force=force, pending=pending)
    except UnconfirmedError:
        raise  # the session is the new one: what leads back stays
    except BaseException:
        journal.discard(record)
        raise
    return Replaced(_mark(record, Status.DONE), *taken)


def _record(source: Source, repair: Repair, old_sha256: str, new: _New) -> JournalRecord:
    assert source.real is not None
    return JournalRecord(
        id="",
        time=0.0,
        path=source.real,
        format=repair.format,
        command=repair.command,
        rules=repair.rules,
        old_sha256=old_sha256,
        old_size=source.size,
        new_sha256=new.sha256,
        new_size=new.size,
        mode=source.stat.st_mode & 0o7777,
        mtime=source.stamp.mtime,
        status=Status.PREPARED,
    )


def finish_interrupted() -> None:
    """Decide what killed runs left prepared, by the bytes of the sessions, and remove their temporary files."""
    paths = {record.path for record in journal.records() if record.status is Status.PREPARED}
    for path in sorted(paths):
        with contextlib.suppress(RefusedError), lock(path):  # refused: a repair of it is running
            _remove_left_over(path)
            journal.decide_prepared(path)


def undo(record: JournalRecord, *, force: bool = False) -> Undone:
    """Put back the bytes that a file had before a repair; whole lines that were appended since are kept after them.

    Raises RefusedError if it was undone before, if the session is in use (force: that is overridden) or is
    no longer what the repair made of it; UnreadableError if it is gone.
    """
    with lock(record.path), open_source(record.path) as source:
        _remove_left_over(record.path)
        if record.status is Status.UNDONE:
            raise RefusedError(f"{record.id}: was undone already", "repair the session again to have the repair back")
        now = source.sha256()
        prepared = record.status is Status.PREPARED
        if now == record.old_sha256 or (prepared and journal.took_place(record) is False):
            _forget(record)
            return Undone(already=True)
        if source.place is not None:
            undo_in_database(record, source, source.place, force=force)
            return Undone()
        tail = _appended(record, source, now)
        guard(source, force=force)
        old = hashlib.sha256()
        pieces = _restored(record, source, old)
        with _beside(source, pieces, mtime=None if tail else record.mtime) as new:
            if old.hexdigest() != record.old_sha256:
                raise RefusedError(
                    f"{record.id}: this record of the journal is damaged: it does not give the old bytes",
                    "nothing was changed",
                )
            with deferred() as pending:
                return Undone(kept=tail + _undo(record, source, new, now, force=force, pending=pending))


def _undo(record: JournalRecord, source: Source, new: _New, now: str, *, force: bool, pending: Pending) -> int:
    """Exchange the files; return the bytes that were carried over. Signals are deferred."""
    pending.stop()
    _mark(record, Status.PREPARED)  # from here on, after a crash, the session's bytes say what it is
    try:
        carried = _take_place(source, new, sha256=now, force=force, pending=pending).carried
    except UnconfirmedError:
        raise
    except BaseException:
        _mark(record, Status.DONE)
        raise
    _mark(record, Status.UNDONE)
    return carried


def _appended(record: JournalRecord, source: Source, now: str) -> int:
    """Return how many bytes were appended since the repair; raise RefusedError for any other change."""
    tail = source.size - record.new_size
    if tail < 0 or source.sha256(record.new_size) != record.new_sha256:
        raise RefusedError(
            f"{record.path}: is no longer what the repair made of it, so it was not changed", _advice(record, now)
        )
    if tail and not (source.ends_line(record.new_size) and source.ends_line(source.size)):
        raise RefusedError(
            f"{record.path}: half a line was appended since the repair",
            "run `condense repair` first, or wait for the writer",
        )
    return tail


def _restored(record: JournalRecord, source: Source, old: hashlib._Hash) -> Iterator[bytes]:
    last = b"\n"
    for piece in apply(journal.patch(record), source):
        old.update(piece)
        last = piece[-1:] or last
        yield piece
    if source.size > record.new_size:
        if last != b"\n":
            yield b"\n"  # else the first kept line would become part of a torn one
        yield from source.chunks(record.new_size)


def _advice(record: JournalRecord, now: str) -> str:
    for later in journal.records():
        same = later.path == record.path and later.new_sha256 == now
        if same and later.id != record.id and journal.happened(later):
            return f"a later repair came after it: `condense undo {later.id}` first"
    return "it was changed by something else since; `condense query` still finds what the repair removed"


def _forget(record: JournalRecord) -> None:
    if record.status is Status.PREPARED:
        journal.discard(record)
    else:
        _mark(record, Status.UNDONE)


def _mark(record: JournalRecord, status: Status) -> JournalRecord:
    """Write down how far the change got; a full disk must not stop it, since the session's bytes say the same."""
    with contextlib.suppress(OSError):
        return journal.mark(record, status)
    return record


# ---------------------------------------------------------------------- what may be replaced
def guard(source: Source, *, force: bool) -> str | None:
    """Raise RefusedError if a client seems to be at work on the session or it may not be written.

    With force nothing is refused; what would have been is returned.
    """
    if source.place is not None:
        return guard_rows(source.place, force=force)
    real = _replaceable(source)
    reason = live_reason(real)
    if force:
        return reason
    if reason:
        raise RefusedError(
            f"{source.path}: a client seems to be at work on it: {reason}",
            "close the client, write a copy with -o, or use --force",
        )
    if not os.access(real, os.W_OK):
        raise RefusedError(f"{source.path}: is write-protected", "write a copy with -o, or use --force")
    return None


def other_names(source: Source) -> int:
    """Return how many other names (hard links) the session has: they keep the old bytes when it is replaced."""
    return max(source.stat.st_nlink - 1, 0)


def _replaceable(source: Source) -> str:
    if source.real is None:
        raise UsageError("standard input cannot be replaced", "write to a file with -o FILE")
    if source.packing is not None:
        raise UsageError(f"{source.path}: is compressed and cannot be replaced", "write to a new file with -o FILE")
    return source.real


# ---------------------------------------------------------------------- files beside the session
@contextlib.contextmanager
def _beside(source: Source, pieces: Iterable[bytes], *, mtime: int | None = None) -> Iterator[_New]:
    """Write a new file beside the source, with its mode, owner and times; it is gone afterwards unless it was used."""
    assert source.real is not None
    folder = os.path.dirname(source.real)
    name = f"{_prefix(source.real)}{os.getpid()}"
    digest = hashlib.sha256()

    def hashed() -> Iterator[bytes]:
        for piece in pieces:
            digest.update(piece)
            yield piece

    new: NewFile | None = None
    try:
        try:
            new = create(folder, f"{name}.tmp")
            write_all(new.descriptor, hashed())
            time = source.stamp.mtime if mtime is None else mtime
            keep_facts(source.stat, source.fileno(), new.descriptor, new.path, mtime=time)
            os.fsync(new.descriptor)
            size = os.fstat(new.descriptor).st_size
        except OSError as problem:
            raise unwritable(source.path, problem) from problem
        yield _New(new, digest.hexdigest(), size, os.path.join(folder, f"{name}.old.tmp"))
    finally:
        if new is not None:
            with contextlib.suppress(OSError):
                os.close(new.descriptor)
        with contextlib.suppress(OSError):
            remove(os.path.join(folder, f"{name}.tmp"))


def _prefix(real: str) -> str:
    return f".condense-{key(real)}-"


def _remove_left_over(real: str) -> None:
    """Remove temporary files of killed runs, but not an old file to which a client appended. The lock must be held."""
    folder = os.path.dirname(real)
    remove_left_over(folder)
    mine = _prefix(real)
    known: set[int] | None = None
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            path = os.path.join(folder, name)
            if not name.startswith(mine) or not name.endswith(".tmp"):
                continue
            if name.endswith(".old.tmp"):
                known = _known_sizes(real) if known is None else known
                if _is_needed(path, known):
                    continue
            remove(path)


def _is_needed(path: str, known: set[int]) -> bool:
    """Say whether an old file has lines that are nowhere else, or may still get some."""
    facts = os.stat(path)
    return bool(known and facts.st_size not in known) or any(writers(facts.st_dev, facts.st_ino))


def _known_sizes(real: str) -> set[int]:
    records = (record for record in journal.records() if record.path == real)
    return {size for record in records for size in (record.old_size, record.new_size)}


def _take_place(source: Source, new: _New, *, sha256: str, force: bool, pending: Pending) -> Taken:
    try:
        return take_place(source, new.file, new.spare, sha256=sha256, force=force, pending=pending)
    except OSError as problem:
        raise unwritable(source.path, problem) from problem
