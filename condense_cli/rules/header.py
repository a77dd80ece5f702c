"""The header layer: sessions of some clients are refused, or overwritten, when the first record is no header."""

from __future__ import annotations

from collections.abc import Callable

from condense_cli.document.document import HELD, Document
from condense_cli.document.records import UNREADABLE
from condense_cli.model.findings import Finding
from condense_cli.model.messages import Record
from condense_cli.model.plan import Change, Edit


def mend_header(document: Document, wanted: Callable[[str], bool]) -> None:
    """Find a missing, misplaced or second header, and mend it where wanted."""
    fmt = document.format
    if not fmt.headers:
        return
    front = next(document.readable(), None)
    if not fmt.one_header and front is not None and front.kind in fmt.headers:
        return
    records = list(document.readable())
    headers = [record for record in records if record.kind in fmt.headers]
    if not headers:
        _missing(document, records, wanted)
        return
    first = headers[0]
    if records[0] is not first:
        document.findings.append(Finding("misplaced-header", first.line, first, related=(records[0].line,)))
        if wanted("misplaced-header"):
            if document.shift(first, None, "misplaced-header") is first:
                document.hold("misplaced-header", first)
            document.settle()
    if fmt.one_header:
        for later in headers[1:]:
            document.findings.append(Finding("duplicate-record", later.line, later, related=(first.line,), detail="a second header"))
            if wanted("duplicate-record"):
                document.drop(later, "duplicate-record")
        document.settle()


def _missing(document: Document, records: list[Record], wanted: Callable[[str], bool]) -> None:
    first = document.records[0] if document.records else None
    place = first or Record(1, 0, 0, b"")
    document.findings.append(Finding("missing-header", 1, place))
    if not wanted("missing-header") or not records:
        return
    header = document.format.header(document)
    if header is None:
        document.findings[-1] = document.findings[-1]._replace(variant=HELD)
        return
    document.add(header, None, "missing-header")
    if first is not None and first.kind == UNREADABLE:
        # What is left of the old header: its readable prefix was used, and it would only be skipped from now on.
        first.gone = True
        document.edits.append(Edit(Change.DROP, "missing-header", first.line, detail="the unreadable header line"))
        document.findings[:] = [f for f in document.findings if f.record is not first or f.rule == "missing-header"]
    document.settle()
