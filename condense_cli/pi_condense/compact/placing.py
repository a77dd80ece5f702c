"""Taking the records of chains out of a document, and putting one user message in the place of each chain."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from condense_cli.repair.links import Surgery

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.document.document import Document
    from condense_cli.document.format import View
    from condense_cli.model.messages import Record
    from condense_cli.pi_condense.compact.leaving import Leaving

_STRING = re.compile(rb'"([^"\\]{1,256})"')


class Replacement(NamedTuple):
    """One chain that leaves, and the text of the message that takes its place."""

    leaving: Leaving
    text: str


def put_in(document: Document, view: View, replacements: Sequence[Replacement], rule: str) -> None:
    """Replace all chains of one thread; the document is settled by the caller.

    What hung on a record that is gone hangs on the message, or on what is left of the thread before it; what names it
    follows by the rules of the format, and goes where these say so.
    """
    made = [document.format.replacement(document, r.leaving.records[0], r.leaving.behind, r.text) for r in replacements]
    gone = [record for replacement in replacements for record in replacement.leaving.all]
    surgery = Surgery(document, view)
    if surgery.tree is not None:
        for replacement, value in zip(replacements, made, strict=True):
            _hang(surgery, replacement.leaving, value[0][surgery.tree.id], rule)
    for record in gone:
        record.gone = True
    if surgery.tree is not None:
        _follow(document, gone)
    for replacement, value in zip(replacements, made, strict=True):
        message = document.add(value[0], replacement.leaving.behind, rule)
        for shows_it in value[1:]:
            document.add(shows_it, message, rule)


def _hang(surgery: Surgery, leaving: Leaving, stand_in: str, rule: str) -> None:
    """Hang what hung on a record that goes on the nearest one above that stays; the thread itself goes over the message.

    The records that go are told, too: references to them will name what they hang on.
    """
    above = {record.id: record.parent for record in leaving.records}
    todo: list[tuple[Record, str | None]] = []
    for record in leaving.records:
        parent = record.parent
        for _ in above:
            parent = above.get(parent, parent)
        for child in surgery.children.get(record.id or "", ()):
            if child.id not in above:
                on_thread = parent == leaving.behind.id and id(child) in surgery.place
                todo.append((child, stand_in if on_thread else parent))
        record.parent = parent
    for child, parent in todo:
        surgery.hang(child, parent, rule)


def _follow(document: Document, gone: Sequence[Record]) -> None:
    """Let references follow; the format is asked only about records that are named, for it looks through the whole file."""
    named = set(_named(document, {record.id.encode() for record in gone if record.id is not None}))
    for record in gone:
        if record.id is not None and record.id.encode() in named:
            for lost in document.format.unlink(document, record, None):
                lost.gone = True


def _named(document: Document, ids: set[bytes]) -> Iterator[bytes]:
    for record in document.readable():
        yield from ids.intersection(_STRING.findall(document.raw(record)))
