"""Copies of a record that are the same but for their place: readers that keep the last record of an id read on from
there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.model.findings import Finding
from condense_cli.rules import sessions
from condense_cli.rules.rule import Layer, Rule
from condense_cli.rules.tree.duplicates import drop_copies, duplicates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense_cli.document.document import Document
    from condense_cli.model.messages import Record


def scan(document: Document) -> Iterator[Finding]:
    """Yield later copies; one below the same parent is harmless as long as it is not the last record with an id."""
    found = document.derived(duplicates).moved
    if not found:
        return
    last = next((record for record in reversed(document.records) if record.id is not None), None)
    for first, later in found:
        yield Finding("stale-copy", later.line, later, variant=_variant(first, later, last), related=(first.line,))


def _variant(first: Record, later: Record, last: Record | None) -> str:
    return "harmless" if first.parent == later.parent and later is not last else ""


RULE = Rule(
    "stale-copy", Layer.TREE,
    "a copy of an earlier record is under another parent, and what is between them is lost",
    "the copy is removed",
    sessions.pi(6, sessions.ASKED, sessions.CALLED, sessions.ANSWERED, sessions.SAID, {**sessions.SAID, "parentId": "m1"}),
    scan=scan,
    fix=drop_copies,
)  # fmt: skip
