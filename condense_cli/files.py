"""What commands do with files: open one, write a new one, replace one in place, undo that."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from typing import TYPE_CHECKING

from condense_cli.errors import UsageError
from condense_cli.source import Source, Stamp, open_source
from condense_cli.swap import remove, sync_folder, unwritable, write_all

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Source", "Stamp", "open_source", "write_new"]


def write_new(path: str, pieces: Iterable[bytes], *, source: Source | None = None) -> None:
    """Write a file as a whole or not at all; `-` is standard output.

    An existing file is replaced and keeps its mode; a new one is readable to nobody who may not read the
    source. Raises UsageError if the output is the source, by whatever name, or cannot be a file;
    RefusedError if the system refuses to write.
    """
    if path == "-":
        _refuse_same("standard output", _stat_stdout(), source)
        _write_stdout(pieces)
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


def _write_stdout(pieces: Iterable[bytes]) -> None:
    sys.stdout.flush()
    for piece in pieces:
        sys.stdout.buffer.write(piece)
    sys.stdout.buffer.flush()


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
