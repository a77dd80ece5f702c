"""A session of OpenCode's database as one document: what `opencode export` writes, with the times of its rows.

`message` and `part` are what the client replays: messages by time and id, parts by id. The text of a row stays byte for
byte, after what the columns say; one that is no JSON object is kept as a text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from condense_cli.errors import UnreadableError
from condense_cli.storage.databases.connect import columns, text

if TYPE_CHECKING:
    import sqlite3

MARK = "opencode.db"
"""What `store` of the document says."""
UNREADABLE = "unreadable"
"""The key of a row's text that is no JSON object."""

_NEEDED = {
    "session": {"id", "directory", "title", "version", "time_created", "time_updated"},
    "message": {"id", "session_id", "time_created", "data"},
    "part": {"id", "message_id", "session_id", "time_created", "data"},
}


class Listed(NamedTuple):
    """A session of a database: its id, its working folder, its title, and when it was last written (seconds)."""

    id: str
    folder: str = ""
    title: str = ""
    modified: float = 0.0


def is_here(base: sqlite3.Connection) -> bool:
    """Say whether the tables are those of OpenCode."""
    return all(needed <= columns(base, table) for table, needed in _NEEDED.items())


def sessions(base: sqlite3.Connection) -> Iterator[Listed]:
    """Yield the sessions of the user, newest first; those of sub-agents have a parent."""
    own = "WHERE parent_id IS NULL" if "parent_id" in columns(base, "session") else ""
    asked = f"SELECT id, directory, title, time_updated FROM session {own} ORDER BY time_updated DESC, id"  # noqa: S608 - one of two texts
    for ident, folder, title, updated in base.execute(asked):
        seconds = updated / 1000 if isinstance(updated, (int, float)) else 0.0
        yield Listed(text(ident), text(folder), text(title), seconds)


def document(base: sqlite3.Connection, ident: str) -> Iterator[bytes]:
    """Yield the bytes of a session. Raises UnreadableError where the database has none of this id."""
    found = base.execute(
        "SELECT directory, title, version, time_created, time_updated FROM session WHERE id = ?", (ident,)
    ).fetchone()
    if found is None:
        raise UnreadableError(f"{ident}: the database has no session of this id", "name one of PATH#ID")
    folder, title, version, created, updated = found
    info = {"id": ident, "directory": text(folder), "title": text(title), "version": text(version)}
    times = {"created": created, "updated": updated}
    yield b'{"store":"%s","info":%s,"messages":[' % (MARK.encode(), dump({**info, "time": times}))
    parts = _parts(base, ident)
    asked = "SELECT id, time_created, data FROM message WHERE session_id = ? ORDER BY time_created, id"
    for number, (key, time, data) in enumerate(base.execute(asked, (ident,))):
        yield b",\n" if number else b"\n"
        yield b'{"info":' + _row({"id": text(key), "sessionID": ident, "row": time}, data) + b',"parts":['
        yield b",".join(b"\n" + part for part in parts.get(text(key), ()))
        yield b"]}"
    yield b"\n]}\n"


def _parts(base: sqlite3.Connection, ident: str) -> dict[str, list[bytes]]:
    found: dict[str, list[bytes]] = {}
    asked = "SELECT id, message_id, time_created, data FROM part WHERE session_id = ? ORDER BY id"
    for key, message, time, data in base.execute(asked, (ident,)):
        head = {"id": text(key), "sessionID": ident, "messageID": text(message), "row": time}
        found.setdefault(text(message), []).append(_row(head, data))
    return found


def _row(head: dict[str, object], data: object) -> bytes:
    """Return what the columns say and, after it, the members of the row's text as they are written there."""
    raw = data if isinstance(data, bytes) else b""
    body = raw.strip()
    if not _is_object(body):
        return dump({**head, UNREADABLE: raw.decode("utf-8", "replace")})
    inside = body[1:]
    return dump(head)[:-1] + (b"," if inside.strip() != b"}" else b"") + inside


def _is_object(body: bytes) -> bool:
    import orjson  # loaded where there is a database

    try:
        return body[:1] == b"{" and isinstance(orjson.loads(body), dict)
    except ValueError:
        pass
    try:
        return body[:1] == b"{" and isinstance(json.loads(body), dict)
    except (ValueError, RecursionError):
        return False


def dump(value: object) -> bytes:
    """Write a value as compactly as the client does."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
