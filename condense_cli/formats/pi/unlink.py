"""Entries of a pi session that name another one, when that one is dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.jsonbytes import jsonedit
from condense_cli.model.messages import Record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from condense_cli.document.draft import Draft


def names(record: Record) -> Iterable[str]:
    """Return the id that an entry names elsewhere than as its parent."""
    extra = record.extra
    named = extra[0] if record.kind == "context_edit" and extra else extra
    return (named,) if record.kind in _NAMING and isinstance(named, str) and named else ()


_NAMING = frozenset({"compaction", "label", "branch_summary", "context_edit"})


def unlink(draft: Draft, gone: Record, successor: Record | None, rule: str) -> list[Record]:
    """Let what names a dropped entry name its parent, or what came after it; return edits that lose their target."""
    lost: list[Record] = []
    for record in draft.naming(gone.id or ""):
        now = draft.now(record)
        if draft.is_gone(record) or gone.id not in tuple(names(now)):
            continue
        if now.kind == "context_edit":
            lost.append(record)
        elif now.kind != "label" or gone.parent:
            path, new = _renamed(now, gone, successor)
            draft.rename_reference(record, jsonedit.replace(draft.raw(record), (path,), new), rule)
    return lost


def _renamed(record: Record, gone: Record, successor: Record | None) -> tuple[str, str | None]:
    if record.kind == "compaction":
        return "firstKeptEntryId", successor.id if successor is not None else record.id
    return ("targetId", gone.parent) if record.kind == "label" else ("fromId", gone.parent or "root")
