"""A difference as numbers: what each rule changes, where, and how long the file is before and after."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TextIO

from condense_cli.output.sentence import lines_of
from condense_cli.output.tables import Row, table

if TYPE_CHECKING:
    from condense_cli.document.document import Document
    from condense_cli.model.plan import Edit, Plan


def write_stat(plan: Plan, old: Document, new: Document, stream: TextIO, *, color: bool) -> None:
    """Write a row per rule, and the records and bytes of both files; nothing where nothing changes."""
    rules: dict[str, list[Edit]] = {}
    for edit in plan.edits:
        rules.setdefault(edit.rule, []).append(edit)
    rows = [_row(rule, edits) for rule, edits in rules.items()]
    table(("rule", "edits", "where"), rows, stream, color=color)
    if plan.changes:
        sizes = f"{old.source.size} -> {new.source.size} bytes"
        stream.write(f"{len(old.records)} -> {len(new.records)} records, {sizes}\n")


def _row(rule: str, edits: list[Edit]) -> Row:
    kinds = Counter(edit.change.value for edit in edits)
    lines = tuple(sorted({edit.line for edit in edits}))
    return rule, ", ".join(f"{number} {kind}" for kind, number in kinds.items()), lines_of(lines)
