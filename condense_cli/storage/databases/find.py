"""Which session of which database a path means: `PATH#ID`, or a database with one session."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import lru_cache
from types import ModuleType
from typing import NamedTuple

from condense_cli.errors import UnreadableError, UsageError
from condense_cli.storage.databases import openclaw, opencode, opencode_folders
from condense_cli.storage.databases.connect import reading
from condense_cli.storage.databases.opencode import Listed
from condense_cli.storage.magic import is_database

_MOST_NAMED = 10


class Kind(NamedTuple):
    """A client's database: the format of its sessions, and the module that reads it."""

    format: str
    module: ModuleType
    refusal: tuple[str, str] | None = None


_OPENCLAW = (
    "OpenClaw's database is only read: several tables follow from its rows",
    "`openclaw doctor` looks after it",
)
_FOLDERS = (
    "the files of an older OpenCode are only read: its database has the session once it was started",
    "start OpenCode, which moves them there, and repair the session by its id",
)
_KINDS = (Kind("opencode-db", opencode), Kind("openclaw", openclaw, _OPENCLAW))


def parts_of(path: str) -> tuple[str, str]:
    """Return the file that a path names, and the session in it, "" where it names none."""
    file, mark, ident = path.rpartition("#")
    return (file, ident) if mark and file and ident and not os.path.lexists(path) else (path, "")


def file_of(path: str) -> str:
    """Return the file in which the session of a path is."""
    return parts_of(path)[0]


def is_known(path: str) -> bool:
    """Say whether a file is a database of a client whose sessions are read; never fails."""
    return kind_of(path) is not None


def kind_of(path: str) -> Kind | None:
    """Return whose database a file is, None where it is none that is known."""
    if not is_database(path):
        return None
    try:
        facts = os.stat(path)
        return _kind(path, facts.st_mtime_ns, facts.st_size)
    except (OSError, UnreadableError):
        return None


@lru_cache(maxsize=32)
def _kind(path: str, _mtime: int, _size: int) -> Kind | None:
    with reading(path) as base:
        return next((kind for kind in _KINDS if kind.module.is_here(base)), None)


def listed(path: str) -> list[Listed]:
    """Return the sessions of a database, newest first; none where it cannot be read."""
    kind = kind_of(path)
    if kind is None:
        return []
    try:
        with reading(path) as base:
            return list(kind.module.sessions(base))
    except UnreadableError:
        return []


def paths_of(path: str) -> list[str]:
    """Return what names each session of a database."""
    return [f"{path}#{one.id}" for one in listed(path)]


class SessionAddress(NamedTuple):
    """A session in a database: the file, its id, and how its bytes are made.

    refusal: why it is never written, and what to do instead. folder: the file is the first of those of a session.
    """

    file: str
    id: str
    format: str
    document: Callable[..., Iterator[bytes]]
    refusal: tuple[str, str] | None = None
    folder: bool = False

    @property
    def path(self) -> str:
        """Return what names the session."""
        return self.file if self.folder else f"{self.file}#{self.id}"

    def pieces(self) -> Iterator[bytes]:
        """Yield the bytes of the session as it is now. Raises UnreadableError."""
        if self.folder:
            yield from self.document(self.file)
            return
        with reading(self.file) as base:
            yield from self.document(base, self.id)


def place_of(path: str) -> SessionAddress | None:
    """Return the session that a path means, None where that is no database of a known client.

    Raises UsageError where the database has several sessions and the path names none, UnreadableError where it has
    none.
    """
    if opencode_folders.is_session(path):
        ident = os.path.basename(path).removesuffix(".json")
        return SessionAddress(path, ident, "opencode-db", opencode_folders.document, _FOLDERS, folder=True)
    file, ident = parts_of(path)
    kind = kind_of(file)
    if kind is None:
        return None
    if not ident:
        found = listed(file)
        if not found:
            raise UnreadableError(f"{path}: the database has no session", "start one with its client")
        if len(found) > 1:
            named = ", ".join(f"'{file}#{one.id}'" for one in found[:_MOST_NAMED])
            raise UsageError(f"{path}: {len(found)} sessions are in it", f"name one: {named}")
        ident = found[0].id
    return SessionAddress(file, ident, kind.format, kind.module.document, kind.refusal)
