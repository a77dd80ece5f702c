"""Messages that a repair makes, in the shape of their neighbour, and calls changed together with their copies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.formats.langchain.calls import copies
from condense_cli.formats.langchain.detection import CLASSES, Shape
from condense_cli.formats.langchain.reading import held_of
from condense_cli.jsonbytes import jsonedit, jsonspan
from condense_cli.model.plan import Change
from condense_cli.pairing.pair import BY_NAME

if TYPE_CHECKING:
    from condense_cli.document.draft import Draft
    from condense_cli.jsonbytes.jsonspan import Path
    from condense_cli.model.messages import Call

_NAMES = {kind: name for name, kind in CLASSES.items()}


def message(shape: Shape | None, kind: str, held: dict[str, Any]) -> dict[str, Any]:
    """Build a message of a type; held: its members. Without a shape, its members are the message."""
    if shape is not None and shape.module:
        return {"lc": 1, "type": "constructor", "id": [*shape.module, _NAMES[kind]], "kwargs": held}
    more = {"additional_kwargs": {}, "response_metadata": {}, "type": kind, **held}
    return {"type": kind, "data": more} if shape is not None and shape.base else more


def drop_call(draft: Draft, call: Call, rule: str) -> bool:
    """Take a call out with its copies; a message that is left without content and calls goes."""
    record = call.record
    at = record.extra.calls[call.part]
    # Each is in a list of its own, so that none of them moves another.
    gone = [at.whole] if call.family == BY_NAME else [at.whole, *(path for path, _ in _copies(draft, call))]
    now = draft.message(record)
    if now is not None and len(now.calls) == 1 and not now.said:
        draft.drop(record, rule, part=call.part, call_id=call.id)
        return True
    raw = draft.raw(record)
    for path in gone:
        raw = _without(raw, path)
    draft.rewrite(record, raw, rule, Change.STRIP, part=call.part, call_id=call.id)
    return True


def _without(raw: bytes, path: Path) -> bytes:
    """Return a message without an element of a list; an empty list that a provider sent goes, too."""
    raw = jsonedit.remove(raw, path)
    outer = jsonspan.span(raw, path[:-1])
    copied = len(path) > 2 and path[-3:-1] == ("additional_kwargs", "tool_calls")
    return jsonedit.remove(raw, path[:-1]) if copied and outer and not jsonspan.elements(raw, outer[0]) else raw


def rename_copies(draft: Draft, call: Call, new: str, rule: str) -> None:
    """Write the new id of a call into its copies."""
    raw = draft.raw(call.record)
    for path, key in _copies(draft, call):
        raw = jsonedit.replace(raw, (*path, key), new)
    draft.rewrite(call.record, raw, rule, Change.REPLACE, part=call.part, call_id=call.id)


def _copies(draft: Draft, call: Call) -> list[tuple[Path, str]]:
    """Return where the copies of a call are in its record now; the call itself is none."""
    shape, at = call.record.extra.shape, call.record.extra.calls[call.part]
    held = held_of(draft.value(call.record), shape)
    found = [((*shape.base, *path), key) for path, key in copies(held, call.id, at.number)]
    return [(path, key) for path, key in found if path != at.whole]
