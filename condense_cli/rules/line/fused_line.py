"""Several records, or pieces of them, on one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.document.reading import is_whole
from condense_cli.document.records import UNREADABLE, Shape
from condense_cli.jsonbytes import jsonread, jsonspan
from condense_cli.model.findings import Finding
from condense_cli.rules import sessions
from condense_cli.rules.rule import Layer, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.document.document import Document
    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.index import Index

_MOST_STARTS = 2000  # places inside one damaged line where a record is looked for
_MOST_SCANNED = 16 << 20  # bytes of a damaged line that the search may walk over, all starts together


def scan(document: Document) -> Iterator[Finding]:
    """Yield lines that hold whole records and are none themselves."""
    if document.shape is not Shape.LINES:
        return
    for record in document.damaged:
        if record.kind != UNREADABLE:
            continue
        raw = document.raw(record)
        body = raw.rstrip(b"\r\n")
        if jsonread.parse(body) is not None:
            continue
        pieces = list(_pieces(document, body))
        whole = [body[start:end] for start, end, is_whole in pieces if is_whole]
        if not whole:
            continue
        lost = len(pieces) - len(whole)
        detail = f"{len(whole)} whole record{'s' * (len(whole) > 1)}" + (
            f" and {lost} fragment{'s' * (lost > 1)}" if lost else ""
        )
        lines = _lines(document, raw, whole, raw[len(body) :] or b"\n")
        yield Finding("fused-line", record.line, record, detail=detail, cause=lines, possible=bool(lines))


def _lines(document: Document, raw: bytes, records: list[bytes], ending: bytes) -> list[bytes]:
    """Give each record a line; where lines keep their length, together they must not be longer than before."""
    found = [record + ending for record in records]
    if document.fixed:
        room = len(raw) - sum(map(len, found))
        if room < 0:
            return []
        found[-1] = records[-1] + b" " * room + ending
    return found


def _pieces(document: Document, body: bytes) -> Iterator[tuple[int, int, bool]]:
    """Yield (start, end, whole) of each record and each fragment of a line."""
    done = at = tries = scanned = 0
    while True:
        start = body.find(b"{", at)
        if start < 0 or tries >= _MOST_STARTS or scanned > _MOST_SCANNED:
            break
        tries += 1
        try:
            end = jsonspan.value_end(body, start)
        except ValueError:
            scanned += len(body) - start
            at = start + 1
            continue
        scanned += end - start
        parsed = jsonread.parse(body[start:end]) if body[start + 1 : start + 2] in b'" \t' else None
        if not is_whole(parsed, document.format):
            at = start + 1
            continue
        if body[done:start].strip(b" \t\r\0,"):
            yield done, start, False
        yield start, end, True
        done = at = end
    if body[done:].strip(b" \t\r\0,"):
        yield done, len(body), False


def fix(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Put each whole record on a line of its own and leave fragments out."""
    draft = index.draft()
    for finding in findings:
        if finding.cause:
            draft.split(finding.record, finding.cause, finding.rule, detail=finding.detail)
    return draft.edits


RULE = Rule(
    "fused-line", Layer.LINE,
    "several records, or pieces of them, share one line",
    "each whole record moves to a line of its own; pieces go",
    sessions.pi(2, sessions.line(sessions.ASKED).rstrip() + sessions.line(sessions.CALLED), sessions.ANSWERED),
    scan=scan,
    fix=fix,
)  # fmt: skip
