"""Sessions that their client's own index does not have, and index entries without a session: read only, never
written.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from condense_cli.storage.clients.codex import codex_home
from condense_cli.storage.clients.folders import Environment, settings

_LARGEST = 256 << 20  # bytes of a database that is looked into


@dataclass(frozen=True, slots=True)
class Lost:
    """A session that its client's picker does not show, or an entry of its index whose file is gone.

    path: the session's; index: the file that should have it; gone: the session itself does not exist; advice: what
    brings it back.
    """

    client: str
    path: str
    index: str
    gone: bool
    advice: str


def lost(client: str, sessions: Sequence[str], environment: Environment) -> list[Lost]:
    """Return what is lost of the sessions of one client."""
    look = {"claude-code": _claude, "codex": _codex}.get(client)
    return list(look(sessions, environment)) if look is not None else []


def _claude(sessions: Sequence[str], _environment: Environment) -> Iterator[Lost]:
    """Claude Code keeps `sessions-index.json` in a project's folder: `{"entries": [{"sessionId", "fullPath", …}]}`."""
    folders: dict[str, set[str]] = {}
    for path in sessions:
        folders.setdefault(os.path.dirname(path), set()).add(os.path.basename(path).removesuffix(".jsonl"))
    for folder, ids in sorted(folders.items()):
        index = os.path.join(folder, "sessions-index.json")
        entries = settings(index).get("entries")
        if not isinstance(entries, list):
            continue
        named = {
            entry["sessionId"]
            for entry in entries
            if isinstance(entry, dict) and isinstance(entry.get("sessionId"), str)
        }
        for ident in sorted(ids - named):
            advice = f"`claude --resume {ident}` opens it; without {index} Claude Code lists all files again"
            yield Lost("claude-code", os.path.join(folder, f"{ident}.jsonl"), index, gone=False, advice=advice)
        for ident in sorted(named - ids):
            path = os.path.join(folder, f"{os.path.basename(ident)}.jsonl")
            if not os.path.exists(path):
                yield Lost("claude-code", path, index, gone=True, advice="a backup has it, or nothing has")


def _codex(sessions: Sequence[str], environment: Environment) -> Iterator[Lost]:
    """Codex keeps a table `threads` with `rollout_path` in `state_N.sqlite`; it is made from the files when it is
    not there.
    """
    folder = codex_home(environment)
    try:
        states = sorted(name for name in os.listdir(folder) if name.startswith("state_") and name.endswith(".sqlite"))
    except OSError:
        return
    if not states:
        return
    index = os.path.join(folder, states[-1])
    named = _rollouts(index)
    if named is None:
        return
    real = {os.path.realpath(path): path for path in named}
    for path in sessions:
        if os.path.realpath(path) not in real and os.path.realpath(path.removesuffix(".zst")) not in real:
            yield Lost(
                "codex",
                path,
                index,
                gone=False,
                advice="`codex resume ID` opens it; Codex makes the index anew when it is moved away",
            )
    for path in sorted(real.values()):
        if not os.path.exists(path) and not os.path.exists(f"{path}.zst"):
            yield Lost("codex", path, index, gone=True, advice="a backup has it, or nothing has")


def _rollouts(index: str) -> list[str] | None:
    """Return the paths of the table; None where it cannot be read.

    A copy is opened: reading may write beside a database.
    """
    try:
        if os.path.getsize(index) > _LARGEST:
            return None
        with tempfile.TemporaryDirectory(prefix="condense-") as folder:
            copy = os.path.join(folder, "state.sqlite")
            for end in ("", "-wal"):
                if os.path.exists(index + end):
                    shutil.copyfile(index + end, copy + end)
            with contextlib.closing(sqlite3.connect(copy)) as database:
                return [
                    path
                    for (path,) in database.execute("SELECT rollout_path FROM threads")
                    if isinstance(path, str) and path
                ]
    except (OSError, sqlite3.Error):
        return None
