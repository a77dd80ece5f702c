"""What only rollouts can have wrong: a header without an id, items that are sent twice, ordinals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.formats.codex.history import Compaction
from condense_cli.formats.codex.items import Item
from condense_cli.formats.codex.made import session_id
from condense_cli.formats.codex.meta import Meta, is_fixed, ordinal_of
from condense_cli.formats.codex.paths import item_path
from condense_cli.formats.codex.threads import history_of
from condense_cli.jsonbytes import jsonedit, jsonspan
from condense_cli.model.findings import Finding
from condense_cli.model.messages import Record
from condense_cli.model.plan import Change

if TYPE_CHECKING:
    from collections.abc import Callable

    from condense_cli.document.editing import Editable
    from condense_cli.document.records import Records


def find(document: Editable, wanted: Callable[[str], bool]) -> None:
    """Find a header without an id, items that are sent twice, and ordinals that are missing or stand twice."""
    _nameless_header(document, wanted)
    _sent_twice(document, wanted)
    if is_fixed(document):
        _ordinals(document, wanted)


def _nameless_header(document: Editable, wanted: Callable[[str], bool]) -> None:
    record = next((r for r in document.readable() if type(r.extra) is Meta), None)
    if record is None or record.extra.id:
        return
    document.findings.append(Finding("missing-header", record.line, record, detail="it has no id"))
    if wanted("missing-header"):
        early = not isinstance(document.value(record).get("payload"), dict)  # the first rollouts had no envelope
        path = ("id",) if early else ("payload", "id")
        raw = jsonedit.replace(document.raw(record), path, session_id(document, record))
        if not document.rewrite(record, raw, "missing-header"):
            document.hold("missing-header", record)


def _sent_twice(document: Editable, wanted: Callable[[str], bool]) -> None:
    ids = [record.id for record in document.records if record.id is not None]
    if len(ids) == len(set(ids)) and not any(type(r.extra) is Compaction for r in document.records):
        return
    first: dict[str, Item] = {}
    sent = history_of(document, list(document.readable())).items
    twice = [(first[item.id], item) for item in sent if item.id is not None and first.setdefault(item.id, item) is not item]
    for one, item in reversed(twice):  # from the end, so that places inside a record stay
        record, older = item.message.record, one.message.record
        alike = _value(document, one) == _value(document, item)
        document.findings.append(
            Finding("duplicate-record", record.line, record, part=item.at, related=(older.line,), detail="" if alike else "another item has the same id")
        )
        if not wanted("duplicate-record"):
            continue
        if alike and item.at is None:
            done = document.drop(record, "duplicate-record")
        else:
            place = item_path(record, item.at or 0)
            raw = jsonedit.remove(document.raw(record), place if alike else (*place, "id"))
            done = document.rewrite(record, raw, "duplicate-record", Change.STRIP, part=item.at)
        if not done:
            document.hold("duplicate-record", record)
    document.settle()


def _value(document: Records, item: Item) -> Any:
    value = document.value(item.message.record)
    for step in item_path(item.message.record, item.at or 0):
        value = value[step]
    return value


def _ordinals(document: Editable, wanted: Callable[[str], bool]) -> None:
    records = list(document.readable())
    seen: dict[int, Record] = {}
    for record in records:
        number = ordinal_of(record)
        if number is not None:
            older = seen.setdefault(number, record)
            if older is not record:
                document.findings.append(Finding("duplicate-ordinal", record.line, record, related=(older.line,), detail=f"ordinal {number}"))
        elif record is not records[-1]:
            document.findings.append(Finding("missing-ordinal", record.line, record, variant="middle"))
        else:
            document.findings.append(Finding("missing-ordinal", record.line, record))
            if wanted("missing-ordinal"):
                document.rewrite(record, _numbered(document.raw(record), max(seen, default=-1) + 1), "missing-ordinal", grows=True)


def _numbered(raw: bytes, number: int) -> bytes:
    """Write the ordinal where the client has it: in front of the type."""
    if jsonspan.span(raw, ("ordinal",)):
        return jsonedit.replace(raw, ("ordinal",), number)
    start = jsonspan.space_end(raw, 0)
    at = next(member.key_start for member in jsonspan.members(raw, start) if member.key == "type")
    spaced = jsonedit.is_spaced(raw)
    return raw[:at] + (b'"ordinal": %d, ' if spaced else b'"ordinal":%d,') % number + raw[at:]
