"""Where OpenCode keeps its sessions: in a database, which is not read."""

from __future__ import annotations

import os
from collections.abc import Iterator

from condense_cli.storage.clients.client import Client, Unread
from condense_cli.storage.clients.folders import Environment, home, matching

_ADVICE = "`opencode export ID > FILE.json` writes a session that `condense check` reads"


def _roots(environment: Environment) -> tuple[str, ...]:
    return (os.path.join(home(environment, "XDG_DATA_HOME", ".local", "share"), "opencode"),)


def _unread(environment: Environment) -> Iterator[Unread]:
    (root,) = _roots(environment)
    for path in matching(root, "*.db"):
        yield Unread("opencode", path, _ADVICE)
    old = os.path.join(root, "storage", "session")
    if os.path.isdir(old):
        yield Unread("opencode", old, _ADVICE)


OPENCODE = Client("opencode", roots=_roots, unread=_unread)
