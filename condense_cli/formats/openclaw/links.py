"""Entries of an OpenClaw session that name another one, when that one is dropped or moved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.formats.openclaw.reading import CANONICAL, Aside, Control
from condense_cli.formats.openclaw.threads import fold
from condense_cli.formats.pi import made as pi_made
from condense_cli.formats.pi import unlink as pi_unlink
from condense_cli.jsonbytes import jsonedit, jsonspan
from condense_cli.model.messages import Record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from condense_cli.document.draft import Draft
    from condense_cli.document.records import Records


def names(document: Records, record: Record) -> Iterable[str]:
    """Return the ids that an entry names elsewhere than as its parent."""
    if record.kind == "reset":
        return (record.extra,) if record.extra else ()
    if record.kind == "leaf":
        return tuple(dict.fromkeys(ident for ident in record.extra if ident))
    return pi_unlink.names(record)


def unlink(draft: Draft, gone: Record, successor: Record | None, rule: str) -> list[Record]:
    """Let what names a dropped entry name its parent, or what came after it."""
    for record in draft.naming(gone.id or ""):
        now = draft.now(record)
        if draft.is_gone(record) or now.kind not in ("leaf", "reset") or not _names(now, gone.id or ""):
            continue
        raw = draft.raw(record)
        if now.kind == "reset":
            raw = (
                jsonedit.replace(raw, ("firstKeptEntryId",), successor.id)
                if successor is not None
                else jsonedit.remove(raw, ("firstKeptEntryId",))
            )
        else:
            raw = _renamed(raw, now.extra, gone.id or "", gone.parent or None)
        draft.rename_reference(record, raw, rule)
    # Edits of the context, which pi would take out with their target, are only carried along here.
    pi_unlink.unlink(draft, gone, successor, rule)
    return []


def _names(record: Record, ident: str) -> bool:
    return bool(record.extra == ident if record.kind == "reset" else ident in record.extra)


def _renamed(raw: bytes, control: Control, old: str, new: str | None) -> bytes:
    for key, value in (("targetId", control.target), ("appendParentId", control.append)):
        if value == old and jsonspan.span(raw, (key,)):
            raw = jsonedit.replace(raw, (key,), new)
    return raw


def leaf_moved(draft: Draft, old: Record | None, new: Record | None, before: Record | None, rule: str) -> None:
    """Let the `leaf` entry that put the leaf on a record put it on a new one; it counts up to `before`, else to the
    end.
    """
    if old is None or old.id is None:
        return
    for n in range(len(draft.records) if before is None else draft.known.order.get(before, 0), 0, -1):
        record = draft.records[n - 1]
        now = draft.now(record)
        if draft.is_gone(record) or (now.kind != "leaf" and (now.kind not in CANONICAL or isinstance(now.kind, Aside))):
            continue
        if now.kind == "leaf" and now.extra.target == old.id:
            raw = _renamed(draft.raw(record), now.extra, old.id, new.id if new is not None else None)
            draft.rename_reference(record, raw, rule)
        elif now.kind == "leaf":
            continue  # its target is lost: the client does not follow it
        return


def leads(draft: Draft, new: Record, record: Record, rule: str) -> None:
    """Let a reset that keeps a record keep what was put before it."""
    for reset in draft.naming(record.id or ""):
        if draft.now(reset).kind == "reset" and not draft.is_gone(reset):
            draft.rename_reference(reset, jsonedit.replace(draft.raw(reset), ("firstKeptEntryId",), new.id), rule)


def keep_leaf(document: Records, leaf: Record) -> dict[str, Any] | None:
    """Build an entry that makes `leaf` the end of the thread again, when another branch's entry became it."""
    if document.derived(fold).leaf is leaf:
        return None
    return pi_made.leaf_entry(document, leaf)
