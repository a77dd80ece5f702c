"""What the rows of the table are made of: folders that a variable can move, files by pattern, the first lines of a
file.

Nothing here opens more of a session than its first lines; what cannot be listed counts as empty.
"""

from __future__ import annotations

import glob
import json
import os
import re
from collections.abc import Iterator, Mapping

from condense_cli.storage.databases.find import listed, parts_of

Environment = Mapping[str, str]

HEAD_BYTES = 1 << 16
_HEAD_LINES = 5


def home(environment: Environment, variable: str, *default: str) -> str:
    """Return the folder that a variable names, else one below the home folder; `~` is that folder."""
    given = environment.get(variable)
    own = environment.get("HOME") or os.path.expanduser("~")
    if not given:
        return os.path.join(own, *default)
    return os.path.join(own, given[2:]) if given.startswith("~/") else own if given == "~" else given


def matching(folder: str, *patterns: str) -> Iterator[str]:
    """Yield the paths below a folder that match one of the patterns, sorted by pattern, then by name."""
    for pattern in patterns:
        for name in sorted(glob.iglob(pattern, root_dir=folder)):
            yield os.path.join(folder, name)


def folders(folder: str) -> list[str]:
    """Return the folders in a folder, last name first: of dates that is the newest."""
    try:
        with os.scandir(folder) as entries:
            return sorted((entry.path for entry in entries if entry.is_dir()), reverse=True)
    except OSError:
        return []


def modified(path: str) -> float:
    """Return when a session was last written, in seconds; raise OSError where there is none.

    One in a database (`PATH#ID`) has the time that its client wrote down.
    """
    if "#" in path and not os.path.lexists(path):
        file, ident = parts_of(path)
        found = next((one for one in listed(file) if one.id == ident), None)
        if found is not None:
            return found.modified
    return os.stat(path).st_mtime


def head(path: str) -> bytes:
    """Return the first bytes of a file, nothing of one that cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read(HEAD_BYTES)
    except OSError:
        return b""


def text_of(data: bytes, key: str) -> str | None:
    """Return the first text that the first lines of a session have for a key, at whatever depth."""
    pattern = re.compile(rb'"' + key.encode() + rb'"\s*:\s*("(?:[^"\\]|\\.)*")')
    for line in data.split(b"\n")[:_HEAD_LINES]:
        match = pattern.search(line)
        if match:
            try:
                return str(json.loads(match[1]))
            except ValueError:
                return None
    return None


def names_folder(path: str, cwd: str) -> bool:
    """Say whether the header in the first lines of a file names the working folder."""
    named = text_of(head(path), "cwd")
    return named is not None and same_folder(named, cwd)


def same_folder(one: str, other: str) -> bool:
    """Say whether two paths are one folder."""
    return _real(one) == _real(other)


def _real(path: str) -> str:
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):
        return path


def settings(path: str) -> dict[str, object]:
    """Return the object in a JSON file, an empty one where there is none."""
    try:
        with open(path, "rb") as file:
            value = json.loads(file.read())
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}
