"""Writing bytes so that they last, and what a system's refusal means."""

from __future__ import annotations

import contextlib
import errno
import os
from typing import TYPE_CHECKING

from condense_cli.errors import RefusedError
from condense_cli.storage.source import CHUNK

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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
    """Turn what the system said before anything was changed into an error with advice."""
    advice = _ADVICE.get(problem.errno or 0, "check the path and its permissions")
    return RefusedError(f"{path}: not written: {problem.strerror or problem}", f"nothing was changed; {advice}")


def write_all(descriptor: int, pieces: Iterable[bytes]) -> None:
    """Write the pieces to a descriptor, all of each; small ones together."""
    for piece in _gathered(pieces):
        left = memoryview(piece)
        while left:
            written = os.write(descriptor, left)
            if not written:
                raise OSError(errno.EIO, "the system writes nothing more")
            left = left[written:]


def _gathered(pieces: Iterable[bytes]) -> Iterator[bytes]:
    waiting: list[bytes] = []
    size = 0
    for piece in pieces:
        waiting.append(piece)
        size += len(piece)
        if size >= CHUNK:
            yield b"".join(waiting)
            waiting.clear()
            size = 0
    yield b"".join(waiting)


def sync_folder(folder: str) -> None:
    """Make a rename in this folder last through a crash; a system that cannot is no error."""
    if os.name == "nt":  # Windows opens no folder
        return
    descriptor = os.open(folder or ".", os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as problem:
        if problem.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EROFS):
            raise
    finally:
        with contextlib.suppress(OSError):  # nothing was written through it
            os.close(descriptor)


def keep_facts(facts: os.stat_result, old: int, new: int, path: str, *, mtime: int) -> None:
    """Give the new file owner, extended attributes, mode and times of the old one, as far as the system lets us.

    facts are those of the old file at opening, old and new are descriptors, path opens the new one, mtime is in
    nanoseconds. Raises OSError where the times cannot be set.
    """
    if hasattr(os, "fchown"):
        with contextlib.suppress(OSError):
            os.fchown(new, -1, facts.st_gid)
            os.fchown(new, facts.st_uid, -1)
    if hasattr(os, "listxattr"):
        with contextlib.suppress(OSError):
            for name in os.listxattr(old):
                with contextlib.suppress(OSError):
                    os.setxattr(new, name, os.getxattr(old, name))
    if hasattr(os, "fchmod"):
        with contextlib.suppress(PermissionError):  # a file system without modes; the new file is private then
            os.fchmod(new, facts.st_mode & 0o7777)
    os.utime(new if os.utime in os.supports_fd else path, ns=(facts.st_atime_ns, mtime))


def read_at(descriptor: int, start: int, end: int) -> bytes:
    """Return the bytes from start to end of an open file, fewer where it ends before."""
    pieces: list[bytes] = []
    while start < end and (piece := _read_once(descriptor, end - start, start)):
        pieces.append(piece)
        start += len(piece)
    return b"".join(pieces)


def _read_once(descriptor: int, size: int, start: int) -> bytes:
    if hasattr(os, "pread"):
        return os.pread(descriptor, size, start)
    os.lseek(descriptor, start, os.SEEK_SET)
    return os.read(descriptor, size)


def ends_line(descriptor: int, end: int) -> bool:
    """Say whether a line ends before byte `end` of an open file; so it does at the beginning."""
    return not end or read_at(descriptor, end - 1, end) == b"\n"
