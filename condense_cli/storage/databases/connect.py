"""Opening a client's database for reading: nothing is written to it, and no file is made beside it."""

from __future__ import annotations

import contextlib
import os
import pathlib
import shutil
import tempfile
from collections.abc import Iterator
from typing import TYPE_CHECKING

from condense_cli.errors import UnreadableError

if TYPE_CHECKING:
    import sqlite3

_TRIES = 3
_LARGEST = 1 << 29  # bytes that are copied


@contextlib.contextmanager
def reading(path: str) -> Iterator[sqlite3.Connection]:
    """Open a database as it is now, with what its log (`-wal`) has of it. Raises UnreadableError.

    Texts are given as bytes. Without a log the file itself is opened; else a private copy of both is read, for a reader
    of a log writes into the index beside it. Where they are large, or change all the time, they are read in place.
    """
    import sqlite3  # loaded where there is a database

    with contextlib.ExitStack() as stack:
        try:
            base = stack.enter_context(contextlib.closing(_opened(path, stack)))
            base.text_factory = bytes
            base.execute("BEGIN")  # one state of it for all that is asked
            yield base
        except (sqlite3.Error, OSError) as problem:
            raise UnreadableError(
                f"{path}: the database cannot be read: {problem}", "close its client, or copy it with its -wal file"
            ) from problem


def _opened(path: str, stack: contextlib.ExitStack) -> sqlite3.Connection:
    log = f"{path}-wal"
    if not os.path.exists(log) or not os.path.getsize(log):
        return connect(path, "immutable=1")
    if os.path.getsize(path) + os.path.getsize(log) <= _LARGEST and (copy := _copied(path, stack)) is not None:
        return connect(copy, "mode=rw")
    return connect(path, "mode=ro")


def _copied(path: str, stack: contextlib.ExitStack) -> str | None:
    """Copy a database with its log into a folder of our own; None where a client writes all the time."""
    copy = os.path.join(stack.enter_context(tempfile.TemporaryDirectory(prefix="condense-")), "copy.db")
    for _ in range(_TRIES):
        before = _state(path)
        for end in ("", "-wal"):
            shutil.copyfile(path + end, copy + end)
        if _state(path) == before:
            return copy
    return None


def _state(path: str) -> list[tuple[int, int]]:
    facts = [os.stat(path + end) for end in ("", "-wal")]
    return [(one.st_size, one.st_mtime_ns) for one in facts]


def connect(path: str, how: str, *, timeout: float = 5.0) -> sqlite3.Connection:
    """Open a database as a query of its URI says; timeout: seconds for a lock. Raises sqlite3.Error."""
    import sqlite3  # as above

    name = pathlib.Path(os.path.abspath(path)).as_uri()
    return sqlite3.connect(f"{name}?{how}&mode=ro" if "mode" not in how else f"{name}?{how}", uri=True, timeout=timeout)


def columns(base: sqlite3.Connection, table: str) -> frozenset[str]:
    """Return the names of a table's columns, none where there is no such table."""
    rows = base.execute("SELECT name FROM pragma_table_info(?)", (table,))
    return frozenset(text(name) for (name,) in rows)


def text(value: object) -> str:
    """Return a value of a row as text; what is no text is none."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""
