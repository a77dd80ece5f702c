"""Where the calls of a message are, and where they are told a second time.

`tool_calls` counts. What a provider sent is kept beside it, in `additional_kwargs` or as a block of the content: a copy
of the call, which the library makes calls of again where it finds no others. So a copy goes and is renamed with its
call.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.model.blocks import words

if TYPE_CHECKING:
    from condense_cli.jsonbytes.jsonspan import Path

_COPIES = {
    "tool_use": "id",
    "tool_call": "id",
    "function_call": "call_id",
}  # blocks that tell a call, and the key of its id


class CallPlace(NamedTuple):
    """A call: where it is in the members of its message, the paths of its parts from there, and their values."""

    whole: Path
    name: Path
    arguments: Path
    key: str
    text: bool
    value: dict[str, Any]

    @property
    def id(self) -> str | None:
        """Return the id of the call, None where it has none."""
        found = self.value.get(self.key)
        return found if isinstance(found, str) else None

    @property
    def called(self) -> str | None:
        """Return the name of the tool."""
        found = _at(self.value, self.name)
        return found if isinstance(found, str) else None

    @property
    def given(self) -> Any:
        """Return the arguments as they are stored, None where there are none."""
        return _at(self.value, self.arguments)

    @property
    def is_given(self) -> bool:
        """Say whether there are arguments."""
        holder = _at(self.value, self.arguments[:-1])
        return isinstance(holder, dict) and self.arguments[-1] in holder


def places(held: dict[str, Any]) -> list[CallPlace]:
    """Return the calls of a message: those that were understood, those that were not, and else what is told of them."""
    found = [*_listed(held, "tool_calls", text=False), *_listed(held, "invalid_tool_calls", text=True)]
    if not found:
        found += _raw(held)
    known = {place.id for place in found}
    found += [
        place
        for place in _blocks(held)
        if place.key == "id" and place.name == ("name",) and place.id not in known and _counts(place)
    ]
    return found


def copies(held: dict[str, Any], ident: str | None, number: int) -> Iterator[tuple[Path, str]]:
    """Yield where the copies of a call are, and the key of their id; number: which call of that id it is, from 0."""
    for kind in (list(_raw(held)), list(_blocks(held))):
        same = [place for place in kind if place.id == ident and ident is not None]
        if number < len(same):
            yield same[number].whole, same[number].key


def _counts(place: CallPlace) -> bool:
    return place.value.get("type") == "tool_use"


def _listed(held: dict[str, Any], key: str, *, text: bool) -> Iterator[CallPlace]:
    listed = held.get(key)
    for n, one in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(one, dict):
            yield CallPlace((key, n), ("name",), ("args",), "id", text, one)


def _raw(held: dict[str, Any]) -> Iterator[CallPlace]:
    more = held.get("additional_kwargs")
    listed = more.get("tool_calls") if isinstance(more, dict) else None
    for n, one in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(one, dict):
            whole = ("additional_kwargs", "tool_calls", n)
            yield CallPlace(whole, ("function", "name"), ("function", "arguments"), "id", True, one)


def _blocks(held: dict[str, Any]) -> Iterator[CallPlace]:
    content = held.get("content")
    for n, block in enumerate(content if isinstance(content, list) else ()):
        key = _COPIES.get(words(block.get("type"))) if isinstance(block, dict) else None
        if key is not None:
            yield CallPlace(("content", n), ("name",), ("input",), key, False, block)


def is_copy(block: Any) -> bool:
    """Say whether a block of a content tells a call."""
    return isinstance(block, dict) and words(block.get("type")) in _COPIES


def _at(value: Any, path: Path) -> Any:
    for step in path:
        value = value.get(step) if isinstance(value, dict) else None
    return value
