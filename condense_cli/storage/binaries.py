"""Files that are no text and so no session: what each is, what is in it, and what to do with it instead."""

from __future__ import annotations

import io
import os
import shlex
from collections.abc import Callable, Iterable
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from condense_cli.errors import UnreadableError

if TYPE_CHECKING:
    from condense_cli.document.records import Bytes

_MOST_NAMES = 1000
_MOST_ZIP = 64 << 20
_SESSIONS = (".jsonl", ".json")
_TAR_AT, _TAR = 257, b"ustar"
_READ = "condense reads session files; see `condense formats`"
_PICTURE = "copy the error as text and give it to `condense explain`"


class FileKind(NamedTuple):
    """What a file is, and what to do."""

    what: str
    advice: str


def refuse(path: str, source: Bytes) -> None:
    """Raise UnreadableError for a file that is no text, which no --format can change. path is the name to show."""
    head = source.read(0, _TAR_AT + len(_TAR))
    tell = next((tell for magic, tell in _BY_MAGIC if head.startswith(magic)), None)
    if tell is None and head[_TAR_AT:] == _TAR:
        tell = _tar
    if tell is not None:
        told = tell(path, source)
        raise UnreadableError(f"{path}: {told.what}, not a session", told.advice)


# ---------------------------------------------------------------------- archives
class _Reader(io.RawIOBase):
    """The bytes of a source as a file that archives can be read from."""

    def __init__(self, source: Bytes) -> None:
        super().__init__()
        self._source, self._at = source, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        self._at = max(0, offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._source.size}[whence])
        return self._at

    def read(self, size: int = -1, /) -> bytes:
        end = self._source.size if size < 0 else self._at + size
        data = self._source.read(self._at, end)
        self._at += len(data)
        return data


def _zip(path: str, source: Bytes) -> FileKind:
    import zipfile

    names: list[str] = []
    if source.size <= _MOST_ZIP:
        try:
            with zipfile.ZipFile(_Reader(source)) as archive:
                names = [name for name in archive.namelist() if not name.endswith("/")]
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
            pass
    return _archive("a zip archive", f"unzip {shlex.quote(path)}", names)


def _tar(path: str, source: Bytes) -> FileKind:
    import tarfile

    names: list[str] = []
    try:
        with tarfile.open(fileobj=_Reader(source), mode="r:") as archive:
            names = [member.name for member in islice(archive, _MOST_NAMES) if member.isfile()]
    except (tarfile.TarError, OSError, ValueError, EOFError):
        pass
    return _archive("a tar archive", f"tar -xf {shlex.quote(path)}", names)


def _seven(path: str, _source: Bytes) -> FileKind:
    return _archive("a 7z archive", f"7z x {shlex.quote(path)}", ())


def _archive(what: str, unpack: str, names: Iterable[str]) -> FileKind:
    """Say what is in an archive: the first session by its name, and how many others."""
    found = [name for name in names if name.isprintable()]
    if not found:
        return FileKind(what, f"unpack it: `{unpack}`")
    first = next((name for name in found if name.endswith(_SESSIONS)), found[0])
    others = len(found) - 1
    more = f" and {others} other file{'s' if others > 1 else ''}" if others else ""
    check = f", then `condense check {shlex.quote(first)}`" if first.endswith(_SESSIONS) else ""
    return FileKind(f"{what} with {first}{more}", f"unpack it: `{unpack}`{check}")


# ---------------------------------------------------------------------- databases
_OWNERS: tuple[tuple[frozenset[str], FileKind], ...] = (
    (
        frozenset({"session", "message", "part"}),
        FileKind(
            "OpenCode's database", "`opencode export ID > FILE.json` writes a session that `condense check` reads"
        ),
    ),
    (frozenset({"transcript_events"}), FileKind("OpenClaw's database", "`openclaw doctor` looks after it")),
    (
        frozenset({"sessions", "turns", "checkpoints"}),
        FileKind("an index of GitHub Copilot CLI", "its sessions are the events.jsonl below ~/.copilot/session-state"),
    ),
    (frozenset({"agent_sessions", "agent_messages"}), FileKind("a session store of the Agents SDK", _READ)),
    (frozenset({"cursorDiskKV"}), FileKind("Cursor's database", _READ)),
    (
        frozenset({"checkpoints", "writes"}),
        FileKind(
            "checkpoints of LangGraph",
            "write the messages of a state to a file, check that, and give what is repaired to `update_state`",
        ),
    ),
    (frozenset({"threads.data_type"}), FileKind("the threads of Zed", _READ)),
    (
        frozenset({"forge_trajectory_events"}),
        FileKind(
            "a store of GitHub Copilot", "sessions of its CLI are the events.jsonl below ~/.copilot/session-state"
        ),
    ),
    (
        frozenset({"sessions", "messages.content_json"}),
        FileKind("Goose's database", "export the session with its client"),
    ),
    (
        frozenset({"sessions", "messages", "messages_fts"}),
        FileKind("a database of sessions, as Hermes has one", "export the session with its client"),
    ),
    (frozenset({"sessions", "messages"}), FileKind("a database of sessions", "export the session with its client")),
)


def _sqlite(path: str, _source: Bytes) -> FileKind:
    """Name the client by its tables and their columns, where the file is there to be asked."""
    tables = _tables(path)
    for named, told in _OWNERS:
        if named <= tables:
            return FileKind(f"{told.what} (SQLite)", told.advice)
    return FileKind("an SQLite database", _READ)


_COLUMNS = "select m.name, p.name from sqlite_master m, pragma_table_info(m.name) p where m.type = 'table' limit 10000"
_NAMES = "select name, '' from sqlite_master where type = 'table' limit 1000"


def _tables(path: str) -> frozenset[str]:
    """Return the names of tables, and of their columns as `table.column`; none where the file is damaged."""
    import pathlib
    import sqlite3

    if not os.path.isfile(path):
        return frozenset()
    try:
        # immutable: no lock is taken and no file is made beside it
        base = sqlite3.connect(f"{pathlib.Path(path).resolve().as_uri()}?mode=ro&immutable=1", uri=True)
    except sqlite3.Error:
        return frozenset()
    found: set[str] = set()
    try:
        for asked in (_NAMES, _COLUMNS):
            for table, column in base.execute(asked):
                found.add(f"{table}.{column}" if column else str(table))
    except sqlite3.Error:
        pass  # a table of a kind that is not known here has no columns to ask for
    finally:
        base.close()
    return frozenset(found)


# ---------------------------------------------------------------------- others
def _is(what: str, advice: str = _READ) -> Callable[[str, Bytes], FileKind]:
    return lambda _path, _source: FileKind(what, advice)


_BY_MAGIC: tuple[tuple[bytes, Callable[[str, Bytes], FileKind]], ...] = (
    (b"SQLite format 3\0", _sqlite),
    (b"PK\x03\x04", _zip),
    (b"PK\x05\x06", _zip),
    (b"7z\xbc\xaf\x27\x1c", _seven),
    (b"\x1f\x8b", _is("compressed with gzip twice, or damaged", "unpack it: `gunzip`")),
    (b"\x89PNG\r\n\x1a\n", _is("a picture (PNG)", _PICTURE)),
    (b"\xff\xd8\xff", _is("a picture (JPEG)", _PICTURE)),
    (b"GIF8", _is("a picture (GIF)", _PICTURE)),
    (b"%PDF-", _is("a PDF document")),
    (b"PAR1", _is("Parquet", "`condense scan FILE` checks conversations in it")),
)
