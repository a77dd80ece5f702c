"""A message with neither text nor call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.jsonbytes import jsonedit, jsonspan
from condense_cli.model.blocks import EMPTY_USER
from condense_cli.model.plan import Change
from condense_cli.rules import sessions
from condense_cli.rules.blocks import by_record
from condense_cli.rules.rule import Layer, Rule
from condense_cli.rules.thread import scan_flaws

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense_cli.document.draft import Draft
    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.index import Index
    from condense_cli.model.findings import Finding
    from condense_cli.model.messages import Record


def fix(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Drop an assistant message; give a user message a marked content."""
    draft = index.draft()
    for record, mine in by_record(findings).items():
        if mine[0].variant == "user":
            _fill(draft, record)
        else:
            draft.drop(record, "empty-message")
    return draft.edits


def _fill(draft: Draft, record: Record) -> None:
    path = draft.format.content_path(record)
    raw = draft.raw(record)
    place = jsonspan.span(raw, path)
    text = place is not None and raw[place[0] : place[0] + 1] == b'"'
    value = EMPTY_USER if text or place is None else [draft.format.text_block(record, 0, EMPTY_USER)]
    draft.rewrite(record, jsonedit.replace(raw, path, value), "empty-message", Change.REPLACE)


RULE = Rule(
    "empty-message", Layer.CONTENT,
    "the message says nothing",
    "it goes; a user's message says `(empty)`",
    sessions.anthropic(4, sessions.ask(), sessions.reply(sessions.say("One file.")), sessions.ask("")),
    scan_thread=scan_flaws("empty-message"),
    fix=fix,
)  # fmt: skip
