"""What one message of a Roo Code task says, in either version, and what compactions and truncations leave out."""

from __future__ import annotations

from typing import Any

from condense_cli.formats.anthropic import reading
from condense_cli.formats.cline.reading import facts, is_message
from condense_cli.formats.roo.modern import as_block, is_part
from condense_cli.model.blocks import words
from condense_cli.model.messages import Record

_MARKS = ("condenseId", "truncationId")
_HIDDEN_BY = ("condenseParent", "truncationParent")


def read(record: Record, value: dict[str, Any]) -> None:
    """Set kind, id, message and facts of one message; an item without a role is none."""
    if not is_message(value):
        record.kind, record.message = words(value.get("type")) or "?", None
        return
    reading.read(record, as_first_version(value))
    ident = value.get("id")
    record.id = ident if isinstance(ident, str) and ident else None
    record.kind = words(value.get("role")) if record.kind == "user" else record.kind
    content = value.get("content")
    modern = frozenset(n for n, block in enumerate(content) if is_part(block)) if isinstance(content, list) else ()
    record.extra = facts(value)._replace(
        summary=value.get("isSummary") is True,
        marks=_texts(value, _MARKS),
        hidden_by=_texts(value, _HIDDEN_BY),
        modern=frozenset(modern),
    )


def as_first_version(value: dict[str, Any]) -> dict[str, Any]:
    """Return a message in the blocks and roles of the first version."""
    content = value.get("content")
    made = {**value, "content": [as_block(block) for block in content]} if isinstance(content, list) else value
    return {**made, "role": "user"} if value.get("role") == "tool" else made


def _texts(value: dict[str, Any], keys: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(text for key in keys if isinstance(text := value.get(key), str))
