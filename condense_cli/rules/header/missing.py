"""No readable header record: some clients refuse such a file, or overwrite it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.document.records import UNREADABLE
from condense_cli.model.findings import Finding
from condense_cli.model.messages import Record
from condense_cli.rules import sessions
from condense_cli.rules.rule import Example, Layer, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.document.document import Document
    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.index import Index


def scan(document: Document) -> Iterator[Finding]:
    """Yield line 1 of a file whose format needs a header and that has none."""
    fmt = document.format
    if not fmt.headers or any(record.kind in fmt.headers for record in document.readable()):
        return
    first = document.records[0] if document.records else Record(1, 0, 0, b"")
    header = fmt.header(document) if next(document.readable(), None) is not None else None
    yield Finding("missing-header", 1, first, cause=header, possible=header is not None)


def fix(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Put a header before all; what is left of the old one was used, and is removed."""
    draft = index.draft()
    for finding in findings:
        if finding.cause is not None:
            draft.add(finding.cause, None, finding.rule)
            if finding.record.kind == UNREADABLE:
                draft.remove(finding.record, finding.rule, detail="the unreadable header line")
    return draft.edits


RULE = Rule(
    "missing-header", Layer.HEADER,
    "no header record can be read",
    "a header is made from the file name and the entries, and put in front",
    Example("pi", 1, sessions.lines(sessions.ASKED, sessions.CALLED, sessions.ANSWERED)),
    scan=scan,
    fix=fix,
    absorbs=True,
)  # fmt: skip
