"""One record on several lines: raw newlines inside a string."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

from condense_cli.document.reading import is_whole
from condense_cli.document.records import BLANK, UNREADABLE, Shape
from condense_cli.document.tables import order
from condense_cli.jsonbytes import jsonread, jsonspan
from condense_cli.model.findings import Finding
from condense_cli.rules import sessions
from condense_cli.rules.rule import Layer, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.document.document import Document
    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.index import Index
    from condense_cli.model.messages import Record

_MOST_LINES = 5000  # physical lines that one split record may have
_NAMES = frozenset({
    "id", "parentId", "uuid", "parentUuid", "sessionId", "type", "role", "timestamp", "toolCallId", "tool_use_id", "call_id",
    "callId", "tool_call_id",
})  # fmt: skip
_QUOTE = re.compile(rb'(?<!\\)(?:\\\\)*"')


class Joined(NamedTuple):
    """The one line that a split record should be, and the lines after the first that are part of it."""

    data: bytes
    others: tuple[Record, ...]


def scan(document: Document) -> Iterator[Finding]:
    """Yield the first lines of records that are whole again once their lines are joined with escaped newlines."""
    if document.shape is not Shape.LINES:
        return
    used: set[Record] = set()
    for record in document.damaged:
        if record.kind != UNREADABLE or record in used:
            continue
        joined = _joined(document, record)
        if joined is not None:
            used.update(joined.others)
            last = joined.others[-1]
            # An escaped newline is longer than a raw one.
            yield Finding(
                "split-record",
                record.line,
                record,
                detail=f"lines {record.line} to {last.line} are one record",
                cause=joined,
                possible=not document.fixed,
            )


def _joined(document: Document, record: Record) -> Joined | None:
    raw = document.raw(record)
    body = raw.rstrip(b"\r\n")
    if body.lstrip()[:1] != b"{" or not jsonspan.cut_in_string(body):
        return None
    at = document.derived(order)[record]
    parts = [_escaped(raw, last=False)]
    others: list[Record] = []
    for other in document.records[at + 1 : at + _MOST_LINES]:
        line = document.raw(other)
        # In a string a quote is escaped: a line that begins like a record is one, or was cut off like this one.
        if line.lstrip()[:2] == b'{"' or (
            other.kind not in ("", BLANK, UNREADABLE) and document.format.is_record(document.value(other))
        ):
            return None
        others.append(other)
        if len(_QUOTE.findall(line)) % 2:  # here the string ends, and so must the record
            return _whole(document, b"".join([*parts, _escaped(line, last=True)]), others, line)
        parts.append(_escaped(line, last=False))
    return None


def _whole(document: Document, joined: bytes, others: list[Record], last: bytes) -> Joined | None:
    parsed = jsonread.parse(joined)
    if parsed is None and b"\t" in joined:  # who writes newlines as they are writes tabs as they are
        joined = joined.replace(b"\t", b"\\t")
        parsed = jsonread.parse(joined)
    for name in _broken_names(parsed.value) if parsed is not None else ():
        # Something that wraps text broke the line: no key, id or type has a line break in it.
        joined = joined.replace(_escaped_name(name), _escaped_name(name.replace("\r", "").replace("\n", "")))
        parsed = jsonread.parse(joined)
    if not is_whole(parsed, document.format):
        return None
    return Joined(joined + (last[len(last.rstrip(b"\r\n")) :] or b"\n"), tuple(others))


def _broken_names(value: object) -> list[str]:
    """Return the keys, ids and types that have a line break in them."""
    found: list[str] = []
    todo = [value]
    while todo:
        one = todo.pop()
        if isinstance(one, dict):
            found += [key for key in one if "\n" in key]
            found += [one[key] for key in _NAMES & one.keys() if isinstance(one[key], str) and "\n" in one[key]]
            todo.extend(one.values())
        elif isinstance(one, list):
            todo.extend(one)
    return found


def _escaped_name(name: str) -> bytes:
    return json.dumps(name, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _escaped(raw: bytes, *, last: bool) -> bytes:
    body = raw.rstrip(b"\r\n") if last else raw.removesuffix(b"\n") + b"\n"
    return body.replace(b"\r", b"\\r").replace(b"\n", b"\\n")


def fix(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Join the lines with escaped newlines."""
    draft = index.draft()
    for finding in findings:
        if finding.possible:
            draft.reread(finding.record, finding.cause.data, finding.rule)
            for other in finding.cause.others:
                draft.remove(other, finding.rule)
    return draft.edits


RULE = Rule(
    "split-record", Layer.LINE,
    "unescaped line breaks spread one record over several lines",
    "its lines are put together again, line breaks escaped",
    sessions.pi(2, sessions.SPLIT, sessions.CALLED, sessions.ANSWERED),
    scan=scan,
    fix=fix,
)  # fmt: skip


def lines_of(finding: Finding) -> tuple[Record, ...]:
    """Return the lines that a finding of the line layer explains: of a split record all of them."""
    others = finding.cause.others if isinstance(finding.cause, Joined) else ()
    return (finding.record, *others)
