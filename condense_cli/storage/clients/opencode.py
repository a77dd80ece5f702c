"""Where OpenCode keeps its sessions: in a database, each as `PATH#ID`; the folders of older versions are not read."""

from __future__ import annotations

import os
from collections.abc import Iterator

from condense_cli.storage.clients.client import Client, Unread
from condense_cli.storage.clients.folders import Environment, home, matching, same_folder
from condense_cli.storage.databases.find import is_known, listed, paths_of

_ADVICE = "`opencode export ID > FILE.json` writes a session that `condense check` reads"


def _roots(environment: Environment) -> tuple[str, ...]:
    return (os.path.join(home(environment, "XDG_DATA_HOME", ".local", "share"), "opencode"),)


def _databases(environment: Environment) -> Iterator[str]:
    """Yield the databases; a variable names another one, in the folder or anywhere."""
    (root,) = _roots(environment)
    own = environment.get("OPENCODE_DB")
    yield from dict.fromkeys([*matching(root, "*.db"), *([os.path.join(root, own)] if own else [])])


def _sessions(root: str) -> Iterator[str]:
    for path in matching(root, "*.db"):
        yield from paths_of(path)


def _here(cwd: str, environment: Environment) -> Iterator[str]:
    for path in _databases(environment):
        yield from (f"{path}#{one.id}" for one in listed(path) if same_folder(one.folder, cwd))


def _id(path: str) -> str:
    return path.rpartition("#")[2] or path


def _unread(environment: Environment) -> Iterator[Unread]:
    (root,) = _roots(environment)
    for path in matching(root, "*.db"):
        if not is_known(path):
            yield Unread("opencode-db", path, _ADVICE)
    old = os.path.join(root, "storage", "session")
    if os.path.isdir(old):
        yield Unread("opencode-db", old, _ADVICE)


OPENCODE = Client(
    "opencode-db",
    roots=_roots,
    listed=_sessions,
    here=_here,
    id=_id,
    resume=("opencode", "--session", "{id}"),
    unread=_unread,
)
