"""An item of the Responses API with a field that the API refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.jsonbytes import jsonedit
from condense_cli.model.plan import Change
from condense_cli.rules import sessions
from condense_cli.rules.rule import Example, Layer, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.document.draft import Draft
    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.index import Index
    from condense_cli.model.findings import Finding
    from condense_cli.rules.thread import Thread

_NAME = "invalid-item"
_NOTE = "[condense] An item stood here whose action the API does not know."
_OPENAI = frozenset({"", "openai"})


def scan(thread: Thread) -> Iterator[Finding]:
    """Yield items with a field that is refused; other hosts than OpenAI take reasoning in plain words."""
    elsewhere = thread.view.model_in_use.provider not in _OPENAI
    for _, finding in thread.flaws(_NAME):
        plain = elsewhere and finding.variant.startswith("content")
        yield finding._replace(variant="elsewhere") if plain else finding


def fix(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Take the field out; an item of an unknown action becomes a note."""
    draft = index.draft()
    for finding in findings:
        path = draft.format.item_path(finding.record, finding.part or 0)
        if finding.variant == "action":
            _to_note(draft, finding, path)
        else:
            field = "content" if finding.variant in ("elsewhere", "content-beside") else finding.variant
            raw = jsonedit.remove(draft.raw(finding.record), (*path, field))
            draft.rewrite(finding.record, raw, _NAME, Change.STRIP, part=finding.part)
    return draft.edits


def _to_note(draft: Draft, finding: Finding, path: tuple[str | int, ...]) -> None:
    note = {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": _NOTE}]}
    raw = draft.raw(finding.record)
    new = (
        jsonedit.replace(raw, path, note)
        if path
        else jsonedit.dump(note, spaced=jsonedit.is_spaced(raw)) + raw[len(raw.rstrip()) :]
    )
    if (
        not draft.rewrite(finding.record, new, _NAME, Change.REPLACE, part=finding.part)
        and finding.record.kind != "compacted"
    ):
        draft.remove(finding.record, _NAME, part=finding.part)


_REASONED = sessions.reasoning(2)
_REASONED["payload"]["id"] = "rs_" + sessions.LONG

RULE = Rule(
    _NAME, Layer.CONTENT,
    "an item has a field that the API refuses",
    "the field goes; an item whose action is unknown becomes a note",
    Example("codex", 3, sessions.lines(sessions.meta(), sessions.item(1, "user", "Go."), _REASONED, sessions.item(3, "assistant", "Done."))),
    scan_thread=scan,
    fix=fix,
)  # fmt: skip
