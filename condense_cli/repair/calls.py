"""Fixers of what a call itself says: its name and its arguments."""

from __future__ import annotations

import re
from typing import Any

from condense_cli.jsonbytes import jsonedit, jsonread, jsonspan
from condense_cli.model.messages import Call
from condense_cli.model.plan import Change
from condense_cli.repair.halves import Context

_LEGAL_START = re.compile(r"[a-zA-Z0-9_-]{1,64}")
UNKNOWN_TOOL = "unknown_tool"


def mend_names(context: Context) -> None:
    """Cut a tool name at the first illegal character, in the call and in its result."""
    document = context.document
    for call in _calls(context):
        match = _LEGAL_START.match(call.name or "")
        name = match[0] if match else UNKNOWN_TOOL
        raw = jsonedit.replace(document.raw(call.record), document.format.call_paths(call).name, name)
        document.rewrite(call.record, raw, "invalid-tool-name", Change.REPLACE, part=call.part, call_id=call.id)
        result = next((p.result for p in context.pairing.pairs if p.call is call), None)
        path = document.format.result_paths(result).name if result is not None else None
        if result is not None and path and jsonspan.span(document.raw(result.record), path):
            raw = jsonedit.replace(document.raw(result.record), path, name)
            document.rewrite(result.record, raw, "invalid-tool-name", Change.REPLACE, call_id=result.id)


def add_arguments(context: Context) -> None:
    """Write empty arguments into a call that has none."""
    document = context.document
    for call in _calls(context):
        paths = document.format.call_paths(call)
        raw = jsonedit.replace(document.raw(call.record), paths.arguments, "{}" if paths.text else {})
        document.rewrite(call.record, raw, "missing-arguments", Change.REPLACE, part=call.part, call_id=call.id)


def mend_arguments(context: Context) -> None:
    """Write the object that a string holds, else empty arguments; the old text stays in the journal."""
    document = context.document
    for call in _calls(context):
        paths = document.format.call_paths(call)
        raw = document.raw(call.record)
        place = jsonspan.span(raw, paths.arguments)
        old = jsonread.loads(raw[place[0] : place[1]]) if place else None
        raw = jsonedit.replace(raw, paths.arguments, _mended(old, text=paths.text))
        document.rewrite(call.record, raw, "invalid-arguments", Change.REPLACE, part=call.part, call_id=call.id)


def _mended(old: Any, *, text: bool) -> Any:
    if text:
        return jsonedit.dump(old).decode() if isinstance(old, dict) else "{}"
    if isinstance(old, str):
        text_of_it = old.replace("\0", "\ufffd").encode("utf-8", "replace")
        parsed = jsonread.parse(text_of_it)
        if parsed is not None and isinstance(parsed.value, dict):
            return text_of_it.strip()
    return {}


def _calls(context: Context) -> list[Call]:
    """Return the calls that the findings sit on."""
    wanted = {(id(f.record), f.part or 0) for f in context.findings}
    return [call for message in context.view.messages for call in message.calls if (id(call.record), call.part) in wanted]
