"""Which files a command looks at: paths, folders, globs, standard input."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from condense_cli.errors import UnreadableError
from condense_cli.storage.databases.find import paths_of
from condense_cli.storage.magic import is_database

_ENDINGS = (
    ".jsonl",
    ".json",
    ".jsonl.zst",
    ".jsonl.gz",
    ".jsonl.zip",
    ".json.gz",
    ".json.zip",
    ".jsonl.tar",
    ".jsonl.xz",
    ".jsonl.bz2",
)
"""What looks like a session by its name; packed ones are counted, if they cannot be read."""
_PASSED_OVER = frozenset(
    {".git", "node_modules", ".venv", "__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis"}
)


class Target(NamedTuple):
    """One file. A named one must be a session; one that was found below a folder may be something else."""

    path: str
    named: bool


def targets(paths: Sequence[str]) -> list[Target]:
    """Expand paths; without any, every session file below the current folder."""
    asked = list(paths) or ["."]
    found: dict[str, Target] = {}
    for path in asked:
        for target in _expand(path):
            found.setdefault(target.path, target)
    return list(found.values())


def _expand(path: str) -> Iterator[Target]:
    if path != "-" and is_database(path):
        yield from _in(path)
    elif path == "-" or os.path.isfile(path):
        yield Target(path, named=True)
    elif os.path.isdir(path):
        yield from _below(path)
    elif any(mark in path for mark in "*?[") and not os.path.lexists(path):
        matches = sorted(glob.glob(os.path.expanduser(path), recursive=True, include_hidden=True))
        if not matches:
            raise UnreadableError(
                f"{path}: nothing matches", "check the pattern; quote it so that the shell leaves it alone"
            )
        for match in matches:
            if os.path.isdir(match):
                yield from _below(match)
            else:
                yield Target(match, named=False)
    else:
        yield Target(path, named=True)  # missing, or no regular file: opening it says what is wrong


def _in(database: str) -> Iterator[Target]:
    """Yield the sessions of a client's database; another one is looked at as any file is."""
    found = paths_of(database)
    yield from (Target(path, named=True) for path in found or [database])


def _below(folder: str) -> Iterator[Target]:
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _PASSED_OVER)
        for name in sorted(names):
            if name.endswith(_ENDINGS):
                path = os.path.join(place, name)
                yield Target(os.path.normpath(path) if folder == "." else path, named=False)
