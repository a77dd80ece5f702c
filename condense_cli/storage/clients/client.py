"""One row of the table of clients, and what can be asked of it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from condense_cli.storage.clients.folders import Environment, matching

UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_ENDING = re.compile(r"(?:\.(?:jsonl|json|zst|gz|html))+$")


@dataclass(frozen=True, slots=True)
class Unread:
    """A store that only its client reads, and how to get sessions out of it."""

    client: str
    path: str
    advice: str


def stem(path: str) -> str:
    """Return the name of a file without its endings."""
    return _ENDING.sub("", os.path.basename(path))


def folder_name(path: str) -> str:
    """Return the name of the folder that a file is in."""
    return os.path.basename(os.path.dirname(os.path.abspath(path)))


def _nothing_excluded(_path: str) -> bool:
    return False


def _nothing_here(_cwd: str, _environment: Environment) -> Iterator[str]:
    return iter(())


def _resumes(_path: str) -> bool:
    return True


def _nothing_unread(_environment: Environment) -> Iterable[Unread]:
    return ()


@dataclass(frozen=True, slots=True)
class Client:
    """Where one client keeps its sessions, and how it names and resumes them.

    name: a format's name. roots: the folders that its sessions are below. patterns: what is a session below a root.
    excluded: says of a path that matches whether it is a sub-agent's, a snapshot or a copy that the client does not read.
    here: the sessions of one working folder. id: the id of a path's session. resume: the words of the command that goes
    on with a session, with `{id}` for that of the session, `{here}` for the id of a session of the working folder and the
    path of any other; resumes: says of a path whether that command opens it. listed: the sessions of a root that are no files. unread: stores that condense does not read.
    """  # noqa: E501 - a sentence is one text

    name: str
    roots: Callable[[Environment], tuple[str, ...]]
    patterns: tuple[str, ...] = ()
    here: Callable[[str, Environment], Iterator[str]] = _nothing_here
    resume: tuple[str, ...] = ()
    excluded: Callable[[str], bool] = _nothing_excluded
    id: Callable[[str], str] = stem
    resumes: Callable[[str], bool] = _resumes
    listed: Callable[[str], Iterator[str]] | None = None
    unread: Callable[[Environment], Iterable[Unread]] = _nothing_unread

    def sessions(self, root: str) -> Iterator[str]:
        """Yield all sessions below one of the client's folders."""
        if self.listed is not None:
            return self.listed(root)
        return (path for path in matching(root, *self.patterns) if not self.excluded(path))

    def sessions_here(self, cwd: str, environment: Environment) -> Iterator[str]:
        """Yield the sessions of a working folder."""
        return (path for path in self.here(cwd, environment) if not self.excluded(path))

    def resume_words(self, path: str) -> tuple[str, ...]:
        """Return the words of the command that resumes the session in a file, () where the client has none."""
        if not self.resumes(path):
            return ()
        values = {"{id}": self.id(path), "{here}": self._named_here(path)}
        words = list(self.resume)
        for mark, value in values.items():
            words = [word.replace(mark, value) for word in words]
        return tuple(words)

    def _named_here(self, path: str) -> str:
        """Return the id of a session of the working folder, and the path of any other."""
        here = map(os.path.realpath, self.sessions_here(os.getcwd(), os.environ))
        return self.id(path) if os.path.realpath(path) in here else os.path.abspath(path)
