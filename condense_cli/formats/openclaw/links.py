"""Entries of an OpenClaw session that name another one, when that one is dropped or moved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.formats.openclaw.reading import CANONICAL, Aside, Control
from condense_cli.formats.openclaw.threads import fold
from condense_cli.formats.pi import made as pi_made
from condense_cli.formats.pi import unlink as pi_unlink
from condense_cli.jsonbytes import jsonedit, jsonspan
from condense_cli.model.messages import Record
from condense_cli.model.plan import Change

if TYPE_CHECKING:
    from condense_cli.document.editing import Editable
    from condense_cli.document.records import Records


def unlink(document: Editable, gone: Record, heir: Record | None) -> list[Record]:
    """Let what names a record that goes name its parent, or what came after it."""
    if gone.id is None or any(r is not gone and not r.gone and r.id == gone.id for r in document.records):
        return []
    for record in document.records:
        if record.gone:
            continue
        raw = document.raw(record) if record.kind in ("leaf", "reset") and _names(record, gone.id) else None
        if raw is None:
            continue
        if record.kind == "reset":
            raw = jsonedit.replace(raw, ("firstKeptEntryId",), heir.id) if heir is not None else jsonedit.remove(raw, ("firstKeptEntryId",))
        else:
            raw = _renamed(raw, record.extra, gone.id, gone.parent or None)
        document.rewrite(record, raw, "orphan-result", Change.REPARENT)
    # Edits of the context, which pi would take out with their target, are only carried along here.
    pi_unlink.unlink(document, gone, heir)
    return []


def _names(record: Record, ident: str) -> bool:
    return bool(record.extra == ident if record.kind == "reset" else ident in record.extra)


def _renamed(raw: bytes, control: Control, old: str, new: str | None) -> bytes:
    for key, value in (("targetId", control.target), ("appendParentId", control.append)):
        if value == old and jsonspan.span(raw, (key,)):
            raw = jsonedit.replace(raw, (key,), new)
    return raw


def leaf_moved(document: Editable, old: Record | None, new: Record | None, place: int | None, rule: str) -> None:
    """Let the `leaf` entry that put the leaf on a record put it on a new one; place (from 0) is where that counts, else the end."""
    if old is None or old.id is None:
        return
    for n in range(len(document.records) if place is None else place, 0, -1):
        record = document.records[n - 1]
        if record.gone or (record.kind != "leaf" and (record.kind not in CANONICAL or isinstance(record.kind, Aside))):
            continue
        if record.kind == "leaf" and record.extra.target == old.id:
            raw = _renamed(document.raw(record), record.extra, old.id, new.id if new is not None else None)
            document.rewrite(record, raw, rule, Change.REPARENT)
        elif record.kind == "leaf":
            continue  # its target is lost: the client does not follow it
        return


def leads(document: Editable, new: Record, record: Record, rule: str) -> None:
    """Let a reset that keeps a record keep what was put in front of it."""
    for reset in document.records:
        if reset.kind == "reset" and not reset.gone and reset.extra == record.id:
            document.rewrite(reset, jsonedit.replace(document.raw(reset), ("firstKeptEntryId",), new.id), rule, Change.REPARENT)


def keep_leaf(document: Records, leaf: Record) -> dict[str, Any] | None:
    """Build an entry that makes `leaf` the end of the thread again, when another branch's entry became it."""
    if fold(document).leaf is leaf:
        return None
    return pi_made.leaf_entry(document, leaf)
