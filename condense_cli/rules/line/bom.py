"""A byte order mark before the first record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.document.edits import RecordEdit
from condense_cli.document.records import Shape
from condense_cli.model.findings import Finding
from condense_cli.model.messages import Record
from condense_cli.model.plan import Change, Edit
from condense_cli.rules import sessions
from condense_cli.rules.rule import Example, Layer, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.document.document import Document
    from condense_cli.document.index import Index

BOM = b"\xef\xbb\xbf"


def scan(document: Document) -> Iterator[Finding]:
    """Yield the first record of a file that begins with the mark."""
    if document.shape is not Shape.LINES:
        if not document.skip and document.source.read(0, len(BOM)) == BOM:
            yield Finding("bom", 1, Record(1, 0, len(BOM)))
        return
    first = document.records[0] if document.records else None
    if first is not None and first.damaged and (raw := document.raw(first)).startswith(BOM):
        yield Finding("bom", first.line, first, possible=document.in_same_length(raw, raw[len(BOM) :]) is not None)


def fix(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Remove the three bytes."""
    if index.document.shape is not Shape.LINES:
        return tuple(RecordEdit(Edit(Change.REPLACE, f.rule, f.line), skip=len(BOM)) for f in findings)
    draft = index.draft()
    for finding in findings:
        data = index.document.in_same_length(draft.raw(finding.record), draft.raw(finding.record)[len(BOM) :])
        if data is not None:
            draft.reread(finding.record, data, finding.rule)
    return draft.edits


RULE = Rule(
    "bom", Layer.LINE,
    "a byte order mark is before the first record",
    "the mark is taken off",
    Example("pi", 1, b"\xef\xbb\xbf" + sessions.lines(sessions.HEADER, sessions.ASKED)),
    scan=scan,
    fix=fix,
)  # fmt: skip
