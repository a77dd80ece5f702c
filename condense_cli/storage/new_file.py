"""Writing a new file as a whole or not at all, and writing to a stream."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from typing import TYPE_CHECKING, TextIO

from condense_cli.errors import UsageError
from condense_cli.storage.interrupts import deferred
from condense_cli.storage.temporary import NewFile, create, give_name, remove, remove_left_over
from condense_cli.storage.writing import UnconfirmedError, sync_folder, unwritable, write_all

if TYPE_CHECKING:
    from collections.abc import Iterable

    from condense_cli.storage.source import Source


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
    there = _stat(path)
    _refuse_same(path, there, source)
    if there is not None and stat.S_ISDIR(there.st_mode):
        raise UsageError(f"{path}: is a folder", "name a file in it")
    real = os.path.realpath(path)
    if there is None and not os.path.isdir(os.path.dirname(real)):
        folder = os.path.dirname(path) or os.path.dirname(real)
        raise UsageError(f"{path}: the folder {folder} does not exist", "create it first")
    try:
        if there is not None and not stat.S_ISREG(there.st_mode):
            _write_device(path, pieces)
        else:
            _write_file(real, pieces, there, source)
    except OSError as problem:
        raise unwritable(path, problem) from problem


def write_stream(pieces: Iterable[bytes], stream: TextIO) -> None:
    """Write bytes to a standard stream, after what was printed there."""
    stream.flush()
    for piece in pieces:
        stream.buffer.write(piece)
    stream.buffer.flush()


def _stat(path: str) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise UsageError(f"{path}: {reason}", "name another output file") from problem


def _write_file(real: str, pieces: Iterable[bytes], there: os.stat_result | None, source: Source | None) -> None:
    folder = os.path.dirname(real)
    remove_left_over(folder)
    name = f".condense-{os.getpid()}-{os.urandom(4).hex()}.tmp"
    copied = source.stat.st_mode & 0o666 if source is not None and source.real else 0o666
    mode = 0o600 if there is not None else copied  # the umask is applied by the system
    try:
        new = create(folder, name, mode)
        try:
            write_all(new.descriptor, pieces)
            if there is not None and hasattr(os, "fchmod"):
                os.fchmod(new.descriptor, stat.S_IMODE(there.st_mode))
            os.fsync(new.descriptor)
            if not new.named:
                _publish(new, os.path.join(folder, name), real)
        finally:
            with contextlib.suppress(OSError):  # fsync has confirmed what was written
                os.close(new.descriptor)
        if new.named:
            with deferred():
                os.replace(new.path, real)
                _confirm(folder, real)
    except BaseException:
        with contextlib.suppress(OSError):
            remove(os.path.join(folder, name))
        raise


def _publish(new: NewFile, temporary: str, real: str) -> None:
    with deferred():
        give_name(new, temporary)
        os.replace(temporary, real)
        _confirm(os.path.dirname(real), real)


def _confirm(folder: str, real: str) -> None:
    try:
        sync_folder(folder)
    except OSError as problem:
        raise UnconfirmedError(
            f"{real}: written, but the disk does not confirm it: {problem.strerror or problem}",
            "check the disk, and write it again",
        ) from problem


def _write_device(path: str, pieces: Iterable[bytes]) -> None:
    descriptor = os.open(path, os.O_WRONLY)
    try:
        write_all(descriptor, pieces)
    finally:
        os.close(descriptor)


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
