"""The journal: what each in-place repair took away, so that undo gives it back and query still finds it.

An entry is a folder of the user's state folder with three files: meta.json, spans.json (the old file as
spans of the new one) and the bytes that are in no span, `removed` or compressed `removed.z`. It appears
whole or not at all, and before the session is touched.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
import zlib
from bisect import bisect_right
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.errors import RefusedError, UnreadableError, UsageError
from condense_cli.model.plan import Copy, Put, Segment, join
from condense_cli.storage.replace import remove, sync_folder, unwritable, write_all
from condense_cli.storage.source import open_source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Read = Callable[[int, int], bytes]

COMPRESS_FROM = 1 << 14
"""Bytes from which on removed bytes are compressed."""

_LINE_LIMIT = 8 << 20
_VERSION = 1


class Status(StrEnum):
    """How far a repair got. Prepared: it is about to happen or to be undone, and the session's bytes say which."""

    PREPARED = "prepared"
    DONE = "done"
    UNDONE = "undone"


class Repair(NamedTuple):
    """What is worth remembering of the command that changes a session."""

    format: str
    command: str
    rules: tuple[str, ...]


class Entry(NamedTuple):
    """One repair of one file. time in seconds since 1970, mtime of the old file in nanoseconds, sizes in bytes."""

    id: str
    time: float
    path: str
    format: str
    command: str
    rules: tuple[str, ...]
    old_sha256: str
    old_size: int
    new_sha256: str
    new_size: int
    mode: int
    mtime: int
    status: Status


def state_folder() -> str:
    """Return the folder for what outlives a run: $XDG_STATE_HOME/condense, else ~/.local/state/condense."""
    base = os.environ.get("XDG_STATE_HOME", "")
    if not os.path.isabs(base):
        base = os.path.join(os.path.expanduser("~"), ".local", "state")
    return os.path.join(base, "condense")


def reverse(segments: Iterable[Segment], old_size: int, read_old: Read) -> tuple[Segment, ...]:
    """Return the old file as spans of the new one and the bytes that are not in it.

    Those bytes are widened to whole lines of the old file, so that each piece is a run of records.
    """
    kept: list[tuple[int, int, int]] = []  # old start, old end, new start
    at = 0
    for segment in segments:
        if isinstance(segment, Copy):
            kept.append((segment.start, segment.end, at))
            at += segment.end - segment.start
        else:
            at += len(segment.data)
    kept = _apart(kept)
    out: list[Segment] = []
    done = 0
    for start, end in _gaps(kept, old_size, read_old):
        out += _cover(kept, done, start)
        out.append(Put(read_old(start, end)))
        done = end
    return join([*out, *_cover(kept, done, old_size)])


def _apart(kept: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Sort the spans and cut them so that none covers an old byte again."""
    out: list[tuple[int, int, int]] = []
    done = 0
    for start, end, new in sorted(kept):
        first = max(start, done)
        if first < end:
            out.append((first, end, new + first - start))
            done = end
    return out


def _gaps(kept: list[tuple[int, int, int]], old_size: int, read_old: Read) -> list[tuple[int, int]]:
    gaps: list[tuple[int, int]] = []
    done = 0
    for start, end, _ in [*kept, (old_size, old_size, 0)]:
        if start > done:
            first, last = _line_start(read_old, done), _line_end(read_old, start, old_size)
            if gaps and first <= gaps[-1][1]:
                gaps[-1] = (gaps[-1][0], max(last, gaps[-1][1]))
            else:
                gaps.append((first, last))
        done = max(done, end)
    return gaps


def _cover(kept: list[tuple[int, int, int]], start: int, end: int) -> Iterator[Segment]:
    """Yield spans of the new file that make up the old bytes from start to end, all of which were kept."""
    for first, last, new in kept[max(bisect_right(kept, (start, 1 << 62, 0)) - 1, 0) :]:
        if first >= end:
            break
        low, high = max(first, start), min(last, end)
        if low < high:
            yield Copy(new + low - first, new + high - first)


def _line_start(read_old: Read, at: int) -> int:
    floor = max(at - _LINE_LIMIT, 0)
    end = at
    while end > floor:
        start = max(end - (1 << 16), floor)
        found = read_old(start, end).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return at if floor else 0


def _line_end(read_old: Read, at: int, size: int) -> int:
    if at and read_old(at - 1, at) == b"\n":
        return at
    limit = min(at + _LINE_LIMIT, size)
    start = at
    while start < limit:
        stop = min(start + (1 << 16), limit)
        found = read_old(start, stop).find(b"\n")
        if found >= 0:
            return start + found + 1
        start = stop
    return size if limit == size else at


def prepare(entry: Entry, spans: Iterable[Segment]) -> Entry:
    """Write an entry with a fresh id to disk before the session is touched; raise RefusedError if that fails."""
    folder = os.path.join(state_folder(), "journal")
    part = ""
    try:
        _make(folder)
        _sweep(folder)
        entry, part = _fresh(folder, entry)
        removed: list[bytes] = []
        shape: list[list[int]] = []
        for span in spans:
            if isinstance(span, Put):
                removed.append(span.data)
                shape.append([len(span.data)])
            else:
                shape.append([span.start, span.end])
        data = b"".join(removed)
        if len(data) >= COMPRESS_FROM:
            _write(os.path.join(part, "removed.z"), zlib.compress(data))
        else:
            _write(os.path.join(part, "removed"), data)
        _write(os.path.join(part, "spans.json"), json.dumps(shape).encode())
        _write(os.path.join(part, "meta.json"), _meta(entry))
        sync_folder(part)
        os.rename(part, os.path.join(folder, entry.id))
        sync_folder(folder)
    except OSError as problem:
        if part:
            _remove_folder(part)
            _remove_folder(os.path.join(folder, entry.id))
        failure = unwritable(folder, problem)
        raise RefusedError(failure.problem, f"{failure.advice}; --no-backup repairs without a way back") from problem
    return entry


def mark(entry: Entry, status: Status) -> Entry:
    """Write down how far a repair got."""
    entry = entry._replace(status=status)
    folder = os.path.join(state_folder(), "journal", entry.id)
    temporary = os.path.join(folder, f".meta-{os.getpid()}.tmp")
    try:
        _write(temporary, _meta(entry))
        os.replace(temporary, os.path.join(folder, "meta.json"))
    except BaseException:
        with contextlib.suppress(OSError):
            remove(temporary)
        raise
    sync_folder(folder)
    return entry


def discard(entry: Entry) -> None:
    """Remove the entry of a repair that did not happen."""
    folder = os.path.join(state_folder(), "journal")
    part = os.path.join(folder, f".{entry.id}.part")
    with contextlib.suppress(OSError):
        os.rename(os.path.join(folder, entry.id), part)
    _remove_folder(part)
    _remove_folder(os.path.join(folder, entry.id))


def entries() -> list[Entry]:
    """Return all entries, the newest first; a damaged one is left out."""
    folder = os.path.join(state_folder(), "journal")
    try:
        names = sorted((name for name in os.listdir(folder) if not name.startswith(".")), reverse=True)
    except OSError:
        return []
    return [entry for name in names if (entry := _read(os.path.join(folder, name), name))]


def find(reference: str) -> Entry | None:
    """Return the entry with this id, or the only one whose id starts like this; raise UsageError if several do."""
    found = [entry for entry in entries() if reference and entry.id.startswith(reference)]
    if len(found) > 1 and (exact := [entry for entry in found if entry.id == reference]):
        return exact[0]
    if len(found) > 1:
        raise UsageError(f"{reference}: {len(found)} repairs start like this", "name more of the id; `condense undo` lists them")
    return found[0] if found else None


def latest() -> Entry | None:
    """Return the newest entry that can be undone."""
    return next((entry for entry in entries() if happened(entry)), None)


def happened(entry: Entry) -> bool:
    """Say whether the repair took place and was not undone; what a killed run left prepared counts unless disproved."""
    return entry.status is Status.DONE or (entry.status is Status.PREPARED and took_place(entry) is not False)


def took_place(entry: Entry) -> bool | None:
    """Say by the session's bytes whether it is the repaired file or the old one, lines appended or not; None: neither."""
    candidates = [(entry.new_size, entry.new_sha256, True), (entry.old_size, entry.old_sha256, False)]
    try:
        with open_source(entry.path) as source:
            # One may be the beginning of the other: the exact size decides, then the longer one.
            candidates.sort(key=lambda candidate: (candidate[0] == source.size, candidate[0]), reverse=True)
            for size, sha256, answer in candidates:
                if source.size >= size and source.sha256(size) == sha256:
                    return answer
    except UnreadableError:
        return None
    return None


def settle(path: str) -> None:
    """Decide what killed runs left prepared for this resolved path; its lock must be held."""
    for entry in entries():
        if entry.path != path or entry.status is not Status.PREPARED:
            continue
        answer = took_place(entry)
        if answer is False:
            discard(entry)
        elif answer:
            with contextlib.suppress(OSError):
                mark(entry, Status.DONE)


def patch(entry: Entry) -> tuple[Segment, ...]:
    """Return the old file as spans of the new one; raise RefusedError if the entry is damaged."""
    folder = os.path.join(state_folder(), "journal", entry.id)
    try:
        with open(os.path.join(folder, "spans.json"), "rb") as file:
            shape = json.loads(file.read())
        data = _removed(folder)
        out: list[Segment] = []
        at = 0
        for span in shape:
            if len(span) == 1:
                out.append(Put(data[at : at + span[0]]))
                at += span[0]
            else:
                start, end = span
                out.append(Copy(int(start), int(end)))
    except (OSError, ValueError, TypeError, zlib.error) as problem:
        raise RefusedError(f"{entry.id}: this entry of the journal is damaged", f"look into {folder}") from problem
    return tuple(out)


def removed(path: str) -> Iterator[tuple[Entry, bytes]]:
    """Yield what repairs took out of this file and nobody put back: runs of whole records, newest repair first."""
    real = os.path.realpath(path)
    for entry in entries():
        if entry.path != real or not happened(entry):
            continue
        with contextlib.suppress(RefusedError):
            for span in patch(entry):
                if isinstance(span, Put):
                    yield entry, span.data


@contextlib.contextmanager
def lock(path: str, *, instead: int | None = None) -> Iterator[None]:
    """Hold the lock on a resolved path; raise RefusedError if another condense has it.

    instead is a descriptor of the file itself, locked where the state folder cannot be written.
    """
    import fcntl

    folder = os.path.join(state_folder(), "locks")
    name = os.path.join(folder, key(path))
    opened: int | None = None
    try:
        _make(folder)
        opened = held = os.open(name, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as problem:
        if instead is None:
            raise unwritable(folder, problem) from problem
        held = instead
    try:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RefusedError(f"{path}: another condense is at work on it", "wait until it has finished") from None
        yield
    finally:
        if opened is not None:
            os.close(opened)


def key(path: str) -> str:
    """Return the short name of a resolved path in names of locks and temporary files."""
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:24]


def _fresh(folder: str, entry: Entry) -> tuple[Entry, str]:
    """Give the entry an id that sorts by time (UTC, then 1/65536 s) and make its unpublished folder."""
    ticks = int(time.time() * 65536)
    while True:
        seconds, fraction = divmod(ticks, 65536)
        name = f"{datetime.fromtimestamp(seconds, UTC):%Y%m%d-%H%M%S}-{fraction:04x}"
        part = os.path.join(folder, f".{name}.part")
        with contextlib.suppress(FileExistsError):
            if not os.path.lexists(os.path.join(folder, name)):
                os.mkdir(part, 0o700)
                return entry._replace(id=name, time=ticks / 65536), part
        ticks += 1


def _make(folder: str) -> None:
    """Make a folder of the state folder, private from there on down, and let it last."""
    missing: list[str] = []
    while not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    for name in reversed(missing):
        with contextlib.suppress(FileExistsError):
            os.mkdir(name, 0o700)
        sync_folder(os.path.dirname(name))


def _sweep(folder: str) -> None:
    """Remove what interrupted runs left behind more than an hour ago."""
    for name in os.listdir(folder):
        if name.startswith(".") and name.endswith(".part"):
            with contextlib.suppress(OSError):
                if os.stat(os.path.join(folder, name)).st_mtime < time.time() - 3600:
                    _remove_folder(os.path.join(folder, name))


def _remove_folder(folder: str) -> None:
    with contextlib.suppress(OSError):
        for name in sorted(os.listdir(folder)):  # meta.json first: without it there is no entry
            remove(os.path.join(folder, name))
        os.rmdir(folder)


def _write(path: str, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        write_all(descriptor, [data])
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _removed(folder: str) -> bytes:
    try:
        with open(os.path.join(folder, "removed"), "rb") as file:
            return file.read()
    except FileNotFoundError:
        with open(os.path.join(folder, "removed.z"), "rb") as file:
            return zlib.decompress(file.read())


def _meta(entry: Entry) -> bytes:
    return json.dumps({"version": _VERSION, **entry._asdict()}, indent=1).encode() + b"\n"


def _read(folder: str, name: str) -> Entry | None:
    try:
        with open(os.path.join(folder, "meta.json"), "rb") as file:
            facts: dict[str, Any] = json.loads(file.read())
        if facts.pop("version") != _VERSION or facts["id"] != name:
            return None
        return Entry(**{**facts, "rules": tuple(facts["rules"]), "status": Status(facts["status"])})
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None
