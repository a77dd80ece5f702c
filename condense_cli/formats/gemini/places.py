"""Where messages, calls and results are in their record: a path; that of a call is the family of both halves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from condense_cli.jsonbytes.jsonspan import Path
from condense_cli.model.messages import Message


@dataclass(slots=True, eq=False)
class Placed(Message):
    """A message that is not a whole record: an element of a list in it. place: the path to it."""

    place: Path = ()

    @property
    def inside(self) -> Path:
        """Return the path."""
        return self.place


def family_of(call: Path, tool: Path) -> str:
    """Name the place of a call and of the tool call that holds its result."""
    return "/".join(map(str, call)) + "+" + "/".join(map(str, tool))


def paths_of(family: str) -> tuple[Path, Path]:
    """Return where the call is, and the tool call that holds its result; either may be empty."""
    call, _, tool = family.partition("+")
    return _path(call), _path(tool)


def _path(text: str) -> Path:
    return tuple(int(step) if step.isdecimal() else step for step in text.split("/")) if text else ()


def text_of(value: Any) -> str | None:
    """Return a text, or None."""
    return value if isinstance(value, str) else None
