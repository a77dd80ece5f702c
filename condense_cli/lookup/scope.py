"""Which sessions may be looked at from a folder: files below it, and the sessions of that project in the clients'
stores.
"""

from __future__ import annotations

import os
import stat
from typing import NamedTuple

from condense_cli.errors import UnreadableError, UsageError
from condense_cli.recall import sidecar
from condense_cli.session.named import LAST, is_id
from condense_cli.session.opened import Session, open_session
from condense_cli.storage.clients.folders import Environment
from condense_cli.storage.clients.newest import Candidate, candidates
from condense_cli.storage.clients.table import session_id

MOST_BYTES = 512 << 20
_MOST_WORD = 4096
_ADVICE = "name @last, an id of this project, or a file below the folder in which `condense mcp` was started"


class Scope(NamedTuple):
    """A folder (resolved), and the environment that says where clients keep their sessions."""

    folder: str
    environment: Environment

    @classmethod
    def of(cls, folder: str, environment: Environment) -> Scope:
        """Return the scope of a folder."""
        return cls(os.path.realpath(folder), environment)

    def open(self, word: str | None) -> Session:
        """Open the session that is meant; None is the newest. Raises UsageError and UnreadableError."""
        path = self.path(word)
        session = open_session(path)
        real = session.source.real
        if real is None or os.path.realpath(path) != real or not self._allows(real):
            session.close()
            raise _outside()
        return session

    def path(self, word: str | None) -> str:
        """Return the resolved path of the session that is meant. Raises UsageError and UnreadableError."""
        if word is not None and (not word or "\0" in word or len(word) > _MOST_WORD):
            raise UsageError("that is no name of a session", _ADVICE)
        if word is None or word == LAST:
            found = self._own()
            if not found:
                raise UnreadableError("no session of this folder was found", _ADVICE)
            return found[0]
        if is_id(word) and not os.path.lexists(os.path.join(self.folder, word)):
            return self._with_id(word)
        real = os.path.realpath(os.path.join(self.folder, os.path.expanduser(word)))
        if not self._allows(real):
            raise _outside()
        _must_be_small(real)
        return real

    def _with_id(self, word: str) -> str:
        ids = [(session_id(one.path, one.client).lower(), os.path.realpath(one.path)) for one in self._candidates()]
        start = word.lower()
        found = [path for ident, path in ids if ident == start] or [
            path for ident, path in ids if ident.startswith(start)
        ]
        if len(found) == 1:
            return found[0]
        if found:
            raise UsageError(f"{len(found)} sessions of this project have an id that starts so", "give more of it")
        raise UnreadableError("no session of this project has an id that starts so", _ADVICE)

    def _own(self) -> list[str]:
        """Return the sessions of the project, the newest first. One that is a link to elsewhere is left out."""
        return [os.path.realpath(one.path) for one in self._candidates()]

    def _candidates(self) -> list[Candidate]:
        return [one for one in candidates(self.folder, self.environment) if _is_plain(one.path)]

    def _allows(self, real: str) -> bool:
        beside = sidecar.path_of(real)
        if os.path.lexists(beside) and not _is_plain(beside):
            return False
        return real.startswith(self.folder.rstrip(os.sep) + os.sep) or real in self._own()


def _is_plain(path: str) -> bool:
    """Say whether a path names a regular file of no more bytes than are read, itself and not by a link."""
    try:
        facts = os.lstat(path)
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(facts.st_mode) and facts.st_size <= MOST_BYTES


def _must_be_small(path: str) -> None:
    if os.path.isfile(path) and os.path.getsize(path) > MOST_BYTES:
        raise UsageError(
            f"the session is larger than {MOST_BYTES >> 20} MiB", "`condense query` reads it on the command line"
        )


def _outside() -> UsageError:
    # What there is outside is not told: not even whether a file exists.
    return UsageError("that is not a session of this folder or project", _ADVICE)
