"""A last record that is complete but not ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.document.records import BLANK, UNREADABLE, Shape
from condense_cli.model.findings import Finding
from condense_cli.rules import sessions
from condense_cli.rules.rule import Example, Layer, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.document.document import Document
    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.index import Index


def scan(document: Document) -> Iterator[Finding]:
    """Yield the last record of a file of lines that does not end with a newline; an unreadable one is left as it is."""
    if document.shape is not Shape.LINES:
        return
    for record in reversed(document.records):
        end = (
            document.raw(record)[-1:]
            if record.data is not None or record.end == 0
            else document.source.read(record.end - 1, record.end)
        )
        if end == b"\n" or record.kind == UNREADABLE:
            return
        if record.kind != BLANK:
            yield Finding("missing-final-newline", record.line, record)
            return


def fix(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Write the newline."""
    draft = index.draft()
    for finding in findings:
        draft.reread(finding.record, draft.raw(finding.record) + b"\n", finding.rule)
    return draft.edits


RULE = Rule(
    "missing-final-newline", Layer.LINE,
    "no newline ends the last record, so what is appended next would run into it",
    "the newline is written",
    Example("pi", 2, sessions.lines(sessions.HEADER, sessions.ASKED).rstrip()),
    scan=scan,
    fix=fix,
)  # fmt: skip
