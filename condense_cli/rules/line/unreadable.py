"""Lines that no other rule explains: the torn end of the file, and what cannot be read as a record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.document.records import UNREADABLE, Shape
from condense_cli.document.tables import order
from condense_cli.jsonbytes import jsonread, jsonspan
from condense_cli.model.findings import Finding
from condense_cli.rules import sessions
from condense_cli.rules.line.nul_bytes import nuls_after
from condense_cli.rules.rule import Layer, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.document.document import Document
    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.index import Index
    from condense_cli.model.messages import Record

_CUT = "the client drops all that comes after it"
_ENVELOPE = 160  # bytes that records may have in common before they say anything


def scan_tail(document: Document) -> Iterator[Finding]:
    """Yield the last line where it breaks off inside a record, or what comes after the whole part of a document."""
    if document.torn is not None and not document.closed and nuls_after(document) is None:
        yield Finding("torn-tail", document.torn.rest.line, document.torn.rest)
    last = next(_unread(document, reverse=True), None)
    if last is not None and is_torn(document, last):
        yield Finding("torn-tail", last.line, last)


def scan_unreadable(document: Document) -> Iterator[Finding]:
    """Yield every other line that is no record; the fix applies only where the next record says all of it again, or the
    client would drop what comes after the line.
    """
    for record in document.unread:
        yield Finding("unreadable-line", record.line, record, detail="no conversation can be read on it", possible=False)
    cut = document.format.cut_at_damage and any(record.message is not None for record in document.records)
    for record in _unread(document):
        body = document.raw(record).rstrip(b"\r\n")
        if jsonread.parse(body) is not None:
            yield Finding("unreadable-line", record.line, record, detail="it is JSON, but no object", possible=cut)
        elif not is_torn(document, record):
            again = _said_again(document, record, body)
            detail = "the next record repeats it in full" if again else _CUT if cut else ""
            yield Finding(
                "unreadable-line",
                record.line,
                record,
                variant="repeated" if again else "",
                detail=detail,
                possible=again or cut,
            )
            if not again and not cut:
                yield from _no_text(document, record)


def _no_text(document: Document, record: Record) -> Iterator[Finding]:
    """Yield a line that is no record and no text either: some clients refuse the whole file for it."""
    raw = document.raw(record)
    if not _is_utf8(raw):
        data = raw.decode("utf-8", "replace").encode()
        yield Finding(
            "invalid-utf8",
            record.line,
            record,
            variant="unreadable",
            cause=data,
            possible=document.in_same_length(raw, data) is not None,
        )


def _unread(document: Document, *, reverse: bool = False) -> Iterator[Record]:
    if document.shape is Shape.LINES:
        yield from (r for r in (reversed(document.damaged) if reverse else document.damaged) if r.kind == UNREADABLE)


def is_torn(document: Document, record: Record) -> bool:
    """Say whether nothing but blank lines comes after a record that breaks off."""
    return record is document.derived(_last_line) and jsonspan.is_cut(document.raw(record).rstrip(b"\r\n"))


def _last_line(document: Document) -> Record | None:
    return next((r for r in reversed(document.records) if not r.damaged or document.raw(r).strip(b"\0 \t\r\n")), None)


def _said_again(document: Document, record: Record, body: bytes) -> bool:
    records = document.records
    for n in range(document.derived(order)[record] + 1, len(records)):
        raw = document.raw(records[n])
        if raw.strip():
            # Without its time a short fragment is no more than the envelope, which many records begin with.
            return raw.startswith(body) or (len(body) > _ENVELOPE and _timeless(raw).startswith(_timeless(body)))
    return False


def _is_utf8(body: bytes) -> bool:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _timeless(raw: bytes) -> bytes:
    """Leave out the first timestamp, so that a record written a second time is known again."""
    key = raw.find(b'"timestamp"')
    if key < 0:
        return raw
    end = raw.find(b",", key)
    return raw[:key] + raw[end + 1 :] if end > 0 else raw


def fix(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Remove the lines whose content is nowhere else needed."""
    draft = index.draft()
    for finding in findings:
        if finding.possible:
            draft.remove(finding.record, finding.rule)
    return draft.edits


UNREADABLE_LINE = Rule(
    "unreadable-line", Layer.LINE,
    "this line cannot be read as a record",
    "taken out when the following record says all of it again; else it stays as it is",
    sessions.pi(3, sessions.ASKED, b"npm warn deprecated\n", sessions.CALLED, sessions.ANSWERED),
    scan=scan_unreadable,
    fix=fix,
)  # fmt: skip

TORN_TAIL = Rule(
    "torn-tail", Layer.LINE,
    "the file ends inside a record that was never finished",
    "the unfinished piece goes, and the line before it ends the file",
    sessions.pi(4, sessions.ASKED, sessions.CALLED, sessions.line(sessions.ANSWERED)[:90]),
    scan=scan_tail,
    fix=fix,
)  # fmt: skip
