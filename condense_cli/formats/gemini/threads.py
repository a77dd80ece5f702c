"""The one thread of a Gemini CLI session: its messages after the last line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.document.format import unknown_leaf
from condense_cli.document.records import Shape
from condense_cli.document.views import View
from condense_cli.formats.gemini.answers import with_calls
from condense_cli.formats.gemini.detection import TYPES
from condense_cli.formats.gemini.reading import Listed
from condense_cli.model.findings import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from condense_cli.document.records import Records
    from condense_cli.model.messages import Record


def listed(document: Records) -> list[Listed]:
    """Return the messages as the client has them after the last line, in their order."""
    found: dict[object, Listed] = {}
    for number, record in enumerate(document.readable()):
        found = _after(document, found, number, record)
    return list(found.values())


def _after(document: Records, found: dict[object, Listed], number: int, record: Record) -> dict[object, Listed]:
    """Return the messages after one more line; number is its place among the readable ones, from 0."""
    if record.kind == "$set":
        if record.extra is not None:
            return {one.id: one._replace(origin=record, nth=n) for n, one in enumerate(record.extra)}
    elif record.kind == "session":
        found.update((one.id, one._replace(origin=record, nth=n)) for n, one in enumerate(record.extra or ()))
    elif record.kind == "$rewindTo":
        keys = list(found)
        for key in keys[keys.index(record.extra) if record.extra in found else 0 :]:
            del found[key]
    elif record.kind in TYPES and (record.id is not None or document.shape is not Shape.LINES):
        key = record.id if record.id is not None and document.shape is Shape.LINES else (number,)
        before = found.get(key)
        found[key] = Listed(
            record.id, record.message, record, (), *((before.origin, before.nth) if before else (record, 0))
        )
    return found


def scan_hidden(document: Records) -> Iterator[Finding]:
    """Yield each `$set` that put an older list over newer messages, as long as those did not come back."""
    if not any(record.kind == "$set" and record.extra is not None for record in document.records):
        return
    takers: list[tuple[Record, list[object]]] = []
    found: dict[object, Listed] = {}
    seen: set[object] = set()
    for number, record in enumerate(document.readable()):
        replaces = record.kind == "$set" and record.extra is not None
        before = _sent(found.items()) if replaces else []
        found = _after(document, found, number, record)
        if before:
            kept = set(_sent(found.items()))
            # What compresses or edits a conversation writes messages of its own; an older list has none, and ends
            # earlier.
            if seen.issuperset(kept) and before[-1] not in kept:
                takers.append((record, [key for key in before if key not in kept]))
        seen.update(found if replaces else [record.id])
    for record, lost in takers:
        gone = [key for key in lost if key not in found]
        if gone:
            what = f"{len(gone)} {'message' if len(gone) == 1 else 'messages'} up to {gone[-1]}"
            yield Finding("hidden-history", record.line, record, detail=what, possible=False)


def _sent(messages: Iterable[tuple[object, Listed]]) -> list[object]:
    return [key for key, one in messages if one.message is not None]


def views(document: Records, leaf: str | None = None, every: bool = False) -> Iterator[View]:
    """Yield the one thread; a leaf ends it there."""
    found = listed(document)
    if leaf is not None:
        end = next((n for n, one in enumerate(found) if one.id == leaf), None)
        if end is None:
            raise unknown_leaf(document, leaf, "message", "records")
        found = found[: end + 1]
    path = list(dict.fromkeys(one.record for one in found))
    messages = with_calls([one.message for one in found if one.message is not None])
    yield View(path, messages, leaf=path[-1] if path else None)
