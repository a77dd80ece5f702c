"""What tells a pi session from other files."""

from __future__ import annotations

from typing import Any

from condense_cli.document.views import Head
from condense_cli.formats.pi.reading import ENTRY_TYPES


def detect(head: Head) -> bool:
    """A session header, or entries with id, parentId and a known type where the header is lost."""
    for value in head.records:
        if value.get("type") == "session" and isinstance(value.get("id"), str):
            return value.get("version") in (None, 1, 2, 3) and _looks_like_entries(head.records)
    return any(_is_entry(value) for value in head.records) and not any("uuid" in value for value in head.records)


def _looks_like_entries(records: tuple[dict[str, Any], ...]) -> bool:
    others = [value for value in records if value.get("type") != "session"]
    return not others or any(_is_entry(v) or (_kind(v) in ENTRY_TYPES and "seq" not in v) for v in others)


def _kind(value: dict[str, Any]) -> str:
    kind = value.get("type")
    return kind if isinstance(kind, str) else ""


def _is_entry(value: dict[str, Any]) -> bool:
    return _kind(value) in ENTRY_TYPES and isinstance(value.get("id"), str) and "parentId" in value
