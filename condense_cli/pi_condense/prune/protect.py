"""Which outputs are never replaced: those of protected tools, and of reads of protected paths."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from condense_cli.pi_condense.prune.settings import Settings

_GLOB_PART = re.compile(r"\*\*/|\*\*|\*|\?|[^*?]+")
Protected = Callable[[Any, Any], bool]


def glob_matches(parts: list[str], path: str) -> bool:
    """Say if a glob is the whole path: `**/` any number of folders, `**` anything in a line, `*` and `?` in a name.

    parts as split_glob returns them. The time grows with the parts and with the path, and no faster.
    """
    reached = bytearray(len(path) + 1)  # the places in the path that the parts so far can end at
    reached[0] = 1
    for part in parts:
        if 1 not in reached:
            return False
        reached = _after(part, reached, path)
    return bool(reached[-1])


def split_glob(glob: str) -> list[str]:
    """Split a glob into wildcards and the texts between them."""
    return _GLOB_PART.findall(glob)


def _after(part: str, reached: bytearray, path: str) -> bytearray:
    """Return the places that are reached after one part of a glob."""
    after = bytearray(len(reached))
    if part == "**/":
        after[:] = reached
        slash = path.find("/", reached.index(1))
        while slash >= 0:
            after[slash + 1] = 1
            slash = path.find("/", slash + 1)
    elif part in ("*", "**"):
        stop = "/" if part == "*" else "\n"
        open_ = 0
        for place, here in enumerate(reached):
            if place and path[place - 1] == stop:
                open_ = 0
            open_ |= here
            after[place] = open_
    else:
        place = reached.find(1)
        while place >= 0:
            if path.startswith(part, place) if part != "?" else path[place : place + 1] not in ("", "/"):
                after[place + len(part)] = 1
            place = reached.find(1, place + 1)
    return after


def protection(settings: Settings) -> Protected:
    """Return the test (tool name, path argument) -> protected.

    A protected list that is a string matches by substring.
    """
    tools = settings.protected_tools
    paths = settings.protected_paths if isinstance(settings.protected_paths, (list, tuple)) else ()
    globs = [split_glob(glob) for glob in paths if isinstance(glob, str)]

    known: dict[tuple[str, str | None], bool] = {}

    def decide(tool: Any, path: Any) -> bool:
        if isinstance(tools, str):
            if isinstance(tool, str) and tool in tools:
                return True
        elif isinstance(tools, (list, tuple)) and any(tool == name and type(tool) is type(name) for name in tools):
            return True
        if not isinstance(path, str) or not globs:
            return False
        slashed = path.replace("\\", "/")
        return any(glob_matches(glob, slashed) for glob in globs)

    def is_protected(tool: Any, path: Any) -> bool:
        if type(tool) is not str or not (path is None or type(path) is str):
            return decide(tool, path)
        found = known.get((tool, path))
        if found is None:  # a session asks about the same few again and again
            found = known[tool, path] = decide(tool, path)
        return found

    return is_protected
