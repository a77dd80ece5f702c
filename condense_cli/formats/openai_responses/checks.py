"""What only a list of items can have wrong: items with one id."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from condense_cli.formats.codex.items import REASONING, Item
from condense_cli.formats.messages import around, groups
from condense_cli.jsonbytes import jsonedit
from condense_cli.model.findings import Finding
from condense_cli.model.plan import Change

if TYPE_CHECKING:
    from condense_cli.document.document import Document
    from condense_cli.document.draft import Draft
    from condense_cli.document.records import Records
    from condense_cli.document.views import View
    from condense_cli.model.messages import Record


def scan(document: Document) -> Iterator[Finding]:
    """Yield items whose id an earlier item of the list has; detail says where they are two."""
    for group in groups(document):
        first: dict[str, Record] = {}
        for record in group:
            item = record.extra
            if isinstance(item, Item) and item.id and first.setdefault(item.id, record) is not record:
                older = first[item.id]
                alike = document.value(older) == document.value(record)
                detail = "" if alike else "another item has the same id"
                yield Finding("duplicate-record", record.line, record, related=(older.line,), detail=detail)


def fix(draft: Draft, finding: Finding) -> None:
    """Take the copy out; of two items with one id the second loses it."""
    record = finding.record
    if not finding.detail:
        draft.remove(record, finding.rule)
    else:
        draft.rewrite(record, jsonedit.remove(draft.raw(record), ("id",)), finding.rule, Change.STRIP)


def stripped_reasoning(document: Records, view: View) -> Iterator[Finding]:
    """Yield reasoning that a request with `store: false` cannot replay: it has no encrypted content."""
    if around(document, view).get("store") is not False:
        return
    for record in view.path:
        item = record.extra
        if isinstance(item, Item) and item.kind is REASONING and not item.message.flaws:
            value = document.value(record)
            if not value.get("encrypted_content") and not value.get("content"):
                detail = "it has neither content nor encrypted_content, and the request stores nothing"
                yield Finding("dangling-reasoning", record.line, record, part=0, detail=detail)
