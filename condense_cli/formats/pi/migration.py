"""Entries of older pi versions as pi has them in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.formats.pi.threads import is_linear
from condense_cli.model.messages import Record

if TYPE_CHECKING:
    from condense_cli.document.records import Records


def needs_migration(document: Records) -> bool:
    """Say whether pi would migrate the file: its header names no version, or one before 3."""
    header = next((record for record in document.records if record.kind == "session"), None)
    return header is None or not isinstance(header.extra, (int, float)) or header.extra < 3


def migrate(document: Records, record: Record, value: dict[str, Any]) -> dict[str, Any]:
    """Return the entry as version 3 has it; ids of a version 1 file are its positions in hexadecimal."""
    if record.kind == "session":
        return value
    header_version = next((r.extra for r in document.readable() if r.kind == "session"), 3)
    if is_linear(document):
        n = document.derived(_places).get(record, 0)
        value = {**value, "id": f"{n:08x}", "parentId": f"{n - 1:08x}" if n > 1 else None}
        kept = value.pop("firstKeptEntryIndex", None) if value.get("type") == "compaction" else None
        if isinstance(kept, int) and 0 < kept < n:
            value["firstKeptEntryId"] = f"{kept:08x}"
        header_version = 2
    message = value.get("message")
    if header_version == 2 and isinstance(message, dict) and message.get("role") == "hookMessage":
        value = {**value, "message": {**message, "role": "custom"}}
    return value


def _places(document: Records) -> dict[Record, int]:
    return {record: n for n, record in enumerate(document.readable())}
