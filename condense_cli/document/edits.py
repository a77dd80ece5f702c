"""Edits of a document as values, and the one function that carries them out: it returns a new document.

Records that no edit names are shared by both documents. The time is linear in the records and the edits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from condense_cli.model.messages import Record
from condense_cli.model.plan import Edit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from condense_cli.document.document import Document

_NUL = b"\\u0000"


class RecordEdit(NamedTuple):
    """An edit, and what it takes to carry it out; an edit without a record only says more of another one.

    old is the record that is changed, or None where one is inserted. new are the records that take its place: none
    where it is dropped. Where placed, the new record goes after the record `after`, or to the front if that is None.
    skip counts bytes at the beginning of the file that are removed.
    """

    edit: Edit | None = None
    old: Record | None = None
    new: tuple[Record, ...] = ()
    placed: bool = False
    after: Record | None = None
    skip: int = 0


def apply_edits(document: Document, edits: Iterable[RecordEdit]) -> Document:
    """Return the document that the edits make of this one. Later edits of a record count."""
    replaced: dict[Record, tuple[Record, ...]] = {}
    front: list[Record] = []
    followers: dict[Record, list[Record]] = {}
    skip = document.skip
    for edit in edits:
        skip += edit.skip
        if edit.placed:
            target = front if edit.after is None else followers.setdefault(edit.after, [])
            target.extend(edit.new)
            if edit.old is not None:
                replaced[edit.old] = ()
        elif edit.old is not None:
            replaced[edit.old] = edit.new
    if not replaced and not front and not followers and skip == document.skip:
        return document
    closed = document.closed or (document.torn is not None and document.torn.rest in replaced)
    records = list(_in_order(document.records, replaced, front, followers))
    damaged, with_nul = _marks(document, records, replaced)
    return document.changed(records, damaged, with_nul, skip, closed=closed)


def _in_order(
    records: Iterable[Record],
    replaced: dict[Record, tuple[Record, ...]],
    front: list[Record],
    followers: dict[Record, list[Record]],
) -> Iterator[Record]:
    todo: list[Record] = list(reversed(front))
    for record in (None, *records):
        if record is not None:
            todo.append(record)
        while todo:
            one = todo.pop()
            if one in replaced:
                yield from replaced[one]
            else:
                yield one
            if one in followers:
                todo.extend(reversed(followers[one]))


def _marks(
    document: Document, records: list[Record], replaced: dict[Record, tuple[Record, ...]]
) -> tuple[tuple[Record, ...], tuple[Record, ...]]:
    """Return the records that are not read strictly, and those that hold an escaped U+0000, in the new order."""
    nul = set(document.with_nul)
    damaged = (
        tuple(r for r in records if r.damaged) if document.damaged or any(r.damaged for r in _changed(replaced)) else ()
    )
    if not nul and not any(_NUL in (r.data or b"") for r in _changed(replaced)):
        return damaged, ()
    return damaged, tuple(r for r in records if r in nul or (r.data is not None and _NUL in r.data))


def _changed(replaced: dict[Record, tuple[Record, ...]]) -> Iterator[Record]:
    return (record for new in replaced.values() for record in new)
