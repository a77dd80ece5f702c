"""Where calls and results are in a message: a path, kept as the family of both halves."""

from __future__ import annotations

from typing import Any

from condense_cli.jsonbytes.jsonspan import Path


def family_of(call: Path, tool: Path) -> str:
    """Name the place of a call and of the tool call that holds its result."""
    return "/".join(map(str, call)) + "+" + "/".join(map(str, tool))


def paths_of(family: str) -> tuple[Path, Path]:
    """Return where the call stands, and the tool call that holds its result; either may be empty."""
    call, _, tool = family.partition("+")
    return _path(call), _path(tool)


def _path(text: str) -> Path:
    return tuple(int(step) if step.isdecimal() else step for step in text.split("/")) if text else ()


def text_of(value: Any) -> str | None:
    """Return a text, or None."""
    return value if isinstance(value, str) else None
