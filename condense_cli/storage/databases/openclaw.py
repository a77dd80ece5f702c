"""A session of OpenClaw's database as lines: each event is the line that older versions kept in a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from condense_cli.errors import UnreadableError
from condense_cli.storage.databases.connect import columns, text
from condense_cli.storage.databases.opencode import Listed
from condense_cli.storage.unpacking import packing_of, unpacked

if TYPE_CHECKING:
    import sqlite3

_NEEDED = {"session_id", "seq", "event_json"}
_MOST = 1 << 28  # bytes that one event may unpack to


def is_here(base: sqlite3.Connection) -> bool:
    """Say whether the tables are those of OpenClaw."""
    return columns(base, "transcript_events") >= _NEEDED


def sessions(base: sqlite3.Connection) -> Iterator[Listed]:
    """Yield the sessions, the one that was written last first."""
    timed = "MAX(created_at)" if "created_at" in columns(base, "transcript_events") else "0"
    asked = f"SELECT session_id, {timed} FROM transcript_events GROUP BY session_id ORDER BY 2 DESC, 1"  # noqa: S608 - one of two texts
    for ident, created in base.execute(asked):
        yield Listed(text(ident), modified=created / 1000 if isinstance(created, (int, float)) else 0.0)


def document(base: sqlite3.Connection, ident: str) -> Iterator[bytes]:
    """Yield the lines of a session. Raises UnreadableError where the database has none of this id."""
    packed = "event_zstd" if "event_zstd" in columns(base, "transcript_events") else "NULL"
    asked = f"SELECT event_json, {packed} FROM transcript_events WHERE session_id = ? ORDER BY seq"  # noqa: S608 - one of two texts
    rows = base.execute(asked, (ident,)).fetchall()
    for event, compressed in rows:
        raw = event if isinstance(event, bytes) else _unpacked(ident, compressed)
        yield raw.replace(b"\n", b" ") + b"\n"
    if not rows:
        raise UnreadableError(f"{ident}: the database has no session of this id", "name one of PATH#ID")


def _unpacked(ident: str, compressed: object) -> bytes:
    raw = compressed if isinstance(compressed, bytes) else b""
    packing = packing_of(raw)
    return b"".join(unpacked(ident, iter([raw]), packing, _MOST)) if packing is not None else raw
