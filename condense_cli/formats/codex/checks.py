"""What only rollouts can have wrong: a header without an id, items that are sent twice, ordinals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.formats.codex import lineage
from condense_cli.formats.codex.history import Compaction
from condense_cli.formats.codex.items import Item
from condense_cli.formats.codex.made import session_id, stand_in
from condense_cli.formats.codex.meta import Meta, ordinal_of
from condense_cli.formats.codex.paths import item_path
from condense_cli.formats.codex.threads import history_of
from condense_cli.jsonbytes import jsonedit, jsonspan
from condense_cli.model.findings import Finding
from condense_cli.model.messages import Record
from condense_cli.model.plan import Change

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense_cli.document.document import Document
    from condense_cli.document.draft import Draft
    from condense_cli.document.records import Records


def scan(document: Document) -> Iterator[Finding]:
    """Yield a header without an id or with a history that is not there, items that are sent twice, and wrong
    ordinals.
    """
    yield from _nameless_header(document)
    yield from lineage.scan(document)
    yield from _sent_twice(document)
    if document.fixed:
        yield from _ordinals(document)


def fix(draft: Draft, finding: Finding) -> None:
    """Put one of them right."""
    record, raw = finding.record, draft.raw(finding.record)
    if finding.rule == "missing-header":
        draft.rewrite(record, jsonedit.replace(raw, finding.cause, session_id(draft, record)), finding.rule)
    elif finding.rule == "missing-ordinal":
        draft.rewrite(record, _numbered(raw, finding.cause), finding.rule, grows=True)
    elif finding.part is None and not finding.detail:
        draft.remove(record, finding.rule)
    else:
        place = item_path(record, finding.part or 0)
        draft.rewrite(
            record,
            jsonedit.remove(raw, (*place, "id") if finding.detail else place),
            finding.rule,
            Change.STRIP,
            part=finding.part,
        )


def _nameless_header(document: Document) -> Iterator[Finding]:
    record = next((r for r in document.readable() if type(r.extra) is Meta), None)
    if record is not None and not record.extra.id:
        raw = document.raw(record)
        early = not isinstance(document.value(record).get("payload"), dict)  # the first rollouts had no envelope
        path = ("id",) if early else ("payload", "id")
        fits = document.in_same_length(raw, jsonedit.replace(raw, path, session_id(document, record))) is not None
        yield Finding("missing-header", record.line, record, detail="it has no id", possible=fits, cause=path)


def _sent_twice(document: Document) -> Iterator[Finding]:
    ids = [record.id for record in document.records if record.id is not None]
    if len(ids) == len(set(ids)) and not any(type(r.extra) is Compaction for r in document.records):
        return
    first: dict[str, Item] = {}
    sent = history_of(document, list(document.readable())).items
    twice = [
        (first[item.id], item) for item in sent if item.id is not None and first.setdefault(item.id, item) is not item
    ]
    for one, item in reversed(twice):  # from the end, so that places inside a record stay
        record, older = item.message.record, one.message.record
        alike = _value(document, one) == _value(document, item)
        what = "" if alike else "another item has the same id"
        yield Finding(
            "duplicate-record",
            record.line,
            record,
            part=item.at,
            related=(older.line,),
            detail=what,
            possible=_fits(document, item, alike=alike),
        )


def _fits(document: Document, item: Item, *, alike: bool) -> bool:
    """Say whether the fix fits into a file whose lines keep their length."""
    record = item.message.record
    if not document.fixed or item.at is not None or not alike:
        return True
    return document.in_same_length(document.raw(record), stand_in(document, record)) is not None


def _value(document: Records, item: Item) -> Any:
    value = document.value(item.message.record)
    for step in item_path(item.message.record, item.at or 0):
        value = value[step]
    return value


def _ordinals(document: Document) -> Iterator[Finding]:
    records = list(document.readable())
    seen: dict[int, Record] = {}
    for record in records:
        number = ordinal_of(record)
        if number is not None:
            older = seen.setdefault(number, record)
            if older is not record:
                yield Finding(
                    "duplicate-ordinal", record.line, record, related=(older.line,), detail=f"ordinal {number}"
                )
        elif record is not records[-1] or "type" not in document.value(record):
            yield Finding("missing-ordinal", record.line, record, variant="middle", possible=False)
        else:
            yield Finding("missing-ordinal", record.line, record, cause=max(seen, default=-1) + 1)


def _numbered(raw: bytes, number: int) -> bytes:
    """Write the ordinal where the client has it: before the type."""
    if jsonspan.span(raw, ("ordinal",)):
        return jsonedit.replace(raw, ("ordinal",), number)
    start = jsonspan.space_end(raw, 0)
    at = next(member.key_start for member in jsonspan.members(raw, start) if member.key == "type")
    spaced = jsonedit.is_spaced(raw)
    return raw[:at] + (b'"ordinal": %d, ' if spaced else b'"ordinal":%d,') % number + raw[at:]
