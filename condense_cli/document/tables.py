"""What fixes ask of a whole document, each table made once for it when it is asked for."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condense_cli.document.document import Document
    from condense_cli.document.views import View
    from condense_cli.model.messages import Record


def active_view(document: Document) -> View:
    """Return the thread that the client resumes."""
    return next(iter(document.format.views(document, None, every=False)))


def order(document: Document) -> dict[Record, int]:
    """Return where each record is in the document, from 0."""
    return {record: n for n, record in enumerate(document.records)}


def order_as_read(document: Document) -> dict[Record, int]:
    """Return where each record of the file is now, from 0, by the record as it was read."""
    return {record.as_read: n for n, record in enumerate(document.records)}


def owners(document: Document) -> Counter[str]:
    """Count the records that own each id."""
    return Counter(record.id for record in document.records if record.id is not None)


def children(document: Document) -> dict[str, list[Record]]:
    """Return parent id -> the records that name it as their parent, in file order."""
    found: dict[str, list[Record]] = defaultdict(list)
    for record in document.records:
        parent = document.format.parent_of(document, record)
        if parent:
            found[parent].append(record)
    return found


def references(document: Document) -> dict[str, list[Record]]:
    """Return id -> the records that name it elsewhere than as their parent."""
    found: dict[str, list[Record]] = defaultdict(list)
    for record in document.readable():
        for ident in document.format.names(document, record):
            found[ident].append(record)
    return found


def call_ids(document: Document) -> frozenset[str]:
    """Return every call id that the document holds."""
    found: set[str] = set()
    for record in document.records:
        if record.message is not None:
            found.update(record.message.ids)
    return frozenset(found)
