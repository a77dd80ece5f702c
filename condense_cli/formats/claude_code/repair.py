"""How a Claude Code session is mended: what new records look like, and what follows when one is moved or goes."""

from __future__ import annotations

import itertools
from collections import defaultdict
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from condense_cli.document.format import CallPaths, ResultPaths
from condense_cli.formats.claude_code.records import BOUNDARY, MIXED, facts
from condense_cli.formats.claude_code.thread import chain_of
from condense_cli.jsonbytes import jsonedit, jsonread, jsonspan
from condense_cli.model.findings import Finding
from condense_cli.model.messages import Call, Record, Result, Role
from condense_cli.model.plan import Change

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from condense_cli.document.document import Document
    from condense_cli.repair.halves import Context

KEPT_LEAF = "[condense] The conversation goes on from here."
_ENVELOPE = ("isSidechain", "userType", "entrypoint", "cwd", "sessionId", "version", "gitBranch", "agentId", "slug")


# ---------------------------------------------------------------------- places
def call_paths(call: Call) -> CallPaths:
    """A call is a block of message.content."""
    block = ("message", "content", call.part)
    return CallPaths(block, (*block, "id"), (*block, "name"), (*block, "input"))


def result_paths(result: Result) -> ResultPaths:
    """A result is a block of message.content; it does not name its tool."""
    block = ("message", "content", result.part)
    return ResultPaths(block, (*block, "tool_use_id"))


def block_path(record: Record, part: int) -> jsonspan.Path:
    """A block of message.content, or the image inside a result that cannot be one."""
    for block, image in facts(record).images:
        if block == part:
            return ("message", "content", part, "content", image)
    return ("message", "content", part)


def content_path(record: Record) -> jsonspan.Path:
    """The content of the message."""
    return ("message", "content")


def text_block(record: Record, part: int, text: str) -> dict[str, Any]:
    """Build a text block."""
    return {"type": "text", "text": text}


# ---------------------------------------------------------------------- new records
def answer(document: Document, call: Call, after: Record, text: str) -> dict[str, Any]:
    """Build the result of a call: one millisecond after the call, but not before the record that it goes behind."""
    block = {"tool_use_id": call.id, "type": "tool_result", "content": text, "is_error": True}
    time = max(_shifted(facts(call.record).time, 1), facts(after).time)
    made = _record(document, call.record, after, time, f"answer {call.id} {call.part}", {"role": "user", "content": [block]})
    made["toolUseResult"] = f"Error: {text}"
    made["sourceToolAssistantUUID"] = call.record.id
    return made


def user_note(document: Document, before: Record, text: str) -> dict[str, Any]:
    """Build a prompt that takes the place of the record's parent, one millisecond earlier."""
    time = _shifted(facts(before).time, -1)
    made = _record(document, before, before, time, "note", {"role": "user", "content": text})
    made["parentUuid"] = before.parent
    return made


def result_note(document: Document, result: Result) -> dict[str, Any] | None:
    """Build the record again with the result's text as a note in its place."""
    value: dict[str, Any] = document.value(result.record)
    blocks = list(value["message"]["content"])
    said = _texts(blocks[result.part].get("content"))
    blocks[result.part] = {"type": "text", "text": f"[condense] Result of a call that is not in this conversation:\n{said}"}
    value = {**value, "message": {**value["message"], "content": blocks}}
    if not any(isinstance(b, dict) and b.get("type") == "tool_result" for b in blocks):
        value = {key: item for key, item in value.items() if key not in _OF_RESULTS}
    return value


def _texts(content: Any) -> str:
    if isinstance(content, str):
        return content
    texts = (block.get("text") for block in content if isinstance(block, dict)) if isinstance(content, list) else ()
    return "\n".join(text for text in texts if isinstance(text, str))


_OF_RESULTS = ("toolUseResult", "sourceToolAssistantUUID")


def keep_leaf(document: Document, leaf: Record) -> dict[str, Any] | None:
    """Build a system record to hang behind the old leaf when another branch would be newer now."""
    chain = chain_of(document)
    end = chain.leaf()
    if end is None or any(record.id == leaf.id for record in chain.up(end)):
        return None
    made = _record(document, leaf, leaf, _shifted(facts(end).time, 1), "leaf", None)
    made.update(type="system", subtype="informational", content=KEPT_LEAF, level="info", isMeta=False)
    return made


def leaf_place(document: Document, leaf: Record) -> Record:
    """Say behind which record it stands: the client looks for titles and modes in the last lines, so those stay last."""
    return leaf


def _record(document: Document, like: Record, after: Record, time: str, salt: str, message: dict[str, Any] | None) -> dict[str, Any]:
    from condense_cli.model.ids import fresh_id

    old = document.value(like)
    made: dict[str, Any] = {"parentUuid": after.id}
    made.update((key, old[key]) for key in _ENVELOPE if key in old)
    if message is not None:
        made["type"] = "user"
        made["message"] = message
    taken: set[str | None] = {record.id for record in document.records}
    made["uuid"] = fresh_id("0" * 8 + "-0000" * 3 + "-" + "0" * 12, f"{like.id} {after.id} {salt}".encode(), taken)
    made["timestamp"] = time
    return made


def _shifted(time: str, milliseconds: int) -> str:
    """Add milliseconds to an ISO time; what is no time stays as it is."""
    try:
        moved = datetime.fromisoformat(time) + timedelta(milliseconds=milliseconds)
    except (ValueError, OverflowError):
        return time
    zone = "Z" if time.endswith("Z") else moved.isoformat()[len(moved.replace(tzinfo=None).isoformat()) :]
    return moved.replace(tzinfo=None).isoformat(timespec="milliseconds") + zone


# ---------------------------------------------------------------------- calls and results
def add_answer(context: Context, call: Call, cycle: int, rule: str) -> bool:
    """Answer a call where its response ends."""
    from condense_cli.model.blocks import ANSWER
    from condense_cli.repair.halves import cycle_end

    beside = any(record is call.record for record in context.view.beside)
    # A call on a side branch has its result there, as the client would write it.
    anchor = call.record if beside else cycle_end(context, cycle)
    made = context.surgery.insert(answer(context.document, call, anchor, ANSWER), anchor, rule, call_id=call.id)
    _preserve(context, anchor, made, rule)
    return True


def _preserve(context: Context, anchor: Record, made: Record, rule: str) -> None:
    """Let a compaction that preserved a record preserve what was put behind it."""
    boundary = next((r for r in reversed(context.view.path) if facts(r).flags & BOUNDARY), None)
    if boundary is None or boundary.gone:
        return
    document = context.document
    raw = changed = document.raw(boundary)
    base = ("compactMetadata", "preservedMessages")
    for key in ("uuids", "allUuids"):
        listed = _at(document.value(boundary), (*base, key))
        if isinstance(listed, list) and anchor.id in listed:
            changed = jsonedit.insert(changed, (*base, key), listed.index(anchor.id) + 1, made.id)
    for last in (("compactMetadata", "preservedSegment", "tailUuid"), ("logicalParentUuid",)):
        if _at(document.value(boundary), last) == anchor.id:
            changed = jsonedit.replace(changed, last, made.id)
    if changed != raw:
        document.rewrite(boundary, changed, rule, Change.REPARENT)


def _at(value: Any, path: jsonspan.Path) -> Any:
    for step in path:
        if not isinstance(value, dict) or step not in value:
            return None
        value = value[step]
    return value


def drop_result(context: Context, result: Result, rule: str) -> bool:
    """Take a result out of a record that says more; what the client kept for showing it goes with the last one."""
    document, record = context.document, result.record
    raw = document.raw(record)
    content = jsonspan.span(raw, ("message", "content"))
    if content is None or len(jsonspan.elements(raw, content[0])) < 2:
        return False
    document.rewrite(record, _without(raw, record, result), rule, Change.STRIP, part=result.part, call_id=result.id)
    return True


def _without(raw: bytes, record: Record, result: Result) -> bytes:
    raw = jsonedit.remove(raw, result_paths(result).whole)
    if record.message is not None and len(record.message.results) < 2:
        for key in _OF_RESULTS:
            raw = jsonedit.remove(raw, (key,))
    return raw


def move_result(context: Context, result: Result, anchor: Record, call: Call | None, rule: str) -> bool:
    """Move a result that is no record of its own; a plain one is left to the common way."""
    document, record = context.document, result.record
    if result.server:
        if call is not None:
            _close_ranks(context, call, result, rule)
        return True
    if any(other is record for other in context.view.beside):
        return True  # results on side branches stand at their call already
    value = document.value(record)
    content = _at(value, ("message", "content"))
    if not isinstance(content, list) or len(content) < 2:
        return False
    time = max(facts(anchor).time, _shifted(facts(call.record).time, 1) if call is not None else "")
    made = _record(document, record, anchor, time, f"move {result.id} {result.part}", {"role": "user", "content": [content[result.part]]})
    if record.message is not None and len(record.message.results) == 1:
        made.update((key, value[key]) for key in _OF_RESULTS if key in value)
    elif call is not None:
        made["sourceToolAssistantUUID"] = call.record.id
    document.rewrite(record, _without(document.raw(record), record, result), rule, Change.STRIP, part=result.part, call_id=result.id)
    inserted = context.surgery.insert(made, anchor, rule, call_id=result.id)
    _preserve(context, anchor, inserted, rule)
    return True


def _close_ranks(context: Context, call: Call, result: Result, rule: str) -> None:
    """Bring the records of one response together: what stands between them goes behind the last of them, in its order."""
    surgery, document = context.surgery, context.document
    name = facts(result.record).response
    mine = [call.record]
    others: list[Record] = []
    at = surgery.next(call.record)
    while at is not None and at is not result.record:
        (mine if _is_part(at, name) else others).append(at)
        at = surgery.next(at)
    if at is None or any(r.gone for r in (*mine, *others)) or not others:
        return
    while at is not None and _is_part(at, name):
        mine.append(at)
        at = surgery.next(at)
    order = [*mine, *others]
    for above, below in itertools.pairwise(order):
        surgery.hang(below, above.id, rule)
    if at is not None and at.parent == mine[-1].id:
        surgery.hang(at, order[-1].id, rule)
    anchor = mine[-1]
    for record in others:
        anchor = document.shift(record, anchor, rule)


def _is_part(record: Record, name: str | None) -> bool:
    message = record.message
    return message is not None and message.role is Role.ASSISTANT and not message.skipped and facts(record).response == name


def drop_block(context: Context, finding: Finding) -> bool:
    """Leave unsigned thinking alone where its response has signed thinking, too."""
    return finding.rule == "unsigned-thinking" and finding.variant == MIXED


# ---------------------------------------------------------------------- references
class _Names:
    """Which records name which ids, beside their parents."""

    def __init__(self, document: Document) -> None:
        self.by_id: dict[str, list[Record]] = defaultdict(list)
        for record in document.readable():
            if record.kind in ("assistant", "progress", "attachment"):
                continue
            raw = document.raw(record)
            if any(key in raw for key in _KEYS):
                for name in _named(jsonread.loads(raw)):
                    self.by_id[name].append(record)


_NAMES: WeakKeyDictionary[Document, tuple[int, _Names]] = WeakKeyDictionary()
_SINGLE: tuple[jsonspan.Path, ...] = (
    ("logicalParentUuid",),
    ("sourceToolAssistantUUID",),
    ("leafUuid",),
    ("messageId",),
    ("checkpointUuid",),
    ("rewindToUuid",),
    ("interruptedMessageId",),
    ("compactMetadata", "preservedSegment", "headUuid"),
    ("compactMetadata", "preservedSegment", "anchorUuid"),
    ("compactMetadata", "preservedSegment", "tailUuid"),
    ("compactMetadata", "preservedMessages", "anchorUuid"),
)
_LISTS: tuple[jsonspan.Path, ...] = (
    ("supersedesUuids",),
    ("retractedMessageUuids",),
    ("compactMetadata", "preservedMessages", "uuids"),
    ("compactMetadata", "preservedMessages", "allUuids"),
)
_KEYS = tuple(f'"{path[0]}"'.encode() for path in (*_SINGLE, *_LISTS))


def _named(value: Any) -> Iterator[str]:
    for path in _SINGLE:
        found = _at(value, path)
        if isinstance(found, str):
            yield found
    for path in _LISTS:
        found = _at(value, path)
        if isinstance(found, list):
            yield from (item for item in found if isinstance(item, str))


def unlink(document: Document, gone: Record, heir: Record | None) -> list[Record]:
    """Let what names a record that goes name its parent, or the record behind it; return snapshots of it, which go, too."""
    if gone.id is None or any(r is not gone and not r.gone and r.id == gone.id for r in document.records):
        return []
    rule = document.edits[-1].rule if document.edits else "orphan-result"
    lost: list[Record] = []
    for record in _naming(document, gone.id):
        if record.gone:
            continue
        value = document.value(record)
        if record.kind == "file-history-snapshot":
            if value.get("messageId") == gone.id:
                lost.append(record)
            continue
        raw = changed = document.raw(record)
        for path in _SINGLE:
            if _at(value, path) == gone.id:
                changed = _HEIRS.get(path[-1], _to_parent)(changed, path, gone, heir)
        for path in _LISTS:
            listed = _at(jsonread.loads(changed), path)
            for place in reversed([n for n, item in enumerate(listed if isinstance(listed, list) else ()) if item == gone.id]):
                changed = jsonedit.remove(changed, (*path, place))
        if changed != raw:
            document.rewrite(record, changed, rule, Change.REPARENT)
    return lost


def _naming(document: Document, ident: str) -> list[Record]:
    """Return the records that name an id; moved records are new ones, so the index is made again after a move."""
    moves = sum(edit.change in (Change.MOVE, Change.INSERT) for edit in document.edits)
    known = _NAMES.get(document)
    if known is None or known[0] != moves:
        known = _NAMES[document] = (moves, _Names(document))
    return known[1].by_id.get(ident, [])


def _to_parent(raw: bytes, path: jsonspan.Path, gone: Record, heir: Record | None) -> bytes:
    return jsonedit.replace(raw, path, gone.parent)


def _to_heir(raw: bytes, path: jsonspan.Path, gone: Record, heir: Record | None) -> bytes:
    return jsonedit.replace(raw, path, heir.id if heir is not None else gone.parent)


def _to_none(raw: bytes, path: jsonspan.Path, gone: Record, heir: Record | None) -> bytes:
    return jsonedit.remove(raw, path)


_HEIRS: dict[str | int, Callable[[bytes, jsonspan.Path, Record, Record | None], bytes]] = {
    "headUuid": _to_heir,
    "sourceToolAssistantUUID": _to_none,
    "interruptedMessageId": _to_none,
}
