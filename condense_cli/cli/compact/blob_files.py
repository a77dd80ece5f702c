"""What `compact` does with files: blobs first, then the session, whole or not at all."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from collections.abc import Iterable, Iterator

from condense_cli.errors import RefusedError
from condense_cli.model.plan import Copy, Segment, apply
from condense_cli.pi_condense.compact.blobs import Blob, holds
from condense_cli.storage.source import Source, open_source
from condense_cli.storage.temporary import remove
from condense_cli.storage.writing import sync_folder, unwritable, write_all

_TEMPORARY = (".condense-", ".tmp")


def write_blobs(blobs: Iterable[Blob]) -> None:
    """Write the files and make them last; one that is there already must hold the same bytes. Raises RefusedError."""
    folders: dict[str, None] = {}
    for blob in blobs:
        folder = os.path.dirname(blob.path)
        try:
            if folder not in folders:
                folders[folder] = None
                _open_folder(folder)
            _write(blob)
        except OSError as problem:
            raise unwritable(blob.path, problem) from problem
    for folder in folders:
        sync_folder(folder)
        sync_folder(os.path.dirname(folder))


def blobs_first(blobs: Iterable[Blob], pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the pieces of a session; before the first one is asked for, the blobs that it names are on the disk."""
    write_blobs(blobs)
    yield from pieces


def prove(path: str, source: Source, segments: Iterable[Segment], blobs: Iterable[Blob]) -> None:
    """Read a new session back: the old bytes, then what was to be appended, and every blob. Raises RefusedError."""

    wanted = hashlib.sha256()
    for piece in apply(segments, source):
        wanted.update(piece)
    with open_source(path) as new:
        kept = sum(segment.end - segment.start for segment in segments if isinstance(segment, Copy))
        if new.sha256() != wanted.hexdigest() or new.sha256(kept) != source.sha256():
            raise RefusedError(
                f"{source.path}: the new file is not what was to be written", "nothing was changed; check the disk"
            )
    for blob in blobs:
        if not holds(blob.path, blob.sha256):
            raise RefusedError(f"{blob.path}: is not what was written", "nothing was changed; check the disk")


def _open_folder(folder: str) -> None:
    with contextlib.suppress(FileExistsError):
        os.mkdir(folder, 0o700)
    if not stat.S_ISDIR(os.lstat(folder).st_mode):
        raise RefusedError(f"{folder}: is no folder", "nothing was changed; move it away and run again")
    for name in os.listdir(folder):  # left by a run that was killed
        if name.startswith(_TEMPORARY[0]) and name.endswith(_TEMPORARY[1]):
            remove(os.path.join(folder, name))


def _write(blob: Blob) -> None:
    if os.path.lexists(blob.path):
        if holds(blob.path, blob.sha256):
            return
        raise RefusedError(
            f"{blob.path}: holds another output", "nothing was changed; run again, and the output stays in the session"
        )
    # Under a name of its own first: what was killed half-way must not pass for the output.
    temporary = os.path.join(os.path.dirname(blob.path), f"{_TEMPORARY[0]}{os.getpid()}{_TEMPORARY[1]}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        try:
            write_all(descriptor, [blob.read()])
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.rename(temporary, blob.path)
    except BaseException:
        with contextlib.suppress(OSError):
            remove(temporary)
        raise
