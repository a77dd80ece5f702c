"""Arguments that are missing, or no JSON object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.jsonbytes import jsonedit, jsonread, jsonspan
from condense_cli.model.plan import Change
from condense_cli.rules import sessions
from condense_cli.rules.rule import Layer, Rule
from condense_cli.rules.thread import scan_flaws

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.index import Index
    from condense_cli.model.findings import Finding


def add(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Write empty arguments."""
    draft = index.draft()
    for call in index.calls_of(findings):
        paths = draft.format.call_paths(call)
        raw = jsonedit.replace(draft.raw(call.record), paths.arguments, "{}" if paths.text else {})
        draft.rewrite(call.record, raw, "missing-arguments", Change.REPLACE, part=call.part, call_id=call.id)
    return draft.edits


def replace(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Write the object that a string holds, else empty arguments; the old text stays in the journal."""
    draft = index.draft()
    for call in index.calls_of(findings):
        paths = draft.format.call_paths(call)
        raw = draft.raw(call.record)
        place = jsonspan.span(raw, paths.arguments)
        old = jsonread.loads(raw[place[0] : place[1]]) if place else None
        raw = jsonedit.replace(raw, paths.arguments, _legal(old, text=paths.text))
        draft.rewrite(call.record, raw, "invalid-arguments", Change.REPLACE, part=call.part, call_id=call.id)
    return draft.edits


def _legal(old: Any, *, text: bool) -> Any:
    if text:
        return jsonedit.dump(old).decode() if isinstance(old, dict) else "{}"
    if isinstance(old, str):
        text_of_it = old.replace("\0", "\ufffd").encode("utf-8", "replace")
        parsed = jsonread.parse(text_of_it)
        if parsed is not None and isinstance(parsed.value, dict):
            return text_of_it.strip()
    return {}


MISSING = Rule(
    "missing-arguments", Layer.CALL,
    "the call carries no arguments",
    "empty arguments are written",
    sessions.pi(3, sessions.ASKED, sessions.assistant("m2", "m1", sessions.call(arguments=None)), sessions.ANSWERED),
    scan_thread=scan_flaws("missing-arguments"),
    fix=add,
)  # fmt: skip

INVALID = Rule(
    "invalid-arguments", Layer.CALL,
    "the arguments are no JSON object",
    "an object inside a string is unpacked; else they become empty",
    sessions.pi(3, sessions.ASKED, sessions.assistant("m2", "m1", sessions.call(arguments='{"command":"ls"}')), sessions.ANSWERED),
    scan_thread=scan_flaws("invalid-arguments"),
    fix=replace,
)  # fmt: skip
