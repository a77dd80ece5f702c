"""U+0000 inside a text, a result or an argument; names and ids have rules of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.document.records import BLANK, UNREADABLE
from condense_cli.jsonbytes import jsonedit
from condense_cli.jsonbytes.jsonread import strings
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
    from condense_cli.rules.thread import Thread


def scan(thread: Thread) -> Iterator[Finding]:
    """Yield the records of the whole file that hold the character; once, with the first thread."""
    document = thread.document
    if not document.with_nul or not thread.first:
        return
    called = called_names(document)
    for record in document.with_nul:
        if record.kind not in (BLANK, UNREADABLE) and _holds_nul(document, record, called):
            yield Finding("nul-character", record.line, record)


def called_names(document: Document) -> frozenset[str]:
    """Return the names of called tools that hold U+0000: their results repeat them, and follow them."""
    messages = [record.message for record in document.with_nul if record.message is not None]
    return frozenset(call.name for message in messages for call in message.calls if call.name and "\0" in call.name)


def _holds_nul(document: Document, record: Record, called: frozenset[str]) -> bool:
    own = _names_of(record) | called
    return any("\0" in text and text not in own for text in strings(document.value(record)))


def _names_of(record: Record) -> set[str]:
    """Return the names and ids that other rules judge."""
    found: set[str | None] = {record.id, record.parent}
    if record.message is not None:
        found.update(half.id for half in record.message.halves)
        found.update(call.name for call in record.message.calls)
    return {text for text in found if text}


def fix(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Write U+FFFD; names and ids are left to their own rules."""
    draft = index.draft()
    called = called_names(index.document)
    for finding in findings:
        own = _names_of(finding.record) | called
        draft.rewrite(
            finding.record, jsonedit.without_nul(draft.raw(finding.record), own), "nul-character", Change.REPLACE
        )
    return draft.edits


RULE = Rule(
    "nul-character", Layer.LINE,
    "a text holds the NUL character",
    "U+FFFD takes its place",
    sessions.pi(4, sessions.ASKED, sessions.CALLED, sessions.result("m3", "m2", text="a\0txt")),
    scan_thread=scan,
    fix=fix,
)  # fmt: skip
