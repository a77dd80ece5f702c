"""Temporary files: without a name where the system allows, else private, and removed once their process is gone.

Their names start with a dot and end in .tmp: no client takes them for a session.
"""

from __future__ import annotations

import errno
import os
import re
import tempfile
from typing import IO, NamedTuple

from condense_cli.storage.in_use import runs

_NO_UNNAMED = frozenset({errno.ENOTSUP, errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL, errno.ENOSYS})
_NAME = re.compile(r"\.condense-(?:[0-9a-f]{24}-)?([0-9]{1,9})(?:-[0-9a-f]{8})?\.tmp")


class NewFile(NamedTuple):
    """A file that is being made: its descriptor, and a path under which this process can open it."""

    descriptor: int
    path: str
    named: bool


def create(folder: str, name: str, mode: int = 0o600) -> NewFile:
    """Make an empty file in a folder, open for reading and writing; `name` is only used where it needs one.

    The system applies the umask to mode. Raises OSError.
    """
    unnamed = getattr(os, "O_TMPFILE", 0)
    if unnamed and os.path.isdir("/proc/self/fd"):
        try:
            descriptor = os.open(folder or ".", os.O_RDWR | unnamed, mode)
            return NewFile(descriptor, f"/proc/self/fd/{descriptor}", named=False)
        except OSError as problem:
            if problem.errno not in _NO_UNNAMED:
                raise
    path = os.path.join(folder, name)
    return NewFile(
        os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode), path, named=True
    )


def give_name(new: NewFile, path: str) -> None:
    """Give the file this name, which must be free. Raises OSError."""
    if new.named:
        os.rename(new.path, path)
    else:
        # Only with a descriptor does Python follow the link in /proc; the path is absolute, so it is not used.
        os.link(new.path, path, src_dir_fd=new.descriptor)


def remove(path: str) -> None:
    """Remove a file, if it is there; what fails once is tried again."""
    for last in (False, True):
        try:
            os.unlink(path)
        except FileNotFoundError:
            return
        except OSError:
            if last:
                raise
        else:
            return


def remove_left_over(folder: str) -> None:
    """Remove the temporary files in a folder whose process is gone; what cannot be removed stays."""
    try:
        names = os.listdir(folder or ".")
    except OSError:
        return
    for name in names:
        match = _NAME.fullmatch(name)
        if match and int(match[1]) != os.getpid() and not runs(int(match[1])):
            try:
                remove(os.path.join(folder, name))
            except OSError:
                continue


def spool() -> IO[bytes]:
    """Return a file without a name in the system's folder for temporary files; nobody else can read it."""
    return tempfile.TemporaryFile(prefix="condense-", buffering=0)
