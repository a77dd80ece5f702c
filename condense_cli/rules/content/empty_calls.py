"""An answer with a list of calls that holds none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.jsonbytes import jsonedit
from condense_cli.model.plan import Change
from condense_cli.rules import sessions
from condense_cli.rules.blocks import by_record
from condense_cli.rules.rule import Example, Layer, Rule
from condense_cli.rules.thread import scan_flaws

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.index import Index
    from condense_cli.model.findings import Finding


def fix(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Take the empty list out."""
    draft = index.draft()
    for record in by_record(findings):
        draft.rewrite(record, jsonedit.remove(draft.raw(record), ("tool_calls",)), "empty-calls", Change.STRIP)
    return draft.edits


RULE = Rule(
    "empty-calls", Layer.CONTENT,
    "the list of its calls is empty",
    "the list is taken out",
    Example("openai-chat", 3, sessions.array(sessions.ask(), {"role": "assistant", "content": "One file.", "tool_calls": []}, sessions.ask("Thanks."))),
    scan_thread=scan_flaws("empty-calls"),
    fix=fix,
)  # fmt: skip
