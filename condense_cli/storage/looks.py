"""What was seen when a session was last looked at: one small file for each session in the user's state folder.

It only saves work: one that is damaged, missing or cannot be written is as good as none.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
from typing import NamedTuple

from condense_cli.storage.state import key, make_private, state_folder

MOST_BYTES = 32 << 20
"""The largest session that is looked at while a client waits."""

_MOST_KEPT = 2000
_NUMBERS = 5


class Sight(NamedTuple):
    """One finding: its rule, line (from 1), severity, whether repair fixes it, and what tells it from others."""

    rule: str
    line: int
    severity: str
    fixable: bool
    key: str


class Look(NamedTuple):
    """A look at one session: what the file was then, the findings, and which of them its user was told."""

    version: str
    stamp: tuple[int, ...]
    found: tuple[Sight, ...]
    told: frozenset[str]


def stamp_of(path: str) -> tuple[int, ...] | None:
    """Return device, inode, size, times of change (nanoseconds) of a file; None where it is none that can be looked
    at.
    """
    try:
        facts = os.stat(path)
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(facts.st_mode) or not 0 < facts.st_size <= MOST_BYTES:
        return None
    return facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns


def remembered(path: str) -> Look | None:
    """Return the last look at a session."""
    try:
        with open(_place(path), "rb") as file:
            value = json.loads(file.read())
        found = tuple(Sight(str(r), int(n), str(s), bool(f), str(k)) for r, n, s, f, k in value["found"])
        stamp = tuple(int(number) for number in value["stamp"])
        look = Look(str(value["version"]), stamp, found, frozenset(map(str, value["told"])))
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None
    return look if len(look.stamp) == _NUMBERS else None


def remember(path: str, look: Look) -> None:
    """Keep a look; where that is not possible nothing is kept."""
    place = _place(path)
    temporary = f"{place}.{os.getpid()}.tmp"
    try:
        make_private(os.path.dirname(place))
        with open(temporary, "x", encoding="utf-8") as file:
            json.dump({**look._asdict(), "told": sorted(look.told)}, file)
        os.replace(temporary, place)
        _forget_old(os.path.dirname(place))
    except (OSError, ValueError):
        with contextlib.suppress(OSError):
            os.unlink(temporary)


def _place(path: str) -> str:
    return os.path.join(state_folder(), "looks", f"{key(os.path.realpath(path))}.json")


def _forget_old(folder: str) -> None:
    """Remove the oldest looks where there are many."""
    with os.scandir(folder) as entries:
        names = [entry.path for entry in entries]
    if len(names) > _MOST_KEPT:
        for name in sorted(names, key=os.path.getmtime)[: _MOST_KEPT // 4]:
            os.unlink(name)
