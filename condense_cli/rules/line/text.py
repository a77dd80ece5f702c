"""Bytes that are no text, and halves of surrogate pairs, in a line that is a record otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.document.records import BLANK, UNREADABLE
from condense_cli.jsonbytes import jsonread
from condense_cli.model.findings import Finding
from condense_cli.rules import sessions
from condense_cli.rules.rule import Layer, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.document.document import Document
    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.index import Index


def scan_utf8(document: Document) -> Iterator[Finding]:
    """Yield records with bytes that are not UTF-8."""
    return _scan(document, "invalid-utf8")


def scan_surrogates(document: Document) -> Iterator[Finding]:
    """Yield records with half of a surrogate pair, escaped or raw."""
    return _scan(document, "lone-surrogate")


def _scan(document: Document, rule: str) -> Iterator[Finding]:
    for record in document.damaged:
        if record.kind in (BLANK, UNREADABLE):
            continue
        raw = document.raw(record)
        parsed = jsonread.parse(raw)
        if parsed is not None and parsed.fault == rule:
            data = as_text(raw, rule)
            yield Finding(rule, record.line, record, cause=data, possible=document.in_same_length(raw, data) is not None)


def as_text(body: bytes, fault: str) -> bytes:
    """Replace what is no text by U+FFFD and keep every other byte."""
    if fault == "invalid-utf8":
        body = body.decode("utf-8", "replace").encode()
    return jsonread.repair_surrogates(body)


def fix(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Write U+FFFD in the place of what is no text."""
    draft = index.draft()
    for finding in findings:
        data = index.document.in_same_length(draft.raw(finding.record), finding.cause)
        if data is not None:
            draft.reread(finding.record, data, finding.rule)
    return draft.edits


INVALID_UTF8 = Rule(
    "invalid-utf8", Layer.LINE,
    "some bytes are no UTF-8 text",
    "what cannot be decoded becomes U+FFFD",
    sessions.pi(2, sessions.line(sessions.ASKED).replace(b"list files", b"caf\xe9"), sessions.CALLED, sessions.ANSWERED),
    scan=scan_utf8,
    fix=fix,
)  # fmt: skip

LONE_SURROGATE = Rule(
    "lone-surrogate", Layer.LINE,
    "a text was cut inside a character and holds half of a surrogate pair",
    "lone halves become U+FFFD",
    sessions.pi(4, sessions.ASKED, sessions.CALLED, sessions.line(sessions.ANSWERED).replace(b"a.txt", b"done \\ud83d")),
    scan=scan_surrogates,
    fix=fix,
)  # fmt: skip
