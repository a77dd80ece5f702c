"""An image that cannot be one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.jsonbytes import jsonread, jsonspan
from condense_cli.model.blocks import image_note
from condense_cli.model.plan import Change
from condense_cli.rules import sessions
from condense_cli.rules.blocks import by_record
from condense_cli.rules.media import media_of_record, path_of
from condense_cli.rules.rule import Layer, Rule
from condense_cli.rules.thread import scan_flaws

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.index import Index
    from condense_cli.model.findings import Finding


def fix(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Put a text note in the place of the image."""
    draft = index.draft()
    for record, mine in by_record(findings).items():
        shown = media_of_record(draft, record)
        places = [(path_of(draft, record, m), m.part, m.fault) for m in shown if m.fault and not m.document]
        places = places or [(draft.format.block_path(record, f.part or 0), f.part or 0, f.detail) for f in mine]
        for path, part, what in reversed(places):  # a note may take an element out of a list
            raw = draft.raw(record)
            place = jsonspan.span(raw, path)
            if place is not None:
                note = image_note(_media_type(jsonread.loads(raw[place[0] : place[1]])), what)
                raw = draft.format.note_instead(raw, path, record, part, note)
                draft.rewrite(record, raw, "invalid-image", Change.REPLACE, part=part)
    return draft.edits


def _media_type(block: object) -> object:
    if not isinstance(block, dict):
        return None
    source = block.get("source")
    url = block.get("image_url")
    if isinstance(url, dict):
        url = url.get("url")
    if isinstance(url, str) and url.startswith("data:"):
        return url[5:].split(";", 1)[0].split(",", 1)[0]
    inline = block.get("inlineData", block.get("inline_data"))
    if isinstance(inline, dict):
        return inline.get("mimeType", inline.get("mime_type"))
    return (
        block.get("mimeType")
        or block.get("mime")
        or (source.get("media_type") if isinstance(source, dict) else None)
        or block.get("media_type")
    )


RULE = Rule(
    "invalid-image", Layer.CONTENT,
    "the image cannot be shown to a model",
    "a note says what was there",
    sessions.anthropic(2, sessions.ask([sessions.NOT_AN_IMAGE, sessions.say("What is this?")])),
    scan_thread=scan_flaws("invalid-image"),
    fix=fix,
)  # fmt: skip
