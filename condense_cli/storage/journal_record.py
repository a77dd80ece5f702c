"""One record of the journal: the facts of one in-place change, and how they are read back from a file."""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Callable
from enum import StrEnum
from typing import Any, NamedTuple

VERSION = 1
META_LIMIT = 1 << 20
"""Bytes that the facts of one change may take."""

_SHA256 = re.compile(r"[0-9a-f]{64}")
_LATEST = 253_402_214_400  # the last day of the year 9999, in seconds
_LARGEST = 1 << 63


class Status(StrEnum):
    """How far a change got. Prepared: it is about to happen or to be undone, and the session's bytes say which.

    Copied: the changed bytes are in a new file, and the session is as it was; there is nothing to undo.
    """

    PREPARED = "prepared"
    DONE = "done"
    UNDONE = "undone"
    COPIED = "copied"


class Repair(NamedTuple):
    """What is worth remembering of the command that changes a session."""

    format: str
    command: str
    rules: tuple[str, ...]


class JournalRecord(NamedTuple):
    """One change of one file. time in seconds since 1970, mtime of the old file in nanoseconds, sizes in bytes."""

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


def as_json(record: JournalRecord) -> bytes:
    """Return the facts as they are written."""
    return json.dumps({"version": VERSION, **record._asdict()}, indent=1).encode() + b"\n"


def read_record(folder: str, name: str) -> JournalRecord | None:
    """Read the facts in a folder of this name; None if it is no record, or any value is of the wrong kind."""
    try:
        facts = json.loads(read_limited(os.path.join(folder, "meta.json"), META_LIMIT))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(facts, dict) or facts.get("version") != VERSION or facts.get("id") != name:
        return None
    if not all(is_right(facts.get(field)) for field, is_right in _KINDS.items()):
        return None
    values = {field: facts[field] for field in JournalRecord._fields}
    return JournalRecord(**{**values, "rules": tuple(facts["rules"]), "status": Status(facts["status"])})


def read_limited(path: str, limit: int) -> bytes:
    """Return the bytes of a regular file; raise OSError for a FIFO or device, ValueError for more than limit bytes."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(descriptor, "rb") as file:
        facts = os.fstat(descriptor)
        if not stat.S_ISREG(facts.st_mode):
            raise OSError(f"{path}: is no regular file")
        if facts.st_size > limit:
            raise ValueError(f"{path}: is larger than {limit} bytes")
        return file.read(limit + 1)[: limit + 1]


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_path(value: Any) -> bool:
    return isinstance(value, str) and "\0" not in value and os.path.isabs(value)


def _is_sha256(value: Any) -> bool:
    return isinstance(value, str) and _SHA256.fullmatch(value) is not None


def _is_size(value: Any) -> bool:
    return type(value) is int and 0 <= value < _LARGEST


_KINDS: dict[str, Callable[[Any], bool]] = {
    "id": _is_text,
    "time": lambda value: type(value) in (int, float) and 0 <= value < _LATEST,
    "path": _is_path,
    "format": _is_text,
    "command": _is_text,
    "rules": lambda value: isinstance(value, list) and all(map(_is_text, value)),
    "old_sha256": _is_sha256,
    "old_size": _is_size,
    "new_sha256": _is_sha256,
    "new_size": _is_size,
    "mode": lambda value: type(value) is int and 0 <= value <= 0o7777,
    "mtime": lambda value: type(value) is int and -_LARGEST <= value < _LARGEST,
    "status": lambda value: isinstance(value, str) and value in {status.value for status in Status},
}
