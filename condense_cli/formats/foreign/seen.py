"""What is seen of a file when it is decided whether it belongs to somebody else: its head, its messages, their
blocks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from condense_cli.document.views import Head
from condense_cli.formats.one_document import LISTS

Value = dict[str, Any]


class Seen(NamedTuple):
    """The path, the first bytes, the object at the top, and what is in its list: elements, or the first records of
    lines.
    """

    path: str
    raw: bytes
    top: Value
    items: tuple[Value, ...]
    lines: bool  # the items are lines of the file


def look_at(head: Head) -> Seen:
    """Take the head of a file apart."""
    value = head.document
    if value is None:
        if head.lists:
            items = tuple(one for listed in head.lists for one in _objects(listed))
            return Seen(head.path, head.raw, {}, items, lines=False)
        top = head.records[0] if head.records else {}
        return Seen(head.path, head.raw, top, head.records, lines=True)
    if isinstance(value, dict):
        listed = next((value[key] for key in LISTS if isinstance(value.get(key), list)), None)
        return Seen(head.path, head.raw, value, _objects(listed), lines=False)
    return Seen(head.path, head.raw, {}, _objects(value), lines=False)


def _objects(listed: Any) -> tuple[Value, ...]:
    return tuple(item for item in listed if isinstance(item, dict)) if isinstance(listed, list) else ()


def kind(value: Value) -> str:
    """Return the type of an object, "" where it is no text."""
    found = value.get("type")
    return found if isinstance(found, str) else ""


def role(value: Value) -> str:
    """Return the role of an object, "" where it is no text."""
    found = value.get("role")
    return found if isinstance(found, str) else ""


def inner(value: Value, key: str) -> Value:
    """Return an object inside an object; an empty one where there is none."""
    found = value.get(key)
    return found if isinstance(found, dict) else {}


def blocks(value: Value, key: str = "content") -> Iterator[Value]:
    """Yield the objects of a list of blocks, in the item or in its `message`."""
    for holder in (value, inner(value, "message")):
        yield from _objects(holder.get(key))
