"""Taking the records of chains out of a document, and putting one user message in the place of each chain."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.repair.links import Surgery

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.document.document import Document
    from condense_cli.document.format import View
    from condense_cli.model.messages import Record
    from condense_cli.pi_condense.compact.leaving import Leaving

_Value = dict[str, Any]
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
    made = [_stand_in(document, replacement) for replacement in replacements]
    gone = [record for replacement in replacements for record in replacement.leaving.all]
    surgery = Surgery(document, view)
    if surgery.tree is not None:
        for replacement, value in zip(replacements, made, strict=True):
            _hang(surgery, replacement.leaving, value[surgery.tree.id], rule)
    for record in gone:
        record.gone = True
    if surgery.tree is not None:
        _follow(document, gone)
    for replacement, value in zip(replacements, made, strict=True):
        message = document.add(value, replacement.leaving.behind, rule)
        if document.format.NAME == "codex" and "payload" in value:
            event = {"type": "user_message", "message": replacement.text, "images": []}
            document.add({**value, "type": "event_msg", "payload": event}, message, rule)


def _stand_in(document: Document, replacement: Replacement) -> _Value:
    leaving = replacement.leaving
    value = document.format.user_note(document, leaving.records[0], replacement.text)
    if document.format.NAME == "claude-code":
        value["parentUuid"] = leaving.behind.id
        value["isMeta"] = True  # the user did not type it
        before = document.value(leaving.behind).get("timestamp")
        if isinstance(before, str):
            value["timestamp"] = max(value["timestamp"], before)
    return value


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
