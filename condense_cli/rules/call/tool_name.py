"""Tool names that no provider takes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from condense_cli.jsonbytes import jsonedit, jsonspan
from condense_cli.model.findings import Finding
from condense_cli.model.plan import Change
from condense_cli.rules import sessions
from condense_cli.rules.rule import Layer, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.document.edits import RecordEdit
    from condense_cli.document.index import Index
    from condense_cli.rules.thread import Thread

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
UNKNOWN_TOOL = "unknown_tool"


def scan(thread: Thread) -> Iterator[Finding]:
    """Yield calls that are sent with an empty or illegal name."""
    good: set[str] = set()
    for message in thread.view.messages:
        if message.skipped:
            continue
        for call in message.calls:
            name = call.name
            if name in good:
                continue
            if name and _NAME.fullmatch(name):
                good.add(name)
            else:
                yield Finding("invalid-tool-name", call.record.line, call.record, part=call.part, call_id=call.id)


def fix(findings: Sequence[Finding], index: Index) -> tuple[RecordEdit, ...]:
    """Cut the name at the first illegal character, in the call and in its result."""
    draft = index.draft()
    for call in index.calls_of(findings):
        match = _NAME.match(call.name or "")
        name = match[0] if match else UNKNOWN_TOOL
        raw = jsonedit.replace(draft.raw(call.record), draft.format.call_paths(call).name, name)
        draft.rewrite(call.record, raw, "invalid-tool-name", Change.REPLACE, part=call.part, call_id=call.id)
        result = index.results.get(call)
        path = draft.format.result_paths(result).name if result is not None else None
        if result is not None and path and jsonspan.span(draft.raw(result.record), path):
            raw = jsonedit.replace(draft.raw(result.record), path, name)
            draft.rewrite(result.record, raw, "invalid-tool-name", Change.REPLACE, call_id=result.id)
    return draft.edits


RULE = Rule(
    "invalid-tool-name", Layer.CALL,
    "no provider takes this tool name",
    "what is legal at its beginning stays, in call and result",
    sessions.pi(3, sessions.ASKED, sessions.assistant("m2", "m1", sessions.call(name="bash ls")), sessions.ANSWERED),
    scan_thread=scan,
    fix=fix,
)  # fmt: skip
