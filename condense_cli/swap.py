"""Writing: whole files beside their place, and the moment in which one takes the place of another.

Names of temporary files start with a dot and end in .tmp: no client takes them for a session.
"""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from condense_cli.errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable

_ADVICE = {
    errno.ENOSPC: "free some space on that disk",
    errno.EDQUOT: "your disk quota is used up",
    errno.EROFS: "the file system is mounted read-only; write a copy elsewhere with -o",
    errno.EACCES: "the folder or the file forbids writing; write a copy elsewhere with -o",
    errno.EPERM: "the folder or the file forbids writing; write a copy elsewhere with -o",
    errno.EIO: "the disk reports an error: copy the file elsewhere first",
}


def unwritable(path: str, problem: OSError) -> RefusedError:
    """Turn what the system said while writing into an error with advice."""
    advice = _ADVICE.get(problem.errno or 0, "check the path and its permissions")
    return RefusedError(f"{path}: not written: {problem.strerror or problem}", f"nothing was changed; {advice}")


def write_all(descriptor: int, pieces: Iterable[bytes]) -> None:
    """Write the pieces to a descriptor, all of each."""
    for piece in pieces:
        left = memoryview(piece)
        while left:
            left = left[os.write(descriptor, left) :]


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
