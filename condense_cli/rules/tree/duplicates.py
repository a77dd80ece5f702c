"""Records that are in the file twice, and ids that two different records own."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

from condense_cli.document import tables
from condense_cli.document.records import BLANK, UNREADABLE
from condense_cli.jsonbytes import jsonedit
from condense_cli.jsonbytes.references import follow
from condense_cli.model.findings import Finding
from condense_cli.model.ids import are_distinct, fresh_id, is_chain
from condense_cli.model.messages import Record
from condense_cli.model.plan import Change
from condense_cli.rules import sessions
from condense_cli.rules.rule import Layer, Rule
from condense_cli.rules.tree.substance import substance

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.document.document import Document
    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.index import Index
    from condense_cli.document.record_draft import RecordDraft

COPIES = frozenset({"duplicate-record", "stale-copy"})  # rules about records that only repeat an earlier one


class Duplicates(NamedTuple):
    """Records with the id of an earlier one: (first or equal, later) pairs.

    same: the same bytes; moved: the same but for their place; different: other records.
    """

    same: tuple[tuple[Record, Record], ...] = ()
    moved: tuple[tuple[Record, Record], ...] = ()
    different: tuple[tuple[Record, Record], ...] = ()


def is_sound(document: Document) -> bool:
    """Say quickly that every id has one owner and every parent comes before its child, so that no tree rule is
    broken.
    """
    records = [record for record in document.records if record.id is not None]
    if is_chain(records):
        return are_distinct([record.id for record in records])
    seen: set[str] = set()
    for record in records:
        ident = record.id
        if ident is None:
            continue
        if ident in seen or (record.parent is not None and record.parent not in seen):
            return False
        seen.add(ident)
    return True


def duplicates(document: Document) -> Duplicates:
    """Find the records with an id that an earlier one has."""
    if not document.is_tree or document.derived(is_sound):
        return Duplicates()
    owners: dict[str, Record] = {}
    order = document.derived(tables.order)
    contents: dict[tuple[str, bytes], Record] = {}
    said: dict[tuple[str, bytes], Record] = {}
    several: set[str] = set()  # ids of which the first record was looked into
    weighed: set[str] = set()
    same: list[tuple[Record, Record]] = []
    moved: list[tuple[Record, Record]] = []
    different: list[tuple[Record, Record]] = []
    for record in document.records:
        if record.id is None:
            continue
        first = owners.setdefault(record.id, record)
        if first is record:
            continue
        if record.id not in several:
            several.add(record.id)
            contents.setdefault((record.id, _digest(document, first)), first)
        alike = contents.setdefault((record.id, _digest(document, record)), record)
        if alike is not record:
            same.append((alike, record))
            continue
        if record.id not in weighed:
            weighed.add(record.id)
            said.setdefault((record.id, substance(document, first)), first)
        alike = said.setdefault((record.id, substance(document, record)), record)
        parent = owners.get(record.parent or "")
        # One with a parent that is below the first is no copy of it: it was written later, and the chain goes on there.
        if alike is not record and (parent is None or order[parent] < order[alike]):
            moved.append((alike, record))
        else:
            different.append((first, record))
    return Duplicates(tuple(same), tuple(moved), tuple(different))


def _digest(document: Document, record: Record) -> bytes:
    return hashlib.sha256(document.raw(record).strip()).digest()


def scan_copies(document: Document) -> Iterator[Finding]:
    """Yield records whose bytes an earlier record with the same id has, and every header after the first."""
    fmt = document.format
    if fmt.one_header:
        headers = [record for record in document.readable() if record.kind in fmt.headers]
        for later in headers[1:]:
            yield Finding("duplicate-record", later.line, later, related=(headers[0].line,), detail="a second header")
    for first, later in document.derived(duplicates).same:
        yield Finding("duplicate-record", later.line, later, related=(first.line,))


def drop_copies(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Remove the later copies."""
    draft = index.draft()
    for finding in findings:
        draft.remove(finding.record, finding.rule)
    return draft.edits


def outdated_copies(document: Document, copies: frozenset[Record], index: Index) -> tuple[RecordEdit, ...]:
    """Remove copies (as they were read) of a record that was changed or dropped: they would be other records with
    its id now.
    """
    if not copies:
        return ()
    groups: dict[str, list[Record]] = {}
    for record in document.records:
        if record.id is not None:
            groups.setdefault(record.id, []).append(record)
    draft = index.draft()
    for group in groups.values():
        mine = [record for record in group if record.as_read in copies]
        rest = [record for record in group if record.as_read not in copies]
        changed = any(record.data is not None for record in group)
        if mine and (changed or not rest):
            for record in mine:
                draft.remove(record, "duplicate-record")
    return draft.edits


def scan_ids(document: Document) -> Iterator[Finding]:
    """Yield records with an id that an earlier, different record owns."""
    for first, later in document.derived(duplicates).different:
        yield Finding("duplicate-id", later.line, later, related=(first.line,))


def rename(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Give each later owner a fresh id; references after it, up to the next owner, follow."""
    document = index.document
    tree = document.format.tree
    assert tree is not None
    draft = index.draft()
    fresh: dict[Record, str] = {}
    for finding in findings:
        ident = fresh_id(finding.record.id or "", document.raw(finding.record), draft.taken)
        draft.taken.add(ident)
        fresh[finding.record] = ident
    names = {record.id for record in fresh}
    now: dict[str, str] = {}
    for record in document.records:
        if record.kind not in ("", BLANK, UNREADABLE):
            _follow(draft, record, fresh.get(record), now)
        if record.id in names and record.id is not None:
            if record in fresh:
                now[record.id] = fresh[record]
            else:
                now.pop(record.id, None)
    return draft.edits


def _follow(draft: RecordDraft, record: Record, own: str | None, now: dict[str, str]) -> None:
    tree = draft.format.tree
    assert tree is not None
    if not now and own is None:
        return
    raw = draft.raw(record)
    changed = follow(raw, draft.value(record), ((tree.parent,), *tree.references), now)
    if own is not None:
        changed = jsonedit.replace(changed, (tree.id,), own)
    if changed != raw:
        draft.rewrite(record, changed, "duplicate-id", Change.REPLACE if own else Change.REPARENT)


DUPLICATE_RECORD = Rule(
    "duplicate-record", Layer.TREE,
    "an earlier record is repeated",
    "the repetition goes",
    sessions.pi(3, sessions.ASKED, sessions.ASKED, sessions.CALLED, sessions.ANSWERED),
    scan=scan_copies,
    fix=drop_copies,
)  # fmt: skip

DUPLICATE_ID = Rule(
    "duplicate-id", Layer.TREE,
    "its id belongs to an earlier, different record",
    "it gets an id of its own, and references to it follow",
    sessions.pi(5, sessions.ASKED, sessions.CALLED, sessions.ANSWERED, sessions.assistant("m3", "m3", sessions.say("One file."))),
    scan=scan_ids,
    fix=rename,
)  # fmt: skip
