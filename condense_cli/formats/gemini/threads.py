"""The one thread of a Gemini CLI session: its messages after the last line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.document.format import View, unknown_leaf
from condense_cli.document.records import Shape
from condense_cli.formats.gemini.detection import TYPES
from condense_cli.formats.gemini.reading import Listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense_cli.document.records import Records


def listed(document: Records) -> list[Listed]:
    """Return the messages as the client has them after the last line, in their order."""
    found: dict[object, Listed] = {}
    for number, record in enumerate(document.readable()):
        if record.kind == "$set":
            if record.extra is not None:
                found = {one.id if one.id is not None else (number, n): one._replace(origin=record, nth=n) for n, one in enumerate(record.extra)}
        elif record.kind == "$rewindTo":
            keys = list(found)
            for key in keys[keys.index(record.extra) if record.extra in found else 0 :]:
                del found[key]
        elif record.kind in TYPES:
            key = record.id if record.id is not None and document.shape is Shape.LINES else (number,)
            before = found.get(key)
            found[key] = Listed(record.id, record.message, record, (), *((before.origin, before.nth) if before else (record, 0)))
    return list(found.values())


def views(document: Records, leaf: str | None = None, every: bool = False) -> Iterator[View]:
    """Yield the one thread; a leaf ends it there."""
    found = listed(document)
    if leaf is not None:
        end = next((n for n, one in enumerate(found) if one.id == leaf), None)
        if end is None:
            raise unknown_leaf(document, leaf, "message", "records")
        found = found[: end + 1]
    path = list(dict.fromkeys(one.record for one in found))
    yield View(path, [one.message for one in found if one.message is not None], leaf=path[-1] if path else None)
