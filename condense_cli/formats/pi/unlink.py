"""Entries of a pi session that name another one, when that one is dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.jsonbytes import jsonedit
from condense_cli.model.messages import Record
from condense_cli.model.plan import Change

if TYPE_CHECKING:
    from condense_cli.document.editing import Editable


def unlink(document: Editable, gone: Record, heir: Record | None) -> list[Record]:
    """Let what names a record that goes name its parent, or what came after it; return edits that lose their target."""
    lost: list[Record] = []
    twin = any(r is not gone and not r.gone and r.id == gone.id for r in document.records)
    if gone.id is None or twin:
        return lost
    for record in document.records:
        if record.gone or not record.extra:
            continue
        if record.kind == "compaction" and record.extra == gone.id:
            new = heir.id if heir is not None else record.id
            document.rewrite(record, jsonedit.replace(document.raw(record), ("firstKeptEntryId",), new), "orphan-result", Change.REPARENT)
        elif record.kind == "label" and record.extra == gone.id and gone.parent:
            document.rewrite(record, jsonedit.replace(document.raw(record), ("targetId",), gone.parent), "orphan-result", Change.REPARENT)
        elif record.kind == "branch_summary" and record.extra == gone.id:
            document.rewrite(record, jsonedit.replace(document.raw(record), ("fromId",), gone.parent or "root"), "orphan-result", Change.REPARENT)
        elif record.kind == "context_edit" and record.extra[0] == gone.id:
            lost.append(record)
    return lost
