"""Writing: whole files beside their place, and the moment in which one takes the place of another.

Names of temporary files start with a dot and end in .tmp: no client takes them for a session.
"""

from __future__ import annotations

import contextlib
import errno
import os
import time
from typing import TYPE_CHECKING

from condense_cli.errors import RefusedError
from condense_cli.storage.in_use import writers
from condense_cli.storage.source import CHUNK, Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PATIENCE = 2.0
"""Seconds that a writer which had the old file open gets to finish its line."""

PATIENCE_FORCED = 0.2
"""Seconds likewise, when --force says that the file may stay open."""

_TICK = 0.005

_ADVICE = {
    errno.ENOSPC: "free some space on that disk",
    errno.EDQUOT: "your disk quota is used up",
    errno.EROFS: "the file system is mounted read-only; write a copy elsewhere with -o",
    errno.EACCES: "the folder or the file forbids writing; write a copy elsewhere with -o",
    errno.EPERM: "the folder or the file forbids writing; write a copy elsewhere with -o",
    errno.EIO: "the disk reports an error: copy the file elsewhere first",
}


class UnconfirmedError(RefusedError):
    """The new file has taken its place, but something failed after that."""


def unwritable(path: str, problem: OSError) -> RefusedError:
    """Turn what the system said while writing into an error with advice."""
    advice = _ADVICE.get(problem.errno or 0, "check the path and its permissions")
    return RefusedError(f"{path}: not written: {problem.strerror or problem}", f"nothing was changed; {advice}")


def write_all(descriptor: int, pieces: Iterable[bytes]) -> None:
    """Write the pieces to a descriptor, all of each; small ones together."""
    for piece in _gathered(pieces):
        left = memoryview(piece)
        while left:
            left = left[os.write(descriptor, left) :]


def _gathered(pieces: Iterable[bytes]) -> Iterator[bytes]:
    held: list[bytes] = []
    size = 0
    for piece in pieces:
        held.append(piece)
        size += len(piece)
        if size >= CHUNK:
            yield b"".join(held)
            held.clear()
            size = 0
    yield b"".join(held)


def sync_folder(folder: str) -> None:
    """Make a rename in this folder last through a crash; a file system that cannot is no error."""
    descriptor = os.open(folder or ".", os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as problem:
        if problem.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EROFS):
            raise
    finally:
        os.close(descriptor)


def remove(path: str) -> None:
    """Remove a file, if it is there."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        return


def keep_facts(facts: os.stat_result, old: int, new: int, *, mtime: int) -> None:
    """Give the new file owner, extended attributes, mode and times of the old one, as far as the system lets us.

    facts are those of the old file at opening, old and new are descriptors, mtime is in nanoseconds.
    """
    with contextlib.suppress(OSError):
        os.fchown(new, -1, facts.st_gid)
        os.fchown(new, facts.st_uid, -1)
    if hasattr(os, "listxattr"):
        with contextlib.suppress(OSError):
            for name in os.listxattr(old):
                with contextlib.suppress(OSError):
                    os.setxattr(new, name, os.getxattr(old, name))
    with contextlib.suppress(PermissionError):  # a file system without modes; the new file is private then
        os.fchmod(new, facts.st_mode & 0o7777)
    os.utime(new, ns=(facts.st_atime_ns, mtime))


def take_place(source: Source, new: str, *, sha256: str, force: bool) -> int:
    """Put the file `new` in the place of the source if that still has the bytes that were read.

    Returns the number of bytes that a client appended to the old file in that very moment and that were
    carried over to the new one. Raises RefusedError, with the old file in its place, if it changed in any other
    way or stays open for writing (force: the latter is accepted).
    """
    assert source.real is not None
    if source.changed() or source.sha256() != sha256:
        raise changed(source.path)
    spare = f"{new.removesuffix('.tmp')}.old.tmp"
    carried: list[bytes] = []
    writer = os.open(new, os.O_RDWR | os.O_APPEND)
    try:
        size = os.fstat(writer).st_size
        # The second name keeps the old file at hand, whatever is found out after the rename.
        with contextlib.suppress(OSError):  # not every file system has hard links; then its bytes are copied back
            os.link(source.real, spare)
        try:
            _rename(source, new)
        except BaseException:
            with contextlib.suppress(OSError):
                remove(spare)
            raise
        try:
            try:
                _settle(source, writer, carried, sha256=sha256, force=force)
            except BaseException:
                _put_back(source, spare, _pread(writer, size, os.fstat(writer).st_size).replace(b"".join(carried), b"", 1))
                raise
            if carried:
                os.fsync(writer)
            remove(spare)
            sync_folder(os.path.dirname(source.real))
        except OSError as problem:
            raise UnconfirmedError(
                f"{source.path}: replaced, but the disk does not confirm it: {problem.strerror or problem}",
                "`condense undo --last` takes it back",
            ) from problem
    finally:
        os.close(writer)
    return sum(map(len, carried))


def _rename(source: Source, new: str) -> None:
    assert source.real is not None
    if source.changed():
        raise changed(source.path)
    os.replace(new, source.real)


def changed(path: str) -> RefusedError:
    """Say that a client wrote to the file while it was being repaired."""
    return RefusedError(f"{path}: changed meanwhile, so it was not replaced", "close the client that writes to it and run again")


def _settle(source: Source, writer: int, carried: list[bytes], *, sha256: str, force: bool) -> None:
    """Wait for whoever opened the old file before it lost its name; carry whole lines over, refuse everything else.

    A line that was written in that moment may come to stand behind one that was written just after it.
    """
    until = time.monotonic() + (PATIENCE_FORCED if force else PATIENCE)
    old = source.fileno()
    end = source.size
    while True:
        # In this order: who is not there any more cannot write after we have looked at the size.
        held = next(writers(source.stamp.device, source.stamp.inode), None) is not None
        facts = os.fstat(old)
        late = time.monotonic() > until
        if facts.st_size < end or (facts.st_mtime_ns != source.stamp.mtime and facts.st_size == source.size):
            raise changed(source.path)  # not appended to, but written over
        if facts.st_size > end:
            tail = _pread(old, end, facts.st_size)
            if tail.endswith(b"\n") and _ends_line(old, end) and _ends_line(writer, os.fstat(writer).st_size):
                carried.append(tail)
                write_all(writer, [tail])
                end = facts.st_size
                continue
            if late or not held:
                raise changed(source.path)
        elif not held or (late and force):
            break
        elif late:
            raise RefusedError(f"{source.path}: is open for writing since a moment ago, so it was not replaced", "close the client and run again")
        time.sleep(_TICK)
    if carried and source.sha256() != sha256:
        raise changed(source.path)


def _put_back(source: Source, spare: str, written: bytes) -> None:
    """Give the old file its name again, with what clients wrote to the new one behind it."""
    assert source.real is not None
    if not os.path.lexists(spare):
        old = source.fileno()
        copy = os.open(spare, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            size = os.fstat(old).st_size
            write_all(copy, (_pread(old, at, min(at + CHUNK, size)) for at in range(0, size, CHUNK)))
            os.fsync(copy)
            keep_facts(source.stat, old, copy, mtime=os.fstat(old).st_mtime_ns)
        finally:
            os.close(copy)
    os.replace(spare, source.real)
    if written:
        writer = os.open(source.real, os.O_WRONLY | os.O_APPEND)
        try:
            write_all(writer, [written])
        finally:
            os.close(writer)
    sync_folder(os.path.dirname(source.real))


def _ends_line(descriptor: int, end: int) -> bool:
    return not end or os.pread(descriptor, 1, end - 1) == b"\n"


def _pread(descriptor: int, start: int, end: int) -> bytes:
    pieces: list[bytes] = []
    while start < end and (piece := os.pread(descriptor, end - start, start)):
        pieces.append(piece)
        start += len(piece)
    return b"".join(pieces)
