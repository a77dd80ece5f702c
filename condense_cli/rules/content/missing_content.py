"""A message without the content that its readers go through."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.jsonbytes import jsonedit
from condense_cli.model.blocks import EMPTY_USER
from condense_cli.rules import sessions
from condense_cli.rules.blocks import by_record
from condense_cli.rules.rule import Layer, Rule
from condense_cli.rules.thread import scan_flaws

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.index import Index
    from condense_cli.model.findings import Finding

_CONTENTS: dict[str, object] = {"user": EMPTY_USER, "text": "", "": []}
"""What is written in, by variant: a user's turn must say something, a result of a chat is a text."""


def fix(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Write a content in."""
    draft = index.draft()
    for record, mine in by_record(findings).items():
        new = jsonedit.replace(draft.raw(record), draft.format.content_path(record), _CONTENTS[mine[0].variant])
        draft.rewrite(record, new, "missing-content")
    return draft.edits


RULE = Rule(
    "missing-content", Layer.CONTENT,
    "the message has no content",
    "an empty one is written in; a user's message says `(empty)`",
    sessions.anthropic(3, sessions.ask(), {"role": "assistant"}, sessions.ask("Go on."), sessions.reply(sessions.use()), sessions.ask([sessions.used()])),
    scan_thread=scan_flaws("missing-content"),
    fix=fix,
)  # fmt: skip
