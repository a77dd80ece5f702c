"""Other rollouts of the store that one is in: where a history that it goes on from would be."""

from __future__ import annotations

import glob
import os
from typing import NamedTuple

from condense_cli.storage.clients.folders import matching

_TAIL = 1 << 16  # bytes
_PACKED = ".zst"
_STORE, _ARCHIVE = "sessions", "archived_sessions"


class Rollout(NamedTuple):
    """A file of a thread. size in bytes; both are unknown where it is packed, and last is its last whole line."""

    path: str
    size: int | None
    last: bytes = b""


def rollouts_of(path: str, thread: str) -> list[Rollout] | None:
    """Return the files of a thread in the store that a rollout is in; None if it is no file, so that nobody can say."""
    if not os.path.isfile(path):
        return None
    folder = os.path.dirname(os.path.abspath(path))
    name = f"*{glob.escape(thread)}*.jsonl"
    found = dict.fromkeys(matching(folder, name, name + _PACKED))
    home = _home(folder)
    if home:
        for place in (os.path.join(_STORE, "*", "*", "*", name), os.path.join(_ARCHIVE, name)):
            found.update(dict.fromkeys(matching(home, place, place + _PACKED)))
    return [_look(other) for other in found]


def _home(folder: str) -> str:
    """Return the client's folder if a session is where the client puts it, by day or in the archive; else ""."""
    if os.path.basename(folder) == _ARCHIVE:
        return os.path.dirname(folder)
    store = os.path.dirname(os.path.dirname(os.path.dirname(folder)))
    return os.path.dirname(store) if os.path.basename(store) == _STORE else ""


def _look(path: str) -> Rollout:
    if path.endswith(_PACKED):
        return Rollout(path, None)
    try:
        with open(path, "rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _TAIL))
            lines = file.read().splitlines()
    except OSError:
        return Rollout(path, None)
    return Rollout(path, size, next((line for line in reversed(lines) if line.strip()), b""))
