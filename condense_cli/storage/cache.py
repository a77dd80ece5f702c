"""What is known of sessions that did not change: one SQLite database in the user's cache folder.

It only saves work. One that is missing is made, a damaged one is made anew, and where none can be written all is looked
at.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from condense_cli.storage.state import make_private

_LAYOUT = 1
_TABLE = (
    "CREATE TABLE IF NOT EXISTS looks (path BLOB PRIMARY KEY, stamp TEXT NOT NULL, data TEXT NOT NULL) WITHOUT ROWID"
)
_SECONDS = 2.0  # to wait for another condense

Stamp = tuple[int, int, int, int, int]


class CacheRow(NamedTuple):
    """What is kept of one session: what the file was, and what was found in it, as text."""

    stamp: Stamp
    data: str


def cache_file() -> str:
    """Return the path of the database; on Linux below $XDG_CACHE_HOME, else ~/.cache."""
    from platformdirs import user_cache_dir

    return os.path.join(user_cache_dir("condense", appauthor=False), "sessions.sqlite")


def stamp_of(path: str) -> Stamp | None:
    """Return device, inode, size and times of change (nanoseconds) of a regular file, None for anything else."""
    try:
        facts = os.stat(path)
    except (OSError, ValueError):
        return None
    return (
        (facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns)
        if stat.S_ISREG(facts.st_mode)
        else None
    )


def known(version: str) -> dict[str, CacheRow]:
    """Return all that is kept of the program with this version; nothing where there is no database that can be read."""
    try:
        with contextlib.closing(_open(version)) as database:
            rows = database.execute("SELECT path, stamp, data FROM looks").fetchall()
        return {os.fsdecode(path): CacheRow(_numbers(stamp), data) for path, stamp, data in rows}
    except (sqlite3.Error, OSError, ValueError, TypeError):
        _remove()
        return {}


def keep(version: str, rows: Mapping[str, CacheRow], gone: Iterable[str] = ()) -> None:
    """Keep rows, and forget those of sessions that are gone; where that is not possible nothing is kept."""
    try:
        with contextlib.closing(_open(version)) as database, database:
            new = ((os.fsencode(path), " ".join(map(str, row.stamp)), row.data) for path, row in rows.items())
            database.executemany("INSERT OR REPLACE INTO looks VALUES (?, ?, ?)", new)
            database.executemany("DELETE FROM looks WHERE path = ?", ((os.fsencode(path),) for path in gone))
    except (sqlite3.Error, OSError, ValueError):
        return


def _numbers(stamp: str) -> Stamp:
    one, two, three, four, five = map(int, stamp.split())
    return one, two, three, four, five


def _open(version: str) -> sqlite3.Connection:
    """Open the database; what another version of the program kept is removed. Raises sqlite3.Error and OSError."""
    path = cache_file()
    make_private(os.path.dirname(path))
    database = sqlite3.connect(path, timeout=_SECONDS)
    try:
        wanted = f"{_LAYOUT} {version}"
        database.execute("CREATE TABLE IF NOT EXISTS about (version TEXT NOT NULL)")
        found = [row[0] for row in database.execute("SELECT version FROM about")]
        if found != [wanted]:
            with database:
                database.execute("DROP TABLE IF EXISTS looks")
                database.execute("DELETE FROM about")
                database.execute("INSERT INTO about VALUES (?)", (wanted,))
        database.execute(_TABLE)
    except BaseException:
        database.close()
        raise
    return database


def _remove() -> None:
    """Remove a damaged database, unless another condense only was at work on it."""
    path = cache_file()
    for name in (path, f"{path}-journal"):
        with contextlib.suppress(OSError):
            os.unlink(name)
