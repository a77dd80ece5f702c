"""The moment in which a finished file takes the place of another, and what a client wrote in that moment."""

from __future__ import annotations

import contextlib
import os
import time
from typing import TYPE_CHECKING, NamedTuple

from condense_cli.errors import RefusedError
from condense_cli.storage.exchange import exchange
from condense_cli.storage.in_use import Holder, writers
from condense_cli.storage.source import CHUNK, Source
from condense_cli.storage.temporary import NewFile, give_name, remove
from condense_cli.storage.writing import (
    UnconfirmedError,
    ends_line,
    keep_facts,
    read_at,
    sync_folder,
    unwritable,
    write_all,
)

if TYPE_CHECKING:
    from condense_cli.storage.interrupts import Pending

PATIENCE = 2.0
"""Seconds that a writer which had the old file open gets to finish its line."""

PATIENCE_FORCED = 0.2
"""Seconds likewise, when --force says that the file may stay open."""

_TICK = 0.005


class Taken(NamedTuple):
    """What happened besides the exchange: bytes of lines carried over; who still writes to the old file, and its
    name.
    """

    carried: int = 0
    writer: Holder | None = None
    old: str = ""


class _Exchange(NamedTuple):
    """One exchange: the source, the new file (twice: `tail` appends to it), the name of the old one, and its terms."""

    source: Source
    new: NewFile
    tail: int
    size: int
    spare: str
    sha256: str
    force: bool

    @property
    def real(self) -> str:
        """Return the resolved path of the session."""
        assert self.source.real is not None
        return self.source.real


def take_place(source: Source, new: NewFile, spare: str, *, sha256: str, force: bool, pending: Pending) -> Taken:
    """Put the new file in the place of the source if that still has the bytes that were read.

    spare is a free name beside it, which the old file has for that moment. What a client appended to the old file is
    carried over. Signals must be deferred. Raises RefusedError (KeyboardInterrupt after a signal), with the old file in
    its place, if it changed in any other way or stays open for writing (force: the latter is accepted, and the old file
    then keeps the name `spare`); UnconfirmedError when the new file is in its place and something failed after that.
    """
    if source.changed() or source.sha256() != sha256:
        raise changed(source.path)
    pending.stop()
    tail = os.open(new.path, os.O_RDWR | os.O_APPEND)
    try:
        size = os.fstat(tail).st_size
        work = _Exchange(source, new, tail, size, spare, sha256, force)
        _exchange(work)
        return _finish(work, pending)
    finally:
        with contextlib.suppress(OSError):  # what was written through it was confirmed by fsync
            os.close(tail)


def changed(path: str) -> RefusedError:
    """Say that a client wrote to the file while it was being repaired."""
    return RefusedError(
        f"{path}: changed meanwhile, so it was not replaced", "close the client that writes to it and run again"
    )


# ---------------------------------------------------------------------- the exchange
def _exchange(work: _Exchange) -> None:
    """Exchange the names; afterwards the old file is called `spare`, or has no name where there are no hard links."""
    _must_be_same(work.source)
    give_name(work.new, work.spare)
    try:
        _must_be_same(work.source)
        exchanged = exchange(work.spare, work.real)
    except BaseException:
        _drop(work.spare)
        raise
    if not exchanged:
        _replace(work)
    elif not _is_source(work):
        _exchange_back(work)


def _must_be_same(source: Source) -> None:
    if source.changed():
        raise changed(source.path)


def _is_source(work: _Exchange) -> bool:
    """Say whether what was exchanged for the new file is the file that was read, and no other."""
    try:
        facts = os.stat(work.spare)
    except OSError:
        return False
    return (facts.st_dev, facts.st_ino) == (work.source.stamp.device, work.source.stamp.inode)


def _exchange_back(work: _Exchange) -> None:
    """Give another program's file its place back, which it took in the last moment. Raises RefusedError."""
    try:
        done = exchange(work.spare, work.real)
    except OSError as problem:
        raise _unconfirmed(work, problem) from problem
    if done:
        written = read_at(work.tail, work.size, os.fstat(work.tail).st_size)
        if written:
            _append(work.real, written)
        _drop(work.spare)
    raise changed(work.source.path)


def _replace(work: _Exchange) -> None:
    """Do without an exchange: the old file gets a second name first, so that it can come back."""
    ready = f"{work.spare.removesuffix('.tmp')}.new.tmp"
    try:
        os.replace(work.spare, ready)
        with contextlib.suppress(OSError):  # not every file system has hard links; then its bytes are copied back
            os.link(work.real, work.spare)
        _must_be_same(work.source)
        os.replace(ready, work.real)
    except BaseException:
        _drop(ready)
        _drop(work.spare)
        raise


def _drop(path: str) -> None:
    with contextlib.suppress(OSError):
        remove(path)


# ---------------------------------------------------------------------- after the exchange
def _finish(work: _Exchange, pending: Pending) -> Taken:
    carried: list[bytes] = []
    try:
        writer = _wait(work, carried, pending)
    except BaseException as reason:
        try:
            own = read_at(work.tail, work.size, os.fstat(work.tail).st_size)
            _put_back(work, own.replace(b"".join(carried), b"", 1))
        except OSError as problem:
            raise _unconfirmed(work, problem) from reason
        if isinstance(reason, OSError):
            raise unwritable(work.source.path, reason) from reason
        raise
    try:
        if carried:
            os.fsync(work.tail)
        if writer is None:
            remove(work.spare)
        sync_folder(os.path.dirname(work.real))
    except OSError as problem:
        raise _unconfirmed(work, problem) from problem
    return Taken(
        sum(map(len, carried)), writer, work.spare if writer is not None and os.path.lexists(work.spare) else ""
    )


def _unconfirmed(work: _Exchange, problem: OSError) -> UnconfirmedError:
    return UnconfirmedError(
        f"{work.source.path}: replaced, but the disk does not confirm it: {problem.strerror or problem}",
        "`condense undo` lists what can be taken back",
    )


def _wait(work: _Exchange, carried: list[bytes], pending: Pending) -> Holder | None:
    """Wait for whoever opened the old file before it lost its name; carry whole lines over, refuse everything else.

    A line that was written in that moment may come after one that was written just after it. Returns who still
    has the file open, which only force accepts.
    """
    source = work.source
    until = time.monotonic() + (PATIENCE_FORCED if work.force else PATIENCE)
    old = source.fileno()
    end = source.size
    writer: Holder | None
    while True:
        pending.stop()
        # In this order: who is not there any more cannot write after we have looked at the size.
        writer = next(writers(source.stamp.device, source.stamp.inode), None)
        facts = os.fstat(old)
        late = time.monotonic() > until
        if facts.st_size < end or (facts.st_mtime_ns != source.stamp.mtime and facts.st_size == source.size):
            raise changed(source.path)  # not appended to, but written over
        if facts.st_size > end:
            added = read_at(old, end, facts.st_size)
            if added.endswith(b"\n") and ends_line(old, end) and ends_line(work.tail, os.fstat(work.tail).st_size):
                carried.append(added)
                write_all(work.tail, [added])
                end = facts.st_size
                continue
            if late or writer is None:
                raise changed(source.path)
        elif writer is None or (late and work.force):
            break
        elif late:
            raise RefusedError(
                f"{source.path}: is open for writing by {writer} since a moment ago, so it was not replaced",
                "close the client and run again",
            )
        time.sleep(_TICK)
    if carried and source.sha256() != work.sha256:
        raise changed(source.path)
    return writer


def _put_back(work: _Exchange, written: bytes) -> None:
    """Give the old file its name again, with what clients wrote to the new one after it. Raises OSError."""
    if not os.path.lexists(work.spare):
        _copy_old(work)
    if written:
        _append(work.spare, written)
    os.replace(work.spare, work.real)
    with contextlib.suppress(OSError):  # the old file is in its place; that it lasts is not promised here
        sync_folder(os.path.dirname(work.real))


def _copy_old(work: _Exchange) -> None:
    old = work.source.fileno()
    copy = os.open(work.spare, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        size = os.fstat(old).st_size
        write_all(copy, (read_at(old, at, min(at + CHUNK, size)) for at in range(0, size, CHUNK)))
        os.fsync(copy)
        keep_facts(work.source.stat, old, copy, work.spare, mtime=os.fstat(old).st_mtime_ns)
    finally:
        os.close(copy)


def _append(path: str, data: bytes) -> None:
    writer = os.open(path, os.O_WRONLY | os.O_APPEND)
    try:
        write_all(writer, [data])
    finally:
        os.close(writer)
