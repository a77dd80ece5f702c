"""A header that is not the first record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.model.findings import Finding
from condense_cli.rules import sessions
from condense_cli.rules.rule import Example, Layer, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.document.document import Document
    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.index import Index


def scan(document: Document) -> Iterator[Finding]:
    """Yield the first header where another record comes before it."""
    headers = document.format.headers
    if not headers:
        return
    front = next(document.readable(), None)
    if front is None or front.kind in headers:
        return
    first = next((record for record in document.readable() if record.kind in headers), None)
    if first is not None:
        yield Finding("misplaced-header", first.line, first, related=(front.line,), possible=not document.fixed)


def fix(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Move the header to the front."""
    draft = index.draft()
    for finding in findings:
        draft.shift(finding.record, None, finding.rule)
    return draft.edits


RULE = Rule(
    "misplaced-header", Layer.HEADER,
    "other records are before the header",
    "the header goes to the front",
    Example("pi", 2, sessions.lines(sessions.ASKED, sessions.HEADER, sessions.CALLED, sessions.ANSWERED)),
    scan=scan,
    fix=fix,
)  # fmt: skip
