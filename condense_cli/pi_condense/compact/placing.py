"""Taking the records of chains out of a document, and putting one user message in the place of each chain."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from condense_cli.document.index import Index
from condense_cli.model.messages import Record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.document.document import Document
    from condense_cli.document.draft import Draft
    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.views import View
    from condense_cli.pi_condense.compact.leaving import Leaving


class Replacement(NamedTuple):
    """One chain that leaves, and the text of the message that takes its place."""

    leaving: Leaving
    text: str


class Placed(NamedTuple):
    """The edits that replace the chains of one thread, and the records that are dropped because they belong to one."""

    edits: tuple[RecordEdit, ...]
    others: tuple[Record, ...]


def put_in(document: Document, view: View, replacements: Sequence[Replacement], rule: str) -> Placed:
    """Replace all chains of one thread.

    The children of a record that is dropped get the message as their parent, or what is left of the thread before it;
    what names it follows by the rules of the format, and is dropped where these say so.
    """
    replacement_of = document.format.replacement
    made = [replacement_of(document, r.leaving.records[0], r.leaving.previous, r.text) for r in replacements]
    gone = [record for replacement in replacements for record in replacement.leaving.all]
    draft = Index(document, view).draft()
    parents: dict[Record, str | None] = {}
    if draft.tree is not None:
        for replacement, value in zip(replacements, made, strict=True):
            _reparent(draft, replacement.leaving, value[0][draft.tree.id], rule, parents)
    for record in gone:
        draft.remove(record, rule)
    others = tuple(_follow(draft, gone, parents, rule)) if draft.tree is not None else ()
    for replacement, value in zip(replacements, made, strict=True):
        message = draft.add(value[0], replacement.leaving.previous, rule)
        for shows_it in value[1:]:
            draft.add(shows_it, message, rule)
    return Placed(draft.edits, others)


def _reparent(draft: Draft, leaving: Leaving, stand_in: str, rule: str, parents: dict[Record, str | None]) -> None:
    """Give the children of a dropped record the nearest one above that stays; the thread itself goes over the message.

    parents says it of the records that are dropped, too: references to them will name it.
    """
    above = {record.id: record.parent for record in leaving.records}
    stays: dict[str | None, str | None] = {}
    for record in leaving.records:
        parent = record.parent
        seen: set[str | None] = set()
        while parent in above and parent not in stays and parent not in seen:
            seen.add(parent)
            parent = above[parent]
        parent = stays.get(parent, parent)
        stays[record.id] = parents[record] = parent
        for child in list(draft.children(record.id)) if record.id else ():
            if child.id not in above:
                on_thread = parent == leaving.previous.id and child in draft.known.places
                draft.reparent(child, stand_in if on_thread else parent, rule)


def _follow(draft: Draft, gone: Sequence[Record], parents: dict[Record, str | None], rule: str) -> Iterator[Record]:
    """Let references follow; yield the records that are dropped with what they name."""
    for record in gone:
        if record.id is not None and draft.naming(record.id):
            for lost in draft.format.unlink(
                draft, _with_parent(record, parents.get(record, record.parent)), None, rule
            ):
                if not draft.is_gone(lost):
                    draft.remove(lost, rule)
                    yield lost


def _with_parent(record: Record, parent: str | None) -> Record:
    named = Record(record.line, record.start, record.end)
    named.id, named.parent = record.id, parent
    return named
