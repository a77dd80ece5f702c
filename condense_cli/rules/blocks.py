"""Edits of content blocks that several rules share: by record, blocks taken out, blocks in another order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.jsonbytes import jsonedit, jsonspan
from condense_cli.model.plan import Change

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from condense_cli.document.draft import Draft
    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.index import Index
    from condense_cli.model.findings import Finding
    from condense_cli.model.messages import Record


def by_record(findings: Iterable[Finding]) -> dict[Record, list[Finding]]:
    """Group findings by the record that they are about."""
    found: dict[Record, list[Finding]] = {}
    for finding in findings:
        found.setdefault(finding.record, []).append(finding)
    return found


def drop_blocks(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Take blocks out; a record that holds nothing else is dropped."""
    draft = index.draft()
    for record, mine in by_record(findings).items():
        for finding in sorted(mine, key=lambda f: -(f.part or 0)):
            if not draft.is_gone(record) and not draft.format.drop_block(draft, finding):
                drop_block(draft, finding)
    return draft.edits


def drop_block(draft: Draft, finding: Finding) -> None:
    """Take one block out, and its record where that holds nothing else."""
    record = finding.record
    path = draft.format.block_path(record, finding.part or 0)
    raw = jsonedit.remove(draft.raw(record), path)
    outer = jsonspan.span(raw, path[:-1])
    if outer is not None and not jsonspan.elements(raw, outer[0]):
        draft.drop(record, finding.rule, part=finding.part)
    else:
        draft.rewrite(record, raw, finding.rule, Change.STRIP, part=finding.part)


def drop_records(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Take out the records that the findings are about, or the items of a record that holds several."""
    draft = index.draft()
    for record, mine in by_record(findings).items():
        for finding in sorted(mine, key=lambda f: -(f.part or 0)):
            if not draft.is_gone(record) and not draft.format.drop_block(draft, finding):
                draft.drop(record, finding.rule)
    return draft.edits


def reorder(
    findings: Sequence[Finding], index: Index, order: Callable[[Record, int], list[int]]
) -> tuple[RecordEdit, ...]:
    """Put the blocks of each record into the order that is returned for it and their number."""
    draft = index.draft()
    for record, mine in by_record(findings).items():
        path = draft.format.content_path(record)
        raw = draft.raw(record)
        place = jsonspan.span(raw, path)
        if place is not None:
            count = len(jsonspan.elements(raw, place[0]))
            draft.rewrite(record, jsonedit.reorder(raw, path, order(record, count)), mine[0].rule, Change.MOVE)
    return draft.edits
