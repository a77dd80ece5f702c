"""The session that someone in this folder most likely means: the newest one of it in the stores of the known
clients.
"""

from __future__ import annotations

from typing import NamedTuple

from condense_cli.storage.clients.folders import Environment, modified
from condense_cli.storage.clients.table import CLIENTS


class Candidate(NamedTuple):
    """A session file, its client, and when it was last written (seconds)."""

    path: str
    client: str
    mtime: float


def candidates(cwd: str, environment: Environment) -> list[Candidate]:
    """Return the sessions of a working folder, newest first; unreadable stores are passed over."""
    found: list[Candidate] = []
    for client in CLIENTS:
        for path in client.sessions_here(cwd, environment):
            try:
                found.append(Candidate(path, client.name, modified(path)))
            except OSError:
                continue
    return sorted(found, key=lambda candidate: -candidate.mtime)


def newest(cwd: str, environment: Environment) -> Candidate | None:
    """Return the session of a working folder that was written last."""
    found = candidates(cwd, environment)
    return found[0] if found else None
