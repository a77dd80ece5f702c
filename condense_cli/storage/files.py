"""What commands do with files: open one, write a new one, replace one in place, undo that."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import sys
from typing import TYPE_CHECKING, NamedTuple, TextIO

from condense_cli.errors import RefusedError, UsageError
from condense_cli.model.plan import Segment, apply
from condense_cli.storage import journal
from condense_cli.storage.in_use import live_reason
from condense_cli.storage.journal import Entry, Repair, Status
from condense_cli.storage.replace import (
    UnconfirmedError,
    changed,
    keep_facts,
    remove,
    sync_folder,
    take_place,
    unwritable,
    write_all,
)
from condense_cli.storage.source import Source, Stamp, open_source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["Entry", "Repair", "Replaced", "Source", "Stamp", "Undone", "open_source", "replace_in_place", "undo", "write_new", "write_stream"]


class Replaced(NamedTuple):
    """What became of an in-place repair: its journal entry, and bytes of lines that a client appended meanwhile."""

    entry: Entry | None
    carried: int = 0


class Undone(NamedTuple):
    """What became of an undo: bytes of lines kept that were appended since; already says that nothing had to be done."""

    kept: int = 0
    already: bool = False


def write_new(path: str, pieces: Iterable[bytes], *, source: Source | None = None) -> None:
    """Write a file as a whole or not at all; `-` is standard output.

    An existing file is replaced and keeps its mode; a new one is readable to nobody who may not read the
    source. Raises UsageError if the output is the source, by whatever name, or cannot be a file;
    RefusedError if the system refuses to write.
    """
    if path == "-":
        _refuse_same("standard output", _stat_stdout(), source)
        write_stream(pieces, sys.stdout)
        return
    if not path:
        raise UsageError("the name of the output is empty", "name a file, or `-` for standard output")
    try:
        there: os.stat_result | None = os.stat(path)
    except FileNotFoundError:
        there = None
    except (OSError, ValueError) as problem:
        raise UsageError(f"{path}: {getattr(problem, 'strerror', None) or problem}", "name another output file") from problem
    _refuse_same(path, there, source)
    if there is not None and stat.S_ISDIR(there.st_mode):
        raise UsageError(f"{path}: is a folder", "name a file in it")
    real = os.path.realpath(path)
    if there is None and not os.path.isdir(os.path.dirname(real)):
        raise UsageError(f"{path}: the folder {os.path.dirname(path) or os.path.dirname(real)} does not exist", "create it first")
    try:
        if there is not None and not stat.S_ISREG(there.st_mode):
            _write_device(path, pieces)
        else:
            _write_file(real, pieces, there, source)
    except OSError as problem:
        raise unwritable(path, problem) from problem


def replace_in_place(
    source: Source,
    segments: Iterable[Segment],
    prove: Callable[[str], None],
    *,
    repair: Repair,
    sha256: str | None = None,
    force: bool = False,
    backup: bool = True,
) -> Replaced:
    """Put the file that the segments describe in the place of the source, or leave everything as it is.

    prove is called with the path of the finished new file and raises if that is not what it should be.
    sha256 is the hash of the bytes that the segments were made for (default: as they are now). Without
    backup there is no journal entry. Raises RefusedError if the session is live (force: that is overridden),
    changed since it was opened, fails its proof or cannot be written; UsageError if it is no file that could be replaced.
    """
    real = _replaceable(source)
    segments = tuple(segments)
    with journal.lock(real, instead=None if backup else source.fileno()):
        journal.settle(real)
        _guard(source, force=force)
        old_sha256 = source.sha256()
        if source.changed() or (sha256 or old_sha256) != old_sha256:
            raise changed(source.path)
        with _beside(source, apply(segments, source)) as (new, digest, size):
            if digest == old_sha256:
                return Replaced(None)
            prove(new)
            if not backup:
                return Replaced(None, _take_place(source, new, sha256=old_sha256, force=force))
            entry = Entry(
                id="",
                time=0.0,
                path=real,
                format=repair.format,
                command=repair.command,
                rules=repair.rules,
                old_sha256=old_sha256,
                old_size=source.size,
                new_sha256=digest,
                new_size=size,
                mode=source.stat.st_mode & 0o7777,
                mtime=source.stamp.mtime,
                status=Status.PREPARED,
            )
            entry = journal.prepare(entry, journal.reverse(segments, source.size, source.read))
            try:
                carried = _take_place(source, new, sha256=old_sha256, force=force)
            except UnconfirmedError:
                raise
            except BaseException:
                journal.discard(entry)
                raise
        return Replaced(_mark(entry, Status.DONE), carried)


def undo(entry: Entry, *, force: bool = False) -> Undone:
    """Put back the bytes that a file had before a repair; whole lines that were appended since are kept behind them.

    Raises RefusedError if it was undone before, if the session is live (force: that is overridden) or is
    no longer what the repair made of it; UnreadableError if it is gone.
    """
    with journal.lock(entry.path), open_source(entry.path) as source:
        if entry.status is Status.UNDONE:
            raise RefusedError(f"{entry.id}: was undone already", "repair the session again to have the repair back")
        now = source.sha256()
        if now == entry.old_sha256 or (entry.status is Status.PREPARED and journal.took_place(entry) is False):
            _forget(entry)
            return Undone(already=True)
        tail = source.size - entry.new_size
        if tail < 0 or source.sha256(entry.new_size) != entry.new_sha256:
            raise RefusedError(f"{entry.path}: is no longer what the repair made of it, so it was not changed", _advice(entry, now))
        if tail and not (source.ends_line(entry.new_size) and source.ends_line(source.size)):
            raise RefusedError(f"{entry.path}: half a line was appended since the repair", "run `condense repair` first, or wait for the writer")
        _guard(source, force=force)
        old = hashlib.sha256()
        pieces = _restored(entry, source, old)
        with _beside(source, pieces, mtime=None if tail else entry.mtime) as (new, _, _):
            if old.hexdigest() != entry.old_sha256:
                raise RefusedError(f"{entry.id}: this entry of the journal is damaged: it does not give the old bytes", "nothing was changed")
            _mark(entry, Status.PREPARED)  # from here on, after a crash, the session's bytes say what it is
            try:
                carried = _take_place(source, new, sha256=now, force=force)
            except UnconfirmedError:
                raise
            except BaseException:
                _mark(entry, Status.DONE)
                raise
        _mark(entry, Status.UNDONE)
        return Undone(kept=tail + carried)


def _restored(entry: Entry, source: Source, old: hashlib._Hash) -> Iterator[bytes]:
    last = b"\n"
    for piece in apply(journal.patch(entry), source):
        old.update(piece)
        last = piece[-1:] or last
        yield piece
    if source.size > entry.new_size:
        if last != b"\n":
            yield b"\n"  # else the first kept line would become part of a torn one
        yield from source.chunks(entry.new_size)


def _advice(entry: Entry, now: str) -> str:
    for later in journal.entries():
        if later.path == entry.path and later.new_sha256 == now and later.id != entry.id and journal.happened(later):
            return f"a later repair stands on it: `condense undo {later.id}` first"
    return "it was changed by something else since; `condense query` still finds what the repair removed"


def _forget(entry: Entry) -> None:
    if entry.status is Status.PREPARED:
        journal.discard(entry)
    else:
        _mark(entry, Status.UNDONE)


def _mark(entry: Entry, status: Status) -> Entry:
    """Write down how far the change got; a full disk must not stop it, since the session's bytes say the same."""
    with contextlib.suppress(OSError):
        return journal.mark(entry, status)
    return entry


def _replaceable(source: Source) -> str:
    if source.real is None:
        raise UsageError("standard input cannot be replaced", "write to a file with -o FILE")
    if source.compressed:
        raise UsageError(f"{source.path}: is compressed and cannot be replaced", "write to a new file with -o FILE")
    return source.real


def _guard(source: Source, *, force: bool) -> None:
    assert source.real is not None
    if force:
        return
    if reason := live_reason(source.real):
        raise RefusedError(f"{source.path}: a client seems to be at work on it: {reason}", "close the client, write a copy with -o, or use --force")
    if not os.access(source.real, os.W_OK):
        raise RefusedError(f"{source.path}: is write-protected", "write a copy with -o, or use --force")


@contextlib.contextmanager
def _beside(source: Source, pieces: Iterable[bytes], *, mtime: int | None = None) -> Iterator[tuple[str, str, int]]:
    """Write a new file beside the source, with its mode, owner and times; give its path, SHA-256 and size.

    It is gone afterwards unless it was renamed. The lock on the source must be held: what a killed run left
    behind is removed here.
    """
    assert source.real is not None
    folder = os.path.dirname(source.real)
    mine = f".condense-{journal.key(source.real)}-"
    new = os.path.join(folder, f"{mine}{os.getpid()}.tmp")
    digest = hashlib.sha256()

    def hashed() -> Iterator[bytes]:
        for piece in pieces:
            digest.update(piece)
            yield piece

    try:
        try:
            _sweep(source.real, mine)
            descriptor = os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
            try:
                write_all(descriptor, hashed())
                keep_facts(source.stat, source.fileno(), descriptor, mtime=source.stamp.mtime if mtime is None else mtime)
                os.fsync(descriptor)
                size = os.fstat(descriptor).st_size
            finally:
                os.close(descriptor)
        except OSError as problem:
            raise unwritable(source.path, problem) from problem
        yield new, digest.hexdigest(), size
    finally:
        with contextlib.suppress(OSError):
            remove(new)


def _sweep(real: str, mine: str) -> None:
    """Remove temporary files of killed runs, but not an old file that a client had appended to before it lost its name."""
    folder = os.path.dirname(real)
    sizes: set[int] | None = None
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if not name.startswith(mine):
            continue
        if name.endswith(".old.tmp"):
            if sizes is None:
                sizes = {size for entry in journal.entries() if entry.path == real for size in (entry.old_size, entry.new_size)}
            if sizes and os.stat(path).st_size not in sizes:
                continue
        remove(path)


def _take_place(source: Source, new: str, *, sha256: str, force: bool) -> int:
    try:
        return take_place(source, new, sha256=sha256, force=force)
    except OSError as problem:
        raise unwritable(source.path, problem) from problem


def _write_file(real: str, pieces: Iterable[bytes], there: os.stat_result | None, source: Source | None) -> None:
    folder = os.path.dirname(real)
    temporary = os.path.join(folder, f".condense-{os.getpid()}-{os.urandom(4).hex()}.tmp")
    private = there is not None
    mode = 0o600 if private else (source.stat.st_mode & 0o666 if source is not None and source.real else 0o666)
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)  # the umask is applied by the system
    try:
        try:
            write_all(descriptor, pieces)
            if there is not None:
                os.chmod(temporary, stat.S_IMODE(there.st_mode))
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.replace(temporary, real)
    except BaseException:
        with contextlib.suppress(OSError):
            remove(temporary)
        raise
    sync_folder(folder)


def _write_device(path: str, pieces: Iterable[bytes]) -> None:
    descriptor = os.open(path, os.O_WRONLY)
    try:
        write_all(descriptor, pieces)
    finally:
        os.close(descriptor)


def write_stream(pieces: Iterable[bytes], stream: TextIO) -> None:
    """Write bytes to a standard stream, behind what was printed there."""
    stream.flush()
    for piece in pieces:
        stream.buffer.write(piece)
    stream.buffer.flush()


def _stat_stdout() -> os.stat_result | None:
    try:
        return os.fstat(sys.stdout.fileno())
    except (OSError, ValueError, AttributeError):
        return None  # a test's or a caller's own stream


def _refuse_same(name: str, there: os.stat_result | None, source: Source | None) -> None:
    if there is None or source is None or not stat.S_ISREG(there.st_mode):
        return
    if (there.st_dev, there.st_ino) == (source.stamp.device, source.stamp.inode):
        raise UsageError(f"{name}: is the input itself", "name another file, or repair it with --in-place")
