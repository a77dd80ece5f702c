"""Writing rows of OpenCode's database: texts of rows that are there, one after the other, in one transaction.

No row is put in or taken out, no id and no time changes. What the rows were and what they are to be is compared before
and after, and whatever is not as it should be takes everything back.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from condense_cli.errors import RefusedError
from condense_cli.jsonbytes import jsonread, jsonspan
from condense_cli.storage.databases.connect import connect
from condense_cli.storage.databases.opencode import UNREADABLE
from condense_cli.storage.in_use import live_reason, writers

if TYPE_CHECKING:
    import sqlite3

    from condense_cli.storage.databases.find import SessionAddress

_WAIT = 2.0  # seconds for a lock
_NOTHING = "nothing was written"


class TableRow(NamedTuple):
    """The text of a row: its table and id."""

    table: str
    id: str
    data: bytes


def rows_of(document: bytes) -> dict[tuple[str, str], TableRow]:
    """Return the rows that a document says, by table and id, in its order. Raises ValueError where it is none."""
    found: dict[tuple[str, str], TableRow] = {}
    place = jsonspan.span(document, ("messages",))
    for start, end in jsonspan.elements(document, place[0]) if place is not None else ():
        message = document[start:end]
        info, parts = jsonspan.span(message, ("info",)), jsonspan.span(message, ("parts",))
        if info is None or parts is None:
            raise ValueError("no message of the database")
        _add(found, "message", message[info[0] : info[1]])
        for first, last in jsonspan.elements(message, parts[0]):
            _add(found, "part", message[first:last])
    return found


def _add(found: dict[tuple[str, str], TableRow], table: str, raw: bytes) -> None:
    members = jsonspan.members(raw, 0)
    head = next((n for n, member in enumerate(members) if member.key == "row"), None)
    ident = next((jsonread.loads(raw[one.start : one.end]) for one in members if one.key == "id"), None)
    if head is None or not isinstance(ident, str) or (table, ident) in found:
        raise ValueError("no row of the database")
    rest = raw[members[head].end :]
    after = members[head + 1 :]
    if len(after) == 1 and after[0].key == UNREADABLE:
        data = jsonread.loads(raw[after[0].start : after[0].end]).encode("utf-8", "surrogatepass")
    else:
        data = b"{" + (rest[1:] if rest[:1] == b"," else rest)
    found[table, ident] = TableRow(table, ident, data)


def changes(old: bytes, new: bytes) -> Iterator[tuple[TableRow, TableRow]]:
    """Yield each row whose text is another one, before and after. Raises RefusedError where a row comes or goes."""
    try:
        before, after = rows_of(old), rows_of(new)
    except ValueError as problem:
        raise RefusedError("the repaired session is no document of rows", _NOTHING) from problem
    if list(before) != list(after):
        raise RefusedError("the repair would put rows in or take rows out", f"{_NOTHING}; -o writes a document")
    yield from ((before[key], after[key]) for key in before if before[key].data != after[key].data)


def guard(place: SessionAddress, *, force: bool) -> str | None:
    """Raise RefusedError where a client has the database open, or wrote to it just now; force: only return it."""
    reason = live_reason(place.file)
    with contextlib.suppress(OSError):
        facts = os.stat(f"{place.file}-wal")
        reason = reason or next((f"its log is open in {one}" for one in writers(facts.st_dev, facts.st_ino)), None)
    if reason and not force:
        raise RefusedError(
            f"{place.path}: a client seems to be at work on it: {reason}",
            "close the client, write a copy with -o, or use --force",
        )
    return reason


def write_rows(place: SessionAddress, old: bytes, new: bytes) -> None:
    """Make a session of the database say `new` where it says `old`. Raises RefusedError, and nothing was written."""
    import sqlite3  # loaded where there is a database

    try:
        with contextlib.closing(connect(place.file, "mode=rw", timeout=_WAIT)) as base:
            base.text_factory = bytes
            base.isolation_level = None
            base.execute("BEGIN IMMEDIATE")
            try:
                _write(base, place, old, new)
            except BaseException:
                base.execute("ROLLBACK")
                raise
            base.execute("COMMIT")
            with contextlib.suppress(sqlite3.Error):  # the log has it all; the client moves it otherwise
                base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error as problem:
        raise RefusedError(
            f"{place.path}: the database cannot be written: {problem}", f"{_NOTHING}; close its client"
        ) from problem


def _write(base: sqlite3.Connection, place: SessionAddress, old: bytes, new: bytes) -> None:
    said = base.execute("PRAGMA integrity_check(1)").fetchone()
    if said != (b"ok",):
        raise RefusedError(f"{place.path}: the database is damaged", f"{_NOTHING}; `sqlite3 {place.file} .recover`")
    if _now(base, place) != old:
        raise RefusedError(f"{place.path}: was changed since it was read", f"{_NOTHING}; run the command again")
    for before, after in changes(old, new):
        asked = (after.data, before.id, before.data)
        done = base.execute(_UPDATE[before.table], asked)
        if done.rowcount != 1:
            raise RefusedError(f"{place.path}: the row {before.id} is not what was read", _NOTHING)
    if _now(base, place) != new:
        raise RefusedError(f"{place.path}: the rows would not say what was planned", _NOTHING)


_UPDATE = {
    table: f"UPDATE {table} SET data = CAST(? AS TEXT) WHERE id = ? AND CAST(data AS BLOB) = ?"  # noqa: S608 - two names
    for table in ("message", "part")
}


def _now(base: sqlite3.Connection, place: SessionAddress) -> bytes:
    return b"".join(place.document(base, place.id))
