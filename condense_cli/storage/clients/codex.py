"""Where Codex keeps its sessions."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from condense_cli.storage.clients.client import UUID, Client, stem
from condense_cli.storage.clients.folders import Environment, folders, head, home, matching, names_folder

_SUBAGENT = re.compile(rb'"source"\s*:\s*\{\s*"subagent"')
_ROLLOUTS = ("rollout-*.jsonl", "rollout-*.jsonl.zst")


def codex_home(environment: Environment) -> str:
    """Return Codex's home."""
    return home(environment, "CODEX_HOME", ".codex")


def _roots(environment: Environment) -> tuple[str, ...]:
    return tuple(os.path.join(codex_home(environment), name) for name in ("sessions", "archived_sessions"))


def _here(cwd: str, environment: Environment) -> Iterator[str]:
    """Yield those of the newest day that has any."""
    for year in folders(os.path.join(codex_home(environment), "sessions")):
        for month in folders(year):
            for day in folders(month):
                found = [path for path in matching(day, *_ROLLOUTS) if names_folder(path, cwd) and not _excluded(path)]
                yield from found
                if found:
                    return  # days are sorted, newest first


def _excluded(path: str) -> bool:
    """Exclude a packed file beside the plain one, which the client prefers, and the rollout of a sub-agent."""
    if path.endswith(".zst"):
        return os.path.lexists(path.removesuffix(".zst"))
    return _SUBAGENT.search(head(path).partition(b"\n")[0]) is not None


def _id(path: str) -> str:
    """Return the thread's id: the first one in the name, after which a segment's may follow."""
    found = UUID.search(stem(path))
    return found[0] if found else stem(path).rpartition("-")[2]


CODEX = Client(
    "codex",
    roots=_roots,
    patterns=(*(f"*/*/*/{name}" for name in _ROLLOUTS), *_ROLLOUTS),
    here=_here,
    excluded=_excluded,
    id=_id,
    resume=("codex", "resume", "{id}"),
)
