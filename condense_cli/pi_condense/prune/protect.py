"""Which outputs are never replaced: those of protected tools, and of reads of protected paths."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from condense_cli.pi_condense.prune.settings import Settings

_GLOB_PART = re.compile(r"\*\*/|\*\*|\*|\?|[^*?]+")
_MEANS = {"**/": "(?:[^/]*/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
Protected = Callable[[Any, Any], bool]


def glob_pattern(glob: str) -> re.Pattern[str]:
    """Translate a glob: `**/` any number of folders, `**` anything on one line, `*` and `?` inside a name."""
    return re.compile("".join(_MEANS.get(part) or re.escape(part) for part in _GLOB_PART.findall(glob)))


def protection(settings: Settings) -> Protected:
    """Return the test (tool name, path argument) -> protected. A protected list that is a string matches by substring."""
    tools = settings.protected_tools
    paths = settings.protected_paths if isinstance(settings.protected_paths, (list, tuple)) else ()
    globs = [glob_pattern(glob) for glob in paths if isinstance(glob, str)]

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
        return any(glob.fullmatch(slashed) for glob in globs)

    def is_protected(tool: Any, path: Any) -> bool:
        if type(tool) is not str or not (path is None or type(path) is str):
            return decide(tool, path)
        found = known.get((tool, path))
        if found is None:  # a session asks about the same few again and again
            found = known[tool, path] = decide(tool, path)
        return found

    return is_protected
