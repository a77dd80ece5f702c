"""Codex rollouts: one thread of records, each an envelope around an item of the history or an event of the UI.

Two modes: a legacy file may be rewritten freely; the offsets of a paginated one are kept in a database of the
client, so its lines keep their place and length. Files of early 2025 have bare items and are read, too.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.document.format import Block, CallPaths, Head, ResultPaths, Tree, Turn, View, Writer, unknown_leaf
from condense_cli.formats.codex.blocks import blocks_of
from condense_cli.formats.codex.history import Compaction, Context, History, Rollback, items_of, replay, together
from condense_cli.formats.codex.items import ARGUMENTS, BARE, CUSTOM, ITEM_TYPES, SEARCH, Item, inside, read_item
from condense_cli.formats.codex.items import READERS as ITEMS
from condense_cli.model.blocks import words
from condense_cli.model.findings import Finding
from condense_cli.model.messages import Call, Message, Record, Result, Role
from condense_cli.model.plan import Change

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from condense_cli.document.document import Document
    from condense_cli.jsonbytes.jsonspan import Path
    from condense_cli.repair.halves import Context as MendContext

NAME = "codex"
CONTRACT = "codex"
TREE: Tree | None = None
SHARED_RESULTS = False
CONVERSATIONS = False
HEADERS = frozenset({"session_meta"})
ONE_HEADER = False  # a fork copies the header of its parent, too: the first one counts
RECORD_TYPES = frozenset({
    "session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state",
    "inter_agent_communication", "inter_agent_communication_metadata", "token_usage_record", "retained_context",
    "security_risk_score", "realtime_item", "rollout_reference", "agent_response_observation",
})  # fmt: skip
_IN_NAME = re.compile(r"rollout-[0-9T-]{19}-([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})(_[^.]*)?\.jsonl")


class Meta(NamedTuple):
    """What a session_meta says. mode: legacy or paginated; continues: the history begins in another file."""

    id: str
    mode: str
    version: str | None
    provider: str
    continues: bool = False
    bare: bool = False
    ordinal: int | None = None


# ---------------------------------------------------------------------- detection
def detect(head: Head) -> bool:
    """A record in Codex's envelope; without envelopes the first line of an early rollout, or its state records."""
    if any(is_record(value) for value in head.records):
        return True
    others = [value for value in head.records if not _is_early_meta(value)]
    return len(others) < len(head.records) and all("record_type" in v or v.get("type") in ITEM_TYPES for v in others)


def _is_early_meta(value: dict[str, Any]) -> bool:
    return "type" not in value and isinstance(value.get("id"), str) and "timestamp" in value and ("instructions" in value or "git" in value)


def is_record(value: dict[str, Any]) -> bool:
    """An envelope. A bare item is not taken as one: the payload of a damaged record looks the same."""
    kind = value.get("type")
    return isinstance(kind, str) and kind in RECORD_TYPES and isinstance(value.get("payload"), dict)


# ---------------------------------------------------------------------- reading
def read(record: Record, value: dict[str, Any]) -> None:
    """Read one record."""
    kind = value.get("type")
    payload = value.get("payload")
    record.id = record.message = None
    if type(payload) is not dict:
        record.extra = None
        _read_bare(record, value)
        return
    ordinal = value.get("ordinal")
    if type(ordinal) is not int:
        ordinal = None
    record.extra = ordinal
    record.kind = kind if type(kind) is str and kind else "?"
    if kind == "response_item":  # most of them
        named = payload.get("type", "message")
        reader = ITEMS.get(named) if type(named) is str else None
        item = reader(record, payload, None, ordinal) if reader is not None else None
        if item is not None:
            record.extra = item
            record.message = item.message
            record.id = item.id
    elif record.kind in _READERS:
        _READERS[record.kind](record, payload, ordinal)


def _read_bare(record: Record, value: dict[str, Any]) -> None:
    kind = value.get("type")
    record.kind = "?"
    if "record_type" in value:
        record.kind = "state"
    elif kind in ITEM_TYPES if type(kind) is str else False:
        record.kind = BARE
        _take(record, read_item(record, value))
    elif _is_early_meta(value):
        record.kind = "session_meta"
        record.extra = Meta(value["id"], "legacy", None, "", bare=True)


def _take(record: Record, item: Item | None) -> None:
    if item is not None:
        record.id, record.message, record.extra = item.id, item.message, item


def _read_event(record: Record, payload: dict[str, Any], ordinal: int | None) -> None:
    kind = payload.get("type")
    if kind == "thread_rolled_back":
        turns = payload.get("num_turns")
        record.extra = Rollback(turns if type(turns) is int else 0, ordinal)
    elif kind == "thread_settings_applied":
        settings = payload.get("settings", payload.get("thread_settings"))
        _read_context(record, settings if type(settings) is dict else {}, ordinal)


def _read_context(record: Record, payload: dict[str, Any], ordinal: int | None) -> None:
    model = payload.get("model")
    if type(model) is str and model:
        record.extra = Context(model, ordinal)


def _read_compacted(record: Record, payload: dict[str, Any], ordinal: int | None) -> None:
    kept = payload.get("replacement_history")
    if type(kept) is not list:
        record.message = Message(record, Role.SUMMARY)
        record.extra = Compaction(None, ordinal)
        return
    found = (read_item(record, value, at) for at, value in enumerate(kept) if type(value) is dict)
    items = tuple(item for item in found if item is not None)
    calls = tuple(call for item in items for call in item.message.calls)
    results = tuple(result for item in items for result in item.message.results)
    record.message = Message(record, Role.SUMMARY, calls, results)
    record.extra = Compaction(items, ordinal)


def _read_agent(record: Record, payload: dict[str, Any], ordinal: int | None) -> None:
    _take(record, Item("agent_message", Message(record, Role.CUSTOM), ordinal=ordinal))


def _read_meta(record: Record, payload: dict[str, Any], ordinal: int | None) -> None:
    ident, mode, version, provider = (payload.get(key) for key in ("id", "history_mode", "cli_version", "model_provider"))
    record.extra = Meta(
        ident if type(ident) is str else "",
        mode if type(mode) is str else "legacy",
        version if type(version) is str else None,
        provider if type(provider) is str else "",
        isinstance(payload.get("history_base"), dict),
        ordinal=ordinal,
    )


_READERS: dict[str, Callable[[Record, dict[str, Any], int | None], None]] = {
    "event_msg": _read_event,
    "turn_context": _read_context,
    "compacted": _read_compacted,
    "session_meta": _read_meta,
    "inter_agent_communication": _read_agent,
}


def meta(document: Document) -> Meta | None:
    """Return what the first session_meta says."""
    return next((r.extra for r in document.readable() if type(r.extra) is Meta), None)


def ordinal_of(record: Record) -> int | None:
    """Return the number that a record of a paginated file has."""
    extra = record.extra
    if extra is None or type(extra) is int:
        return extra
    found: int | None = extra.ordinal
    return found


def is_fixed(document: Document) -> bool:
    """Say whether lines must keep place and length: in paginated mode, or where numbers are all that is left of it."""
    if document.records and type(document.records[0].extra) is Meta:  # the usual case
        return bool(document.records[0].extra.mode == "paginated")
    found = meta(document)
    if found is not None:
        return found.mode == "paginated"
    return any(ordinal_of(r) is not None for r in document.readable())


def continues(document: Document) -> bool:
    """Say whether the file is a later segment: the history before it stands in another file."""
    found = meta(document)
    name = _IN_NAME.fullmatch(os.path.basename(document.path))
    return (found is not None and found.continues) or bool(name and name[2]) or any(r.kind == "rollout_reference" for r in document.records[:20])


# ---------------------------------------------------------------------- threads
def views(document: Document, leaf: str | None = None, every: bool = False) -> Iterator[View]:
    """Yield the one thread of a rollout, or its part up to an item id."""
    path = _path(document, leaf)
    found = _history(document, path)
    header = meta(document)
    writer = Writer("openai-responses", header.provider if header else "", found.model)
    items = _of_this_file(found.items) if continues(document) else found.items
    yield View(path, list(together(items, found.foreign)), writer, path[-1] if path else None)


def _of_this_file(items: list[Item]) -> list[Item]:
    """Leave out the outputs whose calls stand in the file that this one continues."""
    calls = {(call.family, call.id) for item in items for call in item.message.calls}
    return [item for item in items if all((result.family, result.id) in calls for result in item.message.results)]


def _path(document: Document, leaf: str | None) -> list[Record]:
    path = list(document.readable())
    if leaf is None:
        return path
    at = next((n for n in range(len(path) - 1, -1, -1) if path[n].id == leaf), None)
    if at is None:
        raise unknown_leaf(document, leaf, "item", "records")
    return path[: at + 1]


def _history(document: Document, path: Sequence[Record]) -> History:
    header = meta(document)
    return replay(path, bare=header is not None and header.bare)


def stored(document: Document, view: View) -> list[Message]:
    """Return the messages of all records, whatever compactions and rollbacks took out; what a compaction repeats is left out."""
    return list(together(r.extra for r in view.path if type(r.extra) is Item))


def threads(document: Document) -> int:
    """A rollout has no branches."""
    return 1


def is_linear(document: Document) -> bool:
    """A rollout has no tree."""
    return True


def turn(document: Document, message: Message) -> Turn:
    """Load the items of one message."""
    blocks: list[Block] = []
    last: Record | None = None
    value: Any = None
    for item in items_of(message):
        record = item.message.record
        if record is not last:
            last, value = record, document.value(record)
        payload = value if record.kind == BARE else value["payload"]
        if item.at is not None:
            payload = payload["replacement_history"][item.at]
        blocks += (block._replace(record=record) for block in blocks_of(payload))
    if not items_of(message):
        payload = document.value(message.record).get("payload")
        blocks.append(Block("text", words(payload.get("message")) if isinstance(payload, dict) else ""))
    return Turn(message.record, message.role, tuple(blocks), message.skipped)


def version(document: Document) -> str | None:
    """Return the version of the client that began the session."""
    # A header that was made here knows no version.
    return next((r.extra.version for r in document.readable() if type(r.extra) is Meta and r.end), None)


def notice(document: Document) -> str:
    """Say of a later segment that there is more of the session elsewhere."""
    return "this file continues another one: what came before it is not looked at" if continues(document) else ""


def parents(document: Document) -> dict[str, Record | None]:
    """Records name no parents."""
    return {}


def same_owner(record: Record, other: Record) -> bool:
    """A rollout holds one session."""
    return True


def array_path(value: Any) -> Path:
    """A rollout is no array."""
    return ()


# ---------------------------------------------------------------------- what only rollouts can have wrong
def find(document: Document, wanted: Callable[[str], bool]) -> None:
    """Find a header without an id, items that are sent twice, and ordinals that are missing or stand twice."""
    _nameless_header(document, wanted)
    _sent_twice(document, wanted)
    if is_fixed(document):
        _ordinals(document, wanted)


def _nameless_header(document: Document, wanted: Callable[[str], bool]) -> None:
    from condense_cli.jsonbytes import jsonedit

    record = next((r for r in document.readable() if type(r.extra) is Meta), None)
    if record is None or record.extra.id:
        return
    document.findings.append(Finding("missing-header", record.line, record, detail="it has no id"))
    if wanted("missing-header"):
        raw = jsonedit.replace(document.raw(record), ("payload", "id"), _session_id(document, record))
        if not document.rewrite(record, raw, "missing-header"):
            document.hold("missing-header", record)


def _sent_twice(document: Document, wanted: Callable[[str], bool]) -> None:
    from condense_cli.jsonbytes import jsonedit

    ids = [record.id for record in document.records if record.id is not None]
    if len(ids) == len(set(ids)) and not any(type(r.extra) is Compaction for r in document.records):
        return
    first: dict[str, Item] = {}
    sent = _history(document, list(document.readable())).items
    twice = [(first[item.id], item) for item in sent if item.id is not None and first.setdefault(item.id, item) is not item]
    for one, item in reversed(twice):  # from the end, so that places inside a record stay
        record, older = item.message.record, one.message.record
        alike = _value(document, one) == _value(document, item)
        document.findings.append(
            Finding("duplicate-record", record.line, record, part=item.at, related=(older.line,), detail="" if alike else "another item has the same id")
        )
        if not wanted("duplicate-record"):
            continue
        if alike and item.at is None:
            done = document.drop(record, "duplicate-record")
        else:
            place = _base(record, item.at or 0)
            raw = jsonedit.remove(document.raw(record), place if alike else (*place, "id"))
            done = document.rewrite(record, raw, "duplicate-record", Change.STRIP, part=item.at)
        if not done:
            document.hold("duplicate-record", record)
    document.settle()


def _value(document: Document, item: Item) -> Any:
    value = document.value(item.message.record)
    for step in _base(item.message.record, item.at or 0):
        value = value[step]
    return value


def _ordinals(document: Document, wanted: Callable[[str], bool]) -> None:
    records = list(document.readable())
    seen: dict[int, Record] = {}
    for record in records:
        number = ordinal_of(record)
        if number is not None:
            older = seen.setdefault(number, record)
            if older is not record:
                document.findings.append(Finding("duplicate-ordinal", record.line, record, related=(older.line,), detail=f"ordinal {number}"))
        elif record is not records[-1]:
            document.findings.append(Finding("missing-ordinal", record.line, record, variant="middle"))
        else:
            document.findings.append(Finding("missing-ordinal", record.line, record))
            if wanted("missing-ordinal"):
                document.rewrite(record, _numbered(document.raw(record), max(seen, default=-1) + 1), "missing-ordinal", grows=True)


def _numbered(raw: bytes, number: int) -> bytes:
    """Write the ordinal where the client has it: in front of the type."""
    from condense_cli.jsonbytes import jsonedit, jsonspan

    if jsonspan.span(raw, ("ordinal",)):
        return jsonedit.replace(raw, ("ordinal",), number)
    start = jsonspan.space_end(raw, 0)
    at = next(member.key_start for member in jsonspan.members(raw, start) if member.key == "type")
    spaced = jsonedit.is_spaced(raw)
    return raw[:at] + (b'"ordinal": %d, ' if spaced else b'"ordinal":%d,') % number + raw[at:]


# ---------------------------------------------------------------------- repair: places
def _base(record: Record, at: int) -> Path:
    """Say where an item stands in its record."""
    if record.kind == "compacted":
        return ("payload", "replacement_history", at)
    return () if record.kind == BARE else ("payload",)


def _item(record: Record, at: int) -> Item | None:
    extra = record.extra
    if type(extra) is Compaction:
        return next((item for item in extra.items or () if item.at == at), None)
    return extra if type(extra) is Item else None


def call_paths(call: Call) -> CallPaths:
    """A call is a record of its own, or an element of a replacement_history."""
    record = call.record
    base = _base(record, call.part)
    item = _item(record, call.part)
    key = ARGUMENTS.get(item.kind if item else "", "arguments")
    return CallPaths(base if record.kind == "compacted" else (), (*base, "call_id"), (*base, "name"), (*base, key), key != "action" and call.family != SEARCH)


def result_paths(result: Result) -> ResultPaths:
    """A result is a record of its own, or an element of a replacement_history; it has no tool name."""
    base = _base(result.record, result.part)
    return ResultPaths(base if result.record.kind == "compacted" else (), (*base, "call_id"))


def block_path(record: Record, part: int) -> Path:
    """A block of a message's content, or of an output."""
    at, block = inside(part) if record.kind == "compacted" else (0, part)
    item = _item(record, at)
    return (*_base(record, at), "content" if item is None or item.kind == "message" else "output", block)


def content_path(record: Record) -> Path:
    """The content of a message."""
    return (*_base(record, 0), "content")


def text_block(record: Record, part: int, text: str) -> dict[str, Any]:
    """Build a text block: what the model said is output, all else is input."""
    item = _item(record, inside(part)[0] if record.kind == "compacted" else 0)
    said = item is not None and item.message.role is Role.ASSISTANT
    return {"type": "output_text" if said else "input_text", "text": text}


# ---------------------------------------------------------------------- repair: records made here
_TIME = "1970-01-01T00:00:00.000Z"


def header(document: Document) -> dict[str, Any] | None:
    """Build a session_meta from the broken line, the file name and the content; None where no line may be put in front."""
    entries = list(document.readable())
    if not entries or is_fixed(document):
        return None
    left = document.raw(document.records[0]).decode("utf-8", "replace") if document.records[0].kind == "unreadable" else ""

    def said(key: str) -> str | None:
        found = re.search(rf'"{key}"\s*:\s*"([^"\\]*)"', left)
        return found[1] if found else None

    values = [document.value(record) for record in entries[:50]]
    time = said("timestamp") or next((v["timestamp"] for v in values if isinstance(v.get("timestamp"), str)), _TIME)
    name = _IN_NAME.fullmatch(os.path.basename(document.path))
    ident = (name[1] if name else None) or said("id") or said("session_id") or _derived(document, entries[0])
    if all(record.kind in (BARE, "state") for record in entries):
        return {"id": ident, "timestamp": time, "instructions": None}
    folder = next((v["payload"]["cwd"] for v in values if v.get("type") == "turn_context" and isinstance(v.get("payload", {}).get("cwd"), str)), "/")
    payload = {"id": ident, "timestamp": time, "cwd": said("cwd") or folder, "originator": said("originator") or "codex_cli_rs"}
    payload |= {"cli_version": said("cli_version") or "0.0.0", "source": said("source") or "cli"}
    if provider := said("model_provider"):
        payload["model_provider"] = provider
    return {"timestamp": time, "type": "session_meta", "payload": payload}


def _session_id(document: Document, record: Record) -> str:
    """Return the id that a header without one should have."""
    name = _IN_NAME.fullmatch(os.path.basename(document.path))
    other = document.value(record)["payload"].get("session_id")
    return (name[1] if name else None) or (other if isinstance(other, str) and other else None) or _derived(document, record)


def _derived(document: Document, record: Record) -> str:
    import hashlib

    digest = hashlib.sha256(document.raw(record).strip()).hexdigest()
    return f"{digest[:8]}-{digest[8:12]}-7{digest[13:16]}-8{digest[17:20]}-{digest[20:32]}"


def answer(document: Document, call: Call, after: Record, text: str) -> dict[str, Any]:
    """Build the output of the call's own family, at the time of the call."""
    return _record(document, call.record, _output(call, text))


def _output(call: Call, text: str) -> dict[str, Any]:
    if call.family == SEARCH:
        return {"type": "tool_search_output", "call_id": call.id, "status": "completed", "execution": "client", "tools": []}
    kind = "custom_tool_call_output" if call.family == CUSTOM else "function_call_output"
    return {"type": kind, "call_id": call.id, "output": text}


def user_note(document: Document, before: Record, text: str) -> dict[str, Any]:
    """Build a user message at the time of the record that it goes in front of."""
    return _record(document, before, {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]})


def result_note(document: Document, result: Result) -> dict[str, Any] | None:
    """Build a user message that keeps the text of an output, unless that stands in a compaction or its place is fixed."""
    if result.record.kind == "compacted" or document.fixed:
        return None
    value = document.value(result.record)
    text = "\n".join(block.text for block in blocks_of(value if result.record.kind == BARE else value["payload"]))
    return user_note(document, result.record, f"[condense] Output of a tool call that is not in this session:\n{text}")


def _record(document: Document, like: Record, payload: dict[str, Any]) -> dict[str, Any]:
    if like.kind == BARE:
        return payload
    time = document.value(like).get("timestamp")
    made: dict[str, Any] = {"timestamp": time if isinstance(time, str) else _TIME}
    if document.fixed:
        numbers = [number for number in map(ordinal_of, document.readable()) if number is not None]
        made["ordinal"] = max(numbers, default=-1) + 1
    return made | {"type": "response_item", "payload": payload}


def stand_in(document: Document, record: Record) -> bytes:
    """Return what takes the place of a record that cannot be taken out: an event that says nothing, with its number."""
    from condense_cli.jsonbytes import jsonedit

    raw = document.raw(record)
    raw = jsonedit.replace(raw, ("payload",), b'{"type":"token_count","info":null}')
    return jsonedit.replace(raw, ("type",), "event_msg")


def unlink(document: Document, gone: Record, heir: Record | None) -> list[Record]:
    """No record names another one."""
    return []


def keep_leaf(document: Document, leaf: Record) -> dict[str, Any] | None:
    """The last record ends the thread."""
    return None


# ---------------------------------------------------------------------- repair: halves inside a compaction
def drop_result(context: MendContext, result: Result, rule: str) -> bool:
    """Take an output out of a replacement_history; a record of its own is left to the common way."""
    return _take_out(context, result, rule)


def drop_call(context: MendContext, call: Call, rule: str) -> bool:
    """Take a call out of a replacement_history; a record of its own is left to the common way."""
    return _take_out(context, call, rule)


def _take_out(context: MendContext, half: Call | Result, rule: str) -> bool:
    from condense_cli.jsonbytes import jsonedit

    document, record = context.document, half.record
    if record.kind != "compacted":
        return False
    if _still_there(half):
        raw = jsonedit.remove(document.raw(record), _base(record, half.part))
        document.rewrite(record, raw, rule, Change.STRIP, part=half.part, call_id=half.id)
    return True


def _still_there(half: Call | Result) -> bool:
    """Say whether the half stands where it was: another edit of this round may have shifted it. The next round looks again."""
    item = _item(half.record, half.part)
    if item is None:
        return False
    halves = item.message.calls if isinstance(half, Call) else item.message.results
    return any(other.id == half.id and other.family == half.family for other in halves)


def drop_block(context: MendContext, finding: Finding) -> bool:
    """Take an item (reasoning) out of a replacement_history."""
    from condense_cli.jsonbytes import jsonedit

    record = finding.record
    if record.kind != "compacted":
        return False
    raw = jsonedit.remove(context.document.raw(record), _base(record, finding.part or 0))
    context.document.rewrite(record, raw, finding.rule, Change.STRIP, part=finding.part)
    return True


def move_result(context: MendContext, result: Result, anchor: Record, call: Call | None, rule: str) -> bool:
    """Move an output into, out of, or inside a replacement_history; between records the common way is right."""
    from condense_cli.jsonbytes import jsonedit, jsonread, jsonspan

    document, record = context.document, result.record
    if "compacted" not in (record.kind, anchor.kind):
        return document.fixed
    if call is None or not _still_there(result) or not _still_there(call) or document.fixed:
        return True
    raw = document.raw(record)
    if record is anchor:
        items = jsonspan.elements(raw, (jsonspan.span(raw, _base(record, 0)[:-1]) or (0, 0))[0])
        rest = [n for n in range(len(items)) if n != result.part]
        at = rest.index(_block_end(context, record, call, result)) + 1
        raw = jsonedit.reorder(raw, _base(record, 0)[:-1], [*rest[:at], result.part, *rest[at:]])
        document.rewrite(record, raw, rule, Change.MOVE, part=result.part, call_id=result.id)
        return True
    place = jsonspan.span(raw, _base(record, result.part))
    assert place is not None
    payload = raw[place[0] : place[1]]
    if anchor.kind == "compacted":
        inner = jsonedit.insert(document.raw(anchor), _base(anchor, 0)[:-1], _block_end(context, anchor, call, result) + 1, payload)
        context.surgery.drop(record, rule, call_id=result.id)
        document.rewrite(anchor, inner, rule, Change.MOVE, call_id=result.id)
        return True
    document.rewrite(record, jsonedit.remove(raw, _base(record, result.part)), rule, Change.STRIP, part=result.part, call_id=result.id)
    context.surgery.insert(_record(document, anchor, jsonread.loads(payload)), anchor, rule, call_id=result.id)
    return True


def _block_end(context: MendContext, record: Record, call: Call, without: Result | None = None) -> int:
    """Return the number of the last item of a call's cycle inside a compacted record."""
    parts = [call.part]
    for cycle in context.pairing.cycles:
        if any(other is call for other in cycle.calls):
            parts += (other.part for other in cycle.calls if other.record is record)
            parts += (
                pair.result.part
                for pair in context.pairing.pairs
                if not pair.cut and not pair.across and pair.result is not without and pair.result.record is record and any(pair.call is other for other in cycle.calls)
            )
    return max(parts)


def add_answer(context: MendContext, call: Call, cycle: int, rule: str) -> bool:
    """Put an answer into a replacement_history, or at the end of a file whose lines must stay where they are."""
    from condense_cli.jsonbytes import jsonedit
    from condense_cli.model.blocks import ANSWER

    document = context.document
    block = [one.record for one in context.pairing.cycles[cycle].calls]
    block += (pair.result.record for pair in context.pairing.pairs if pair.cycle == cycle and not pair.cut and not pair.across)
    if document.fixed:
        _append(context, call, rule, ANSWER)
        return True
    if any(record.kind != "compacted" for record in block):
        return False
    if _still_there(call):
        record = call.record
        end = _block_end(context, record, call) + 1
        raw = jsonedit.insert(document.raw(record), _base(record, 0)[:-1], end, _output(call, ANSWER))
        document.rewrite(record, raw, rule, Change.INSERT, part=end, call_id=call.id)
    return True


def _append(context: MendContext, call: Call, rule: str, text: str) -> None:
    """Append an answer to a file whose lines keep their place, when only events stand behind the last cycle."""
    document, surgery = context.document, context.surgery
    last = document.records[-1]
    behind = document.records[surgery.order[id(call.record)] + 1 :]
    others = any(type(r.extra) in (Item, Compaction) and not (r.message and r.message.role in (Role.RESULT, Role.ASSISTANT)) for r in behind)
    # One in each round: the next one needs the number after it.
    if not others and surgery.next(last) is None:
        surgery.insert(answer(document, call, last, text), last, rule, call_id=call.id)


def follow_rename(document: Document, call: Call, result: Result | None, new: str, rule: str) -> None:
    """Let the events that stand between a call and its output name it by its new id."""
    from condense_cli.jsonbytes import jsonedit

    places = {id(record): n for n, record in enumerate(document.records)}
    start = places.get(id(call.record))
    end = places.get(id(result.record)) if result is not None else None
    if start is None or end is None or call.id is None:
        return
    while end + 1 < len(document.records) and document.records[end + 1].kind == "event_msg":
        end += 1
    for record in document.records[start + 1 : end + 1]:
        if record.kind == "event_msg" and not record.gone and document.value(record)["payload"].get("call_id") == call.id:
            document.rewrite(record, jsonedit.replace(document.raw(record), ("payload", "call_id"), new), rule, call_id=call.id)


# ---------------------------------------------------------------------- compaction into a new file
def records_of(document: Document, message: Message) -> list[Record]:
    """Return the records of the items that one turn is made of."""
    return [item.message.record for item in items_of(message)]


def call_shown(document: Document, record: Record) -> str | None:
    """Return the id of the call that an event shows to people."""
    if record.kind != "event_msg":
        return None
    payload = document.value(record).get("payload")
    ident = payload.get("call_id") if isinstance(payload, dict) else None
    return ident if isinstance(ident, str) else None
