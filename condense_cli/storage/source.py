"""Reading: an input is opened once, its bytes as they were then are read as often as wanted.

A client may append to a session while it is read: what comes after the size at opening is not seen, and a
file that lost bytes is an error, never a short answer.
"""

from __future__ import annotations

import errno
import hashlib
import io
import os
import shlex
import stat
import sys
import tempfile
from typing import TYPE_CHECKING, NamedTuple

from condense_cli.errors import UnreadableError
from condense_cli.storage.databases.find import SessionAddress, place_of
from condense_cli.storage.databases.opencode_folders import is_session
from condense_cli.storage.magic import is_database
from condense_cli.storage.unpacking import MOST_MAGIC, STEP, Packing, packing_of, unpacked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import TracebackType
    from typing import Self

    from _typeshed import WriteableBuffer

CHUNK = 1 << 20
STDIN = "<stdin>"
UNPACK_LIMIT = 1 << 30
"""Bytes to which a compressed file may unpack, unless the user allows more."""

_ADVICE = {
    errno.ENOENT: "check the path; `condense doctor` lists the sessions of this machine",
    errno.ENOTDIR: "check the path; `condense doctor` lists the sessions of this machine",
    errno.EACCES: "it belongs to someone else, or its mode forbids reading",
    errno.EPERM: "it belongs to someone else, or its mode forbids reading",
    errno.EIO: "the disk reports an error: copy the file elsewhere first",
}


class Stamp(NamedTuple):
    """What tells one state of a file from another; mtime in nanoseconds."""

    device: int
    inode: int
    size: int
    mtime: int

    @classmethod
    def of(cls, facts: os.stat_result) -> Stamp:
        """Take the stamp out of a stat result."""
        return cls(facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns)


class Source:
    """An opened input: the bytes 0 to size as they were when it was opened.

    path is the name to show, real the resolved path (None for standard input). stat is the file's state at
    opening. packing is how the file is compressed: the bytes were unpacked from it. place is the session in a database
    whose rows they say. Not for use by several threads.
    """

    def __init__(
        self,
        path: str,
        file: io.FileIO,
        *,
        real: str | None = None,
        packing: Packing | None = None,
        unpacked: io.FileIO | None = None,
    ) -> None:
        self.path = path
        self.real = real
        self.stat = os.fstat(file.fileno())
        self.stamp = Stamp.of(self.stat)
        self.packing = packing
        self.place: SessionAddress | None = None
        self._file = file
        self._bytes = unpacked or file
        self.size = os.fstat(self._bytes.fileno()).st_size

    def fileno(self) -> int:
        """Return the descriptor of the file itself, open for reading."""
        return self._file.fileno()

    def read(self, start: int, end: int) -> bytes:
        """Return the bytes from start to end, but none after `size`; raise UnreadableError if they are gone."""
        end = min(end, self.size)
        if start >= end:
            return b""
        try:
            self._bytes.seek(start)
            data = self._bytes.read(end - start)
            if len(data) == end - start:
                return data
            pieces = [data]
            missing = end - start - len(data)
            while missing and (data := self._bytes.read(missing)):
                pieces.append(data)
                missing -= len(data)
        except OSError as problem:
            raise unreadable(self.path, problem) from problem
        if missing:
            raise self._shorter()
        return b"".join(pieces)

    def lines(self, start: int = 0) -> io.BufferedReader:
        """Iterate over the lines from byte `start`, cut after 0x0A only; as fast as a plain file."""
        return io.BufferedReader(_Bounded(self, start), CHUNK)

    def ends_line(self, end: int) -> bool:
        """Say whether a line ends before byte `end`; so it does at the beginning."""
        return not end or self.read(end - 1, end) == b"\n"

    def chunks(self, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        """Yield the bytes from start to end (default: all) in pieces of at most 1 MiB."""
        end = self.size if end is None else min(end, self.size)
        for at in range(start, end, CHUNK):
            yield self.read(at, min(at + CHUNK, end))

    def sha256(self, end: int | None = None) -> str:
        """Return the SHA-256 in hex of the bytes before `end` (default: all), read anew."""
        digest = hashlib.sha256()
        for piece in self.chunks(0, end):
            digest.update(piece)
        return digest.hexdigest()

    def changed(self) -> bool:
        """Say whether the file, or what its path names, is no longer what was opened."""
        if self.real is None:
            return False
        try:
            return Stamp.of(os.fstat(self.fileno())) != self.stamp or Stamp.of(os.stat(self.real)) != self.stamp
        except OSError:
            return True

    def close(self) -> None:
        """Close the descriptors; a spooled copy goes."""
        self._file.close()
        self._bytes.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _into(self, buffer: memoryview, at: int) -> int:
        """Fill the buffer from byte `at`; 0 at the end, UnreadableError before it."""
        wanted = min(len(buffer), self.size - at)
        if wanted <= 0:
            return 0
        try:
            self._bytes.seek(at)
            got = self._bytes.readinto(buffer[:wanted])
        except OSError as problem:
            raise unreadable(self.path, problem) from problem
        if not got:
            raise self._shorter()
        return got

    def _shorter(self) -> UnreadableError:
        return UnreadableError(
            f"{self.path}: changed while it was read: it got shorter",
            "something writes to it; run again when it is quiet",
        )


class _Bounded(io.RawIOBase):
    """The raw bytes of a source for a buffered reader, which then iterates at the speed of C."""

    def __init__(self, source: Source, at: int) -> None:
        super().__init__()
        self._source = source
        self._at = at

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        got = self._source._into(memoryview(buffer).cast("B"), self._at)  # noqa: SLF001 - the other half of Source
        self._at += got
        return got


def open_source(path: str, *, max_size: int = UNPACK_LIMIT) -> Source:
    """Open a session for reading; `-` is standard input, which is spooled to a temporary file.

    Raises UnreadableError for what is missing, forbidden, a folder or no regular file. A compressed file
    is unpacked (Codex compresses rollouts that it archives with zstd), to at most max_size bytes.
    """
    if path in ("-", "/dev/stdin"):
        return _spool_stdin(max_size)
    if (found := _in_database(path)) is not None:
        return found
    if not path:
        raise UnreadableError("the name of the session is empty", "name a file, or `-` for standard input")
    try:
        _must_be_regular(path, os.stat(path))
        # Without O_NONBLOCK a FIFO that took the file's place since would block for ever.
        file = io.FileIO(path, "r", opener=lambda name, flags: os.open(name, flags | getattr(os, "O_NONBLOCK", 0)))
    except ValueError as problem:
        raise UnreadableError(f"{path}: not a file name", "it has a NUL character in it") from problem
    except OSError as problem:
        raise unreadable(path, problem) from problem
    try:
        _must_be_regular(path, os.fstat(file.fileno()))
        return _plain(Source(path, file, real=os.path.realpath(path)), file, max_size)
    except BaseException:
        file.close()
        raise


def _in_database(path: str) -> Source | None:
    """Return the session that is rows of a client's database, None where the path means a file."""
    if "#" not in path and not is_database(path) and not is_session(path):
        return None
    place = place_of(path)
    if place is None:
        return None
    source = Source(place.path, _spooled(place.path, place.pieces()))
    source.stamp = Stamp.of(os.stat(place.file))
    source.place = place
    return source


def _plain(source: Source, file: io.FileIO, max_size: int) -> Source:
    """Return a source with the bytes that a compressed file unpacks to; one that is not compressed is returned."""
    packing = packing_of(source.read(0, MOST_MAGIC))
    if packing is None:
        return source
    return Source(source.path, file, real=source.real, packing=packing, unpacked=_unpacked(source, packing, max_size))


def unreadable(path: str, problem: OSError) -> UnreadableError:
    """Turn what the system said while reading into an error with advice."""
    if "://" in path:
        url = shlex.quote(path)
        return UnreadableError(
            f"{path}: is a URL, and condense reads files", f"pipe it in: `curl -sL {url} | condense check -`"
        )
    return UnreadableError(
        f"{path}: {problem.strerror or problem}", _ADVICE.get(problem.errno or 0, "check the path and its permissions")
    )


def _must_be_regular(path: str, facts: os.stat_result) -> None:
    if stat.S_ISDIR(facts.st_mode):
        raise UnreadableError(f"{path}: is a folder", "name a session file in it")
    if not stat.S_ISREG(facts.st_mode):
        raise UnreadableError(f"{path}: is no regular file", "pipe it in: `condense … -` reads standard input")


def _spool_stdin(max_size: int) -> Source:
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise UnreadableError("standard input is closed", "pipe a session in, or name a file")
    file = _spooled(STDIN, iter(lambda: stream.read(CHUNK), b""))
    return _plain(Source(STDIN, file), file, max_size)


def _unpacked(source: Source, packing: Packing, max_size: int) -> io.FileIO:
    packed = (source.read(start, start + STEP) for start in range(0, source.size, STEP))
    return _spooled(source.path, unpacked(source.path, packed, packing, max_size))


def spooled(path: str, pieces: Iterable[bytes]) -> Source:
    """Return a source with these bytes in a file without a name; path is the name to show. Raises UnreadableError."""
    return Source(path, _spooled(path, iter(pieces)))


def _spooled(path: str, pieces: Iterator[bytes]) -> io.FileIO:
    """Return an unnamed temporary file with these bytes, open for reading."""
    spool = tempfile.TemporaryFile(prefix="condense-", buffering=0)  # noqa: SIM115 - it is what is returned
    try:
        for piece in pieces:
            left = memoryview(piece)
            while left:
                left = left[spool.write(left) :]
    except OSError as problem:
        spool.close()
        full = problem.errno in (errno.ENOSPC, errno.EDQUOT)
        advice = f"free some space in {tempfile.gettempdir()}, or set TMPDIR" if full else "name a session file"
        raise UnreadableError(f"{path}: {problem.strerror or problem}", advice) from problem
    except BaseException:
        spool.close()
        raise
    return spool
