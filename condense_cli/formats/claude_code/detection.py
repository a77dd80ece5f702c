"""What tells a Claude Code transcript from other files."""

from __future__ import annotations

from typing import Any

from condense_cli.document.views import Head
from condense_cli.formats.claude_code.reading import is_record


def detect(head: Head) -> bool:
    """A chain record with its session, or the metadata records that many files begin with."""
    return any(_is_own(value) for value in head.records)


def _is_own(value: dict[str, Any]) -> bool:
    if "uuid" in value and "parentUuid" in value and "sessionId" in value:
        return isinstance(value.get("type"), str)
    return "uuid" not in value and is_record(value)
