"""Bytes that are put aside: a few in memory, many in a file without a name."""

from __future__ import annotations

import tempfile
import weakref

from condense_cli.storage.writing import unwritable

_IN_MEMORY = 1 << 20  # bytes


class Spool:
    """Keeps pieces of bytes and gives them back; they are gone with it."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(_IN_MEMORY, prefix="condense-")  # noqa: SIM115 - as long as the spool
        self._end = 0
        weakref.finalize(self, self._file.close)

    def add(self, piece: bytes) -> int:
        """Keep a piece and return where it begins. Raises RefusedError where the disk is full."""
        start = self._end
        try:
            self._file.seek(start)
            self._file.write(piece)
        except OSError as problem:
            raise unwritable(tempfile.gettempdir(), problem) from problem
        self._end += len(piece)
        return start

    def read(self, start: int, end: int) -> bytes:
        """Return the bytes from start to end."""
        try:
            self._file.seek(start)
            return self._file.read(end - start)
        except OSError as problem:
            raise unwritable(tempfile.gettempdir(), problem) from problem
