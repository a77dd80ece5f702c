"""Fixers of content: blocks that a provider refuses go, or a note takes their place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from condense_cli.jsonbytes import jsonedit, jsonread, jsonspan
from condense_cli.model.blocks import EMPTY_USER, USER_NOTE, image_note
from condense_cli.model.findings import Finding
from condense_cli.model.messages import Record
from condense_cli.model.plan import Change
from condense_cli.repair.halves import Context


def drop_blocks(context: Context) -> None:
    """Take blocks out; a record that holds nothing else goes."""
    document = context.document
    for record, findings in _by_record(context).items():
        rule = findings[0].rule
        for finding in sorted(findings, key=lambda f: -(f.part or 0)):
            if _inner(context, finding):
                continue
            path = document.format.block_path(record, finding.part or 0)
            raw = jsonedit.remove(document.raw(record), path)
            outer = jsonspan.span(raw, path[:-1])
            if outer is not None and not jsonspan.elements(raw, outer[0]):
                context.surgery.drop(record, rule, part=finding.part)
                break
            document.rewrite(record, raw, rule, Change.STRIP, part=finding.part)


def replace_images(context: Context) -> None:
    """Put a text note where an image cannot be one."""
    document = context.document
    for record, findings in _by_record(context).items():
        places = document.format.bad_images(document.value(record))
        if places is None:
            places = [(document.format.block_path(record, f.part or 0), f.part or 0, f.detail) for f in findings]
        for path, part, fault in places:
            raw = document.raw(record)
            place = jsonspan.span(raw, path)
            if place is None:
                continue
            note = image_note(_media_type(jsonread.loads(raw[place[0] : place[1]])), fault)
            raw = jsonedit.replace(raw, path, document.format.text_block(record, part, note))
            document.rewrite(record, raw, "invalid-image", Change.REPLACE, part=part)


def _media_type(block: object) -> object:
    if not isinstance(block, dict):
        return None
    source = block.get("source")
    url = block.get("image_url")
    if isinstance(url, dict):
        url = url.get("url")
    if isinstance(url, str) and url.startswith("data:"):
        return url[5:].split(";", 1)[0].split(",", 1)[0]
    return block.get("mimeType") or (source.get("media_type") if isinstance(source, dict) else None) or block.get("media_type")


def calls_last(context: Context) -> None:
    """Put calls behind the text of their message; the order is kept otherwise."""

    def order(record: Record, count: int) -> list[int]:
        calls = {call.part for call in (record.message.calls if record.message else ()) if not call.server}
        return sorted(range(count), key=lambda part: part in calls)

    _reorder(context, order, "text-after-call")


def fill_empty(context: Context) -> None:
    """Drop an assistant message without content; give a user message a marked one."""
    document = context.document
    for record, findings in _by_record(context).items():
        if findings[0].variant != "user":
            context.surgery.drop(record, "empty-message")
            continue
        path = document.format.content_path(record)
        raw = document.raw(record)
        place = jsonspan.span(raw, path)
        text = place is not None and raw[place[0] : place[0] + 1] == b'"'
        value = EMPTY_USER if text or place is None else [document.format.text_block(record, 0, EMPTY_USER)]
        document.rewrite(record, jsonedit.replace(raw, path, value), "empty-message", Change.REPLACE)


def add_first_user(context: Context) -> None:
    """Put a marked user note in front of a thread that starts with an answer."""
    for finding in context.findings:
        if not context.surgery.can_link(finding.record) or context.document.format.add_first_user(context, finding):
            continue
        value = context.document.format.user_note(context.document, finding.record, USER_NOTE)
        context.surgery.insert_before(value, finding.record, "starts-without-user")


def results_first(context: Context) -> None:
    """Put results in front of everything else in their message."""

    def order(record: Record, count: int) -> list[int]:
        results = [result.part for result in (record.message.results if record.message else ())]
        return results + [part for part in range(count) if part not in results]

    _reorder(context, order, "results-not-first")


def _reorder(context: Context, order: Callable[[Record, int], list[int]], rule: str) -> None:
    """Put the blocks of each record's content into the order that is returned for it and their number."""
    document = context.document
    for record in _by_record(context):
        path = document.format.content_path(record)
        raw = document.raw(record)
        place = jsonspan.span(raw, path)
        if place is not None:
            count = len(jsonspan.elements(raw, place[0]))
            document.rewrite(record, jsonedit.reorder(raw, path, order(record, count)), rule, Change.MOVE)


def clean_nul(context: Context) -> None:
    """Replace U+0000 in texts, results and arguments by U+FFFD; names and ids are left to their own rules."""
    from condense_cli.check.engine import names_of, names_with_nul

    document = context.document
    called = names_with_nul(document)
    for record in _by_record(context):
        own = names_of(record) | called
        document.rewrite(record, jsonedit.without_nul(document.raw(record), own), "nul-character", Change.REPLACE)


def drop_records(context: Context) -> None:
    """Take the records out that the findings are about."""
    for record, findings in _by_record(context).items():
        for finding in sorted(findings, key=lambda f: -(f.part or 0)):
            if not _inner(context, finding):
                context.surgery.drop(record, finding.rule)


def _inner(context: Context, finding: Finding) -> bool:
    """Let the format take out what is only a part of its record."""
    return context.document.format.drop_block(context, finding)


def add_reasoning(context: Context) -> None:
    """Write an empty `reasoning_content`, which is what its provider asks to see again."""
    document = context.document
    for record in _by_record(context):
        raw = jsonedit.replace(document.raw(record), ("reasoning_content",), "")
        document.rewrite(record, raw, "missing-reasoning", Change.REPLACE)


def merge_turns(context: Context) -> None:
    """Join neighbours of one role, where the format can."""
    join = context.document.format.merge
    wanted = {id(f.record) for f in context.findings}
    before: Record | None = None
    for message in context.view.messages:
        record = message.record
        if before is not None and id(record) in wanted and join(context.document, before, record, "roles-not-alternating"):
            continue
        before = record


def _by_record(context: Context) -> dict[Record, list[Finding]]:
    found: dict[Record, list[Finding]] = defaultdict(list)
    for finding in context.findings:
        if not finding.record.gone:
            found[finding.record].append(finding)
    return found
