"""NUL bytes outside any string: what a crashed append leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.document.records import Shape
from condense_cli.jsonbytes import jsonread
from condense_cli.model.findings import Finding
from condense_cli.model.plan import Change
from condense_cli.rules import sessions
from condense_cli.rules.rule import Layer, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.document.document import Document
    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.index import Index
    from condense_cli.model.messages import Record


def scan(document: Document) -> Iterator[Finding]:
    """Yield lines of NULs, lines that are a record once their NULs are removed, and NULs after a whole document."""
    if document.shape is not Shape.LINES:
        if (after := nuls_after(document)) is not None:
            yield Finding("nul-bytes", after.line, after, detail=f"{document.raw(after).count(0)} NUL bytes")
        return
    for record in document.damaged:
        raw = document.raw(record)
        body = raw.rstrip(b"\r\n")
        if b"\0" not in body:
            continue
        rest = without_nuls(body)
        if rest is not None:
            data = rest + raw[len(body) :] if rest else b""
            possible = not data or document.in_same_length(raw, data) is not None
            yield Finding(
                "nul-bytes", record.line, record, detail=f"{body.count(0)} NUL bytes", cause=data, possible=possible
            )


def nuls_after(document: Document) -> Record | None:
    """Return what comes after a whole document where it is nothing but NULs."""
    torn = document.torn
    if torn is None or document.closed or torn.closing or document.raw(torn.rest).strip(b"\0 \t\r\n"):
        return None
    return torn.rest


def without_nuls(body: bytes) -> bytes | None:
    """Return what is left of a line without its NULs: nothing, a record, or None where it is neither."""
    inner = body.strip(b"\0 \t\r\n")
    rest = inner if jsonread.parse(inner) else body.replace(b"\0", b"")
    if not rest.strip():
        return b""
    parsed = jsonread.parse(rest)
    return rest if parsed is not None and isinstance(parsed.value, dict) else None


def fix(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Remove the NULs, and lines of nothing else."""
    draft = index.draft()
    for finding in findings:
        if not finding.cause:
            draft.remove(finding.record, finding.rule)
        elif (data := index.document.in_same_length(draft.raw(finding.record), finding.cause)) is not None:
            draft.reread(finding.record, data, finding.rule, Change.STRIP)
    return draft.edits


RULE = Rule(
    "nul-bytes", Layer.LINE,
    "NUL bytes are left of a write that crashed",
    "the NULs are taken out; a line of nothing else goes",
    sessions.pi(3, sessions.ASKED, b"\0" * 8 + b"\n", sessions.CALLED, sessions.ANSWERED),
    scan=scan,
    fix=fix,
)  # fmt: skip
