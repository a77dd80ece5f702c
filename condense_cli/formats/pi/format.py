"""pi sessions, versions 1 to 3: a header, then entries that form a tree by id and parentId.

The leaf is the last line of the file, whatever its type; the thread is the path from there to a root.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from sys import intern
from typing import TYPE_CHECKING, Any

from condense_cli.document.format import Block, CallPaths, Head, ResultPaths, Tree, Turn, View, Writer, unknown_leaf
from condense_cli.jsonbytes import jsonedit, jsonread
from condense_cli.model.blocks import SIGNATURE_LENGTH, image_fault, is_placeholder, words
from condense_cli.model.findings import Finding
from condense_cli.model.ids import are_distinct, fresh_id, is_chain
from condense_cli.model.messages import Call, Flaw, Message, Record, Result, Role

if TYPE_CHECKING:
    from condense_cli.document.document import Document

NAME = "pi"
CONTRACT = "pi"
TREE: Tree | None = Tree("id", "parentId", (("targetId",), ("firstKeptEntryId",), ("fromId",)))
SHARED_RESULTS = False
CONVERSATIONS = False
HEADERS = frozenset({"session"})
ONE_HEADER = True
ENTRY_TYPES = frozenset({
    "message", "model_change", "thinking_level_change", "compaction", "context_edit", "branch_summary",
    "custom", "custom_message", "label", "session_info", "usage",
})  # fmt: skip
_CALLS = frozenset({"toolCall"})
_SKIPPED = frozenset({"error", "aborted"})
_ASKED: dict[str, str] = {}  # ids of the latest calls, so that a result shares the text with its call
_MOST_ASKED = 100
_WRITERS: dict[tuple[Any, Any, Any], Writer] = {}


# ---------------------------------------------------------------------- detection
def detect(head: Head) -> bool:
    """A session header, or entries with id, parentId and a known type where the header is lost."""
    for value in head.records:
        if value.get("type") == "session" and isinstance(value.get("id"), str):
            return value.get("version") in (None, 1, 2, 3) and _looks_like_entries(head.records)
    return any(_is_entry(value) for value in head.records) and not any("uuid" in value for value in head.records)


def _looks_like_entries(records: tuple[dict[str, Any], ...]) -> bool:
    others = [value for value in records if value.get("type") != "session"]
    return not others or any(_is_entry(v) or (_kind(v) in ENTRY_TYPES and "seq" not in v) for v in others)


def _kind(value: dict[str, Any]) -> str:
    kind = value.get("type")
    return kind if isinstance(kind, str) else ""


def _is_entry(value: dict[str, Any]) -> bool:
    return _kind(value) in ENTRY_TYPES and isinstance(value.get("id"), str) and "parentId" in value


def is_record(value: dict[str, Any]) -> bool:
    """A header, an entry of a tree, or an entry of a version 1 file."""
    kind = value.get("type")
    if not isinstance(kind, str):
        return False
    if kind == "session":
        return isinstance(value.get("id"), str)
    return ("id" in value and "parentId" in value) or (kind in ENTRY_TYPES and "timestamp" in value)


# ---------------------------------------------------------------------- reading
def read(record: Record, value: dict[str, Any], call_types: frozenset[str] = _CALLS) -> None:
    """Set the facts of one entry; call_types are the block types that ask for a tool."""
    kind = value.get("type")
    record.kind = intern(kind) if type(kind) is str and kind else "?"
    if kind == "session":
        record.extra = value.get("version")
        record.id = record.parent = None
        return
    ident = value.get("id")
    record.id = ident if type(ident) is str and ident else None
    parent = value.get("parentId")
    record.parent = parent if type(parent) is str and parent else None
    if kind == "message":
        message = value.get("message")
        if type(message) is dict:
            record.message = read_message(record, message, call_types)
            if message.get("role") == "assistant":
                record.extra = writer(message.get("api"), message.get("provider"), message.get("model"))
        else:
            record.message = None
    elif kind == "custom_message":
        record.message = Message(record, Role.CUSTOM)
        record.extra = value.get("customType")
    elif kind == "custom":
        record.extra = value.get("customType")
    elif kind == "branch_summary":
        record.message = Message(record, Role.SUMMARY) if value.get("summary") else None
        record.extra = value.get("fromId")
    elif kind == "compaction":
        record.message = Message(record, Role.SUMMARY)
        record.extra = value.get("firstKeptEntryId", value.get("firstKeptEntryIndex"))
    elif kind == "context_edit":
        target = value.get("targetId")
        record.extra = (target if type(target) is str else "", value.get("replacement") is None)
    elif kind == "model_change":
        record.extra = writer("", value.get("provider"), value.get("modelId"))
    elif kind == "label":
        target = value.get("targetId")
        record.extra = target if type(target) is str else ""


def writer(api: Any, provider: Any, model: Any) -> Writer:
    """Return the one value for a model, so that a million messages share it."""
    key = (api, provider, model)
    try:
        return _WRITERS[key]
    except KeyError:
        made = Writer(*(part if isinstance(part, str) else "" for part in key))
        return _WRITERS.setdefault(key, made)
    except TypeError:
        return Writer()


def read_message(record: Record, message: dict[str, Any], call_types: frozenset[str] = _CALLS) -> Message | None:
    """Read the facts of a pi-shaped message; a role that never reaches a provider gives None."""
    role = message.get("role")
    content = message.get("content")
    if role == "toolResult":
        ident = message.get("toolCallId", message.get("toolUseId"))
        flaws: tuple[Flaw, ...] = ()
        made_up = False
        if type(content) is list and content:
            first = content[0]
            if type(first) is dict and len(content) == 1 and first.get("type") == "text":
                text = first.get("text")
                made_up = type(text) is str and len(text) < 300 and is_placeholder(text)
            else:
                flaws = tuple(_image_flaws(content))
        elif type(content) is str:
            made_up = is_placeholder(content)
        result = Result(record, 0, _ASKED.pop(ident, ident) if type(ident) is str else None, made_up)
        return Message(record, Role.RESULT, (), (result,), False, False, flaws)
    if role == "assistant":
        return _read_assistant(record, message, content, call_types)
    if role == "user":
        return Message(record, Role.USER, (), (), True, False, _read_user(content))
    if role in ("custom", "hookMessage"):
        return Message(record, Role.CUSTOM)
    if role == "bashExecution":
        return None if message.get("excludeFromContext") else Message(record, Role.USER)
    return None


def _read_assistant(record: Record, message: dict[str, Any], content: Any, call_types: frozenset[str]) -> Message:
    calls: list[Call] = []
    flaws: list[Flaw] = []
    blank: list[int] = []
    said = behind = other = signed = False
    if len(_ASKED) > _MOST_ASKED:
        _ASKED.clear()
    stop = message.get("stopReason")
    skipped = type(stop) is str and stop in _SKIPPED
    if type(content) is list:
        for part, block in enumerate(content):
            if type(block) is not dict:
                continue
            kind = block.get("type")
            if kind == "text":
                text = block.get("text")
                if type(text) is str and text and not text.isspace():
                    said = True
                    behind = behind or bool(calls)
                else:
                    blank.append(part)
            elif type(kind) is str and kind in call_types:
                ident, name = block.get("id"), block.get("name")
                if type(ident) is str:
                    _ASKED[ident] = ident
                calls.append(Call(record, part, ident if type(ident) is str else None, intern(name) if type(name) is str else None))
                # pi sends `arguments` and nothing else; OpenClaw, with more kinds of call, takes an `input` for it.
                key = "arguments" if call_types is _CALLS or "arguments" in block else "input"
                if type(block.get(key)) is not dict:
                    missing = key not in block
                    flaws.append(Flaw("missing-arguments" if missing else "invalid-arguments", "", part, "", calls[-1].id))
            elif kind == "thinking":
                other = True
                signature = block.get("thinkingSignature")
                if block.get("redacted") or (type(signature) is str and len(signature) >= SIGNATURE_LENGTH):
                    signed = True
                else:
                    flaws.append(Flaw("unsigned-thinking", "", part))
            elif kind == "image":
                flaws.extend(_image_flaws([block], part))
                said = True
            else:
                other = True
    elif type(content) is str:
        said = bool(content.strip())
        if not said and not skipped:
            flaws.append(Flaw("empty-message", "blank-assistant" if content else "empty-assistant", 0))
    if type(content) is not str and not skipped:
        if blank:
            if said or calls or other:
                flaws.extend(Flaw("blank-text", _blankness(content[part]), part) for part in blank)
            else:
                flaws.append(Flaw("empty-message", "blank-assistant", 0))
        elif not said and not calls and not other:
            flaws.append(Flaw("empty-message", "empty-assistant", 0))
        if behind:
            flaws.append(Flaw("text-after-call", "", calls[0].part))
    return Message(record, Role.ASSISTANT, tuple(calls), (), said, skipped, tuple(flaws), signed)


def _blankness(block: dict[str, Any]) -> str:
    return "white" if block.get("text") else "empty"


def _is_blank(text: Any) -> bool:
    return not text or (isinstance(text, str) and text.isspace())


def _read_user(content: Any) -> tuple[Flaw, ...]:
    if type(content) is str:
        return () if content and not content.isspace() else (Flaw("empty-message", "user", 0),)
    if type(content) is not list:
        return (Flaw("empty-message", "user", 0),)
    blank = [
        part
        for part, block in enumerate(content)
        if type(block) is dict and block.get("type") == "text" and _is_blank(block.get("text"))
    ]
    if len(blank) == len(content):
        return (Flaw("empty-message", "user", 0),)
    flaws = [Flaw("blank-text", _blankness(content[part]), part) for part in blank]
    if len(content) > 1 or (type(content[0]) is dict and content[0].get("type") != "text"):
        flaws.extend(_image_flaws(content))
    return tuple(flaws)


def _image_flaws(content: list[Any], first: int = 0) -> Iterator[Flaw]:
    for part, block in enumerate(content, first):
        if type(block) is dict and block.get("type") == "image":
            fault = image_fault(block.get("mimeType"), block.get("data"))
            if fault:
                yield Flaw("invalid-image", "", part, fault)


# ---------------------------------------------------------------------- threads
def branch(document: Document, leaf: str | None = None) -> list[Record]:
    """Return the path from the root to the leaf (the last entry of the file), all entry types; always ends.

    A version 1 file has no ids: its path is the file. Of two owners of an id the last counts, as in pi.
    """
    entries = [r for r in document.readable() if r.kind != "session"]
    if not entries:
        return []
    if is_linear(document) or (leaf is None and is_chain(entries) and are_distinct([r.id for r in entries])):
        return entries
    owners = {r.id: r for r in entries if r.id}
    at: Record | None
    if leaf is None:
        at = entries[-1]
    else:
        at = owners.get(leaf)
        if at is None:
            raise unknown_leaf(document, leaf, "entry", "entries")
    return path_to(at, owners)


def path_to(leaf: Record | None, owners: dict[str, Record]) -> list[Record]:
    """Return the records from the root to a leaf; where the parents go round, it ends."""
    path: list[Record] = []
    at = leaf
    while at is not None and len(path) <= len(owners):
        path.append(at)
        at = owners.get(at.parent) if at.parent else None
    if at is not None:
        path = list(dict.fromkeys(path))
    path.reverse()
    return path


def is_linear(document: Document) -> bool:
    """Say whether this is version 1, without a tree: the first header decides, and without one the entries' ids do."""
    for record in document.readable():
        if record.kind == "session":
            return type(record.extra) not in (int, float) or record.extra < 2
    return not any(r.id for r in document.readable())


def leaves(document: Document) -> list[Record]:
    """Return the entries that no entry hangs on, in file order; of a version 1 file the last entry."""
    entries = [r for r in document.readable() if r.kind != "session"]
    if entries and (is_linear(document) or is_chain(entries)):
        return entries[-1:]
    parents = {r.parent for r in entries}
    return [r for r in entries if r.id and r.id not in parents] or entries[-1:]


def threads(document: Document) -> int:
    """Return the number of leaves."""
    return len(leaves(document))


def views(document: Document, leaf: str | None = None, every: bool = False) -> Iterator[View]:
    """Yield the active thread first, and with `every` each other one."""
    path = branch(document, leaf)
    yield view(document, path)
    if every:
        last = path[-1] if path else None
        for other in leaves(document):
            if other is not last:
                yield view(document, branch(document, other.id))


def view(document: Document, path: list[Record]) -> View:
    """Read a path as pi does: from its last compaction on, with context edits applied. System messages are left out."""
    selected = select(path)
    edits = {r.extra[0]: r for r in selected if r.kind == "context_edit" and r.extra}
    messages: list[Message] = []
    for n, record in enumerate(selected):
        message = record.message
        if message is None or (record.kind == "compaction" and n):
            continue
        if edits and record.id in edits:
            edited = _edited(document, edits[record.id], record)
            if edited is None:
                continue
            message = edited
        messages.append(message)
    return View(path, messages, thread_writer(path), path[-1] if path else None)


def select(path: list[Record]) -> list[Record]:
    """Return the entries that count after the last compaction: it, what it kept, and what came later."""
    last = max((n for n, r in enumerate(path) if r.kind == "compaction"), default=None)
    if last is None:
        return path
    kept = path[last].extra
    start = next((n for n in range(last) if path[n].id == kept or (type(kept) is int and n + 1 == kept)), last)
    return [path[last], *path[start:last], *path[last + 1 :]]


def _edited(document: Document, edit: Record, record: Record) -> Message | None:
    if edit.extra[1]:
        return None
    value = document.value(record)
    replacement = document.value(edit).get("replacement")
    message = value.get("message")
    if record.kind != "message" or not isinstance(message, dict) or not isinstance(replacement, dict):
        return record.message
    content = replacement.get("content")
    if isinstance(content, str) and message.get("role") in ("assistant", "toolResult"):
        content = [{"type": "text", "text": content}]
    new = read_message(record, {**message, "content": content})
    # Its blocks are not the record's own any more: nothing inside it can be mended there.
    return replace(new, flaws=()) if new else None


def thread_writer(path: list[Record]) -> Writer:
    """Return the model that the thread uses now: the last that answered or was switched to."""
    for record in reversed(path):
        if isinstance(record.extra, Writer):
            if record.kind == "message":
                return record.extra
            found = record.extra
            api = next((r.extra.api for r in reversed(path) if r.kind == "message" and isinstance(r.extra, Writer) and r.extra.provider == found.provider), "")
            return Writer(api, found.provider, found.model)
    return Writer()


def turn(document: Document, message: Message) -> Turn:
    """Load one message with its content, as pi has it in context."""
    record = message.record
    value = document.value(record)
    if record.kind == "message":
        said = value.get("message")
        said = said if isinstance(said, dict) else {}
        if said.get("role") == "bashExecution":
            blocks = [Block("text", f"Ran `{said.get('command', '')}`\n{said.get('output') or '(no output)'}")]
        elif said.get("role") == "toolResult":
            inner = tuple(blocks_of(said.get("content")))
            blocks = [Block("result", "\n".join(b.text for b in inner if b.kind == "text"), said.get("toolCallId", said.get("toolUseId")), said.get("toolName"), error=said.get("isError") is True, inner=inner)]
        else:
            blocks = list(blocks_of(said.get("content")))
    elif record.kind == "custom_message":
        blocks = list(blocks_of(value.get("content")))
    else:
        blocks = [Block("text", words(value.get("summary")))]
    return Turn(record, message.role, tuple(blocks), message.skipped)


def blocks_of(content: Any) -> Iterator[Block]:
    """Yield the parts of a pi content."""
    if isinstance(content, str):
        yield Block("text", content)
    for block in content if isinstance(content, list) else ([content] if isinstance(content, dict) else []):
        if not isinstance(block, dict):
            continue
        kind = block.get("type")
        if kind == "text":
            yield Block("text", words(block.get("text")))
        elif kind == "thinking":
            yield Block("thinking", words(block.get("thinking")), signature=words(block.get("thinkingSignature")))
        elif kind in ("toolCall", "toolUse", "functionCall"):
            yield Block("call", id=block.get("id"), name=block.get("name"), arguments=block.get("arguments", block.get("input", {})))
        elif kind == "image":
            yield Block("image", media_type=words(block.get("mimeType")), data=words(block.get("data")))
        else:
            yield Block("other", words(kind))


def thread_findings(document: Document, view: View, pairing: Any) -> Iterator[Finding]:
    """Yield references of pi-condense and of pi's own entries that lead nowhere."""
    from condense_cli.formats.pi.references import condense_findings

    return condense_findings(document, view)


def version(document: Document) -> str | None:
    """pi writes no client version."""
    return None


def parents(document: Document) -> dict[str, Record | None]:
    """Every parent is an entry."""
    return {}


def same_owner(record: Record, other: Record) -> bool:
    """A pi file holds one session."""
    return True


def find(document: Document, wanted: Callable[[str], bool]) -> None:
    """Nothing beside the common tree rules."""


def array_path(value: Any) -> tuple[str | int, ...]:
    """A session is no array."""
    return ()


# ---------------------------------------------------------------------- repair
_IN_NAME = re.compile(r"_([0-9A-Za-z][0-9A-Za-z-]{7,})\.jsonl$")


def header(document: Document) -> dict[str, Any] | None:
    """Build a header: id from the broken line or the file name, else from the content; time from the first entry."""
    return build_header(document, 3, _IN_NAME)


def build_header(document: Document, newest: int, in_name: re.Pattern[str]) -> dict[str, Any] | None:
    """Build a header for entries that have ids; version 1 and 2 files keep their version."""
    entries = list(document.readable())
    if not any(r.id for r in entries):
        return None
    left = document.raw(document.records[0]).decode("utf-8", "replace")
    old = document.records[0].kind == "unreadable"
    name = in_name.search(os.path.basename(document.path))

    def said(key: str, pattern: str = r'"((?:[^"\\]|\\.)*)"') -> str | None:
        found = re.search(rf'"{key}"\s*:\s*{pattern}', left) if old else None
        return str(jsonread.loads(b'"' + found[1].encode() + b'"')) if found else None

    first: dict[str, Any] = next((v for v in map(document.value, entries[:50]) if isinstance(v.get("timestamp"), str)), {})
    made: dict[str, Any] = {"type": "session", "version": int(said("version", r"(\d)\b") or newest)}
    made["id"] = said("id") or (name[1] if name else _derived(document, entries[0]))
    made["timestamp"] = said("timestamp") or first.get("timestamp") or "1970-01-01T00:00:00.000Z"
    made["cwd"] = said("cwd") or _folder(document.path)
    return made


def _derived(document: Document, record: Record) -> str:
    import hashlib

    digest = hashlib.sha256(document.raw(record).strip()).hexdigest()
    return f"{digest[:8]}-{digest[8:12]}-4{digest[13:16]}-8{digest[17:20]}-{digest[20:32]}"


def _folder(path: str) -> str:
    """Read the working folder out of pi's name for the sessions folder (`--home-dev-shop--`), which is lossy."""
    match = re.fullmatch(r"--(.+)--", os.path.basename(os.path.dirname(os.path.abspath(path))))
    return "/" + match[1].replace("-", "/") if match else "/"


def call_paths(call: Call) -> CallPaths:
    """A call is a block of message.content."""
    block = ("message", "content", call.part)
    return CallPaths(block, (*block, "id"), (*block, "name"), (*block, "arguments"))


def result_paths(result: Result) -> ResultPaths:
    """A result is a record of its own."""
    return ResultPaths((), ("message", "toolCallId"), ("message", "toolName"))


def block_path(record: Record, part: int) -> tuple[str | int, ...]:
    """A block of message.content."""
    return ("message", "content", part)


def content_path(record: Record) -> tuple[str | int, ...]:
    """The content of a message entry."""
    return ("message", "content")


def text_block(record: Record, part: int, text: str) -> dict[str, Any]:
    """Build a text block."""
    return {"type": "text", "text": text}


def unlink(document: Document, gone: Record, heir: Record | None) -> list[Record]:
    """Let what names a record that goes name its parent, or what came after it; return edits that lose their target."""
    from condense_cli.model.plan import Change

    lost: list[Record] = []
    twin = any(r is not gone and not r.gone and r.id == gone.id for r in document.records)
    if gone.id is None or twin:
        return lost
    for record in document.records:
        if record.gone or not record.extra:
            continue
        if record.kind == "compaction" and record.extra == gone.id:
            new = heir.id if heir is not None else record.id
            document.rewrite(record, jsonedit.replace(document.raw(record), ("firstKeptEntryId",), new), "orphan-result", Change.REPARENT)
        elif record.kind == "label" and record.extra == gone.id and gone.parent:
            document.rewrite(record, jsonedit.replace(document.raw(record), ("targetId",), gone.parent), "orphan-result", Change.REPARENT)
        elif record.kind == "branch_summary" and record.extra == gone.id:
            document.rewrite(record, jsonedit.replace(document.raw(record), ("fromId",), gone.parent or "root"), "orphan-result", Change.REPARENT)
        elif record.kind == "context_edit" and record.extra[0] == gone.id:
            lost.append(record)
    return lost


def keep_leaf(document: Document, leaf: Record) -> dict[str, Any] | None:
    """Build an entry that makes `leaf` the end of the thread again, when another branch's entry became the last line."""
    entries = [r for r in document.readable() if r.kind != "session"]
    return None if not entries or entries[-1] is leaf or is_linear(document) else leaf_entry(document, leaf)


def leaf_entry(document: Document, leaf: Record) -> dict[str, Any]:
    """Build an entry without a meaning of its own that hangs on `leaf`."""
    taken: set[str | None] = {r.id for r in document.records}
    time = document.value(leaf).get("timestamp")
    return {
        "type": "custom",
        "customType": "condense-leaf",
        "data": {},
        "id": fresh_id(leaf.id or "00000000", f"leaf {leaf.id}".encode(), taken),
        "parentId": leaf.id,
        "timestamp": time if isinstance(time, str) else "1970-01-01T00:00:00.000Z",
    }


def answer(document: Document, call: Call, after: Record, text: str) -> dict[str, Any]:
    """Build a toolResult entry one millisecond after its call."""
    asked = document.value(call.record)
    message = {
        "role": "toolResult",
        "toolCallId": call.id,
        "toolName": call.name or "unknown_tool",
        "content": [{"type": "text", "text": text}],
        "isError": True,
        "timestamp": _later(asked.get("message", {}).get("timestamp")),
    }
    return _entry(document, after, asked.get("timestamp"), message, f"answer {call.id} {call.part}")


def user_note(document: Document, before: Record, text: str) -> dict[str, Any]:
    """Build a user entry that takes the place of the record's parent."""
    old = document.value(before)
    time = old.get("message", {}).get("timestamp") if isinstance(old.get("message"), dict) else None
    message = {"role": "user", "content": [{"type": "text", "text": text}], "timestamp": time if isinstance(time, (int, float)) else 0}
    made = _entry(document, before, old.get("timestamp"), message, "note")
    if "parentId" in made:
        made["parentId"] = before.parent
    return made


def _later(time: Any) -> Any:
    return time + 1 if isinstance(time, (int, float)) and not isinstance(time, bool) else 0


def _entry(document: Document, after: Record, time: Any, message: dict[str, Any], salt: str) -> dict[str, Any]:
    made: dict[str, Any] = {"type": "message"}
    if after.id is not None:
        taken: set[str | None] = {r.id for r in document.records}
        made["id"] = fresh_id(after.id, f"{after.id} {salt}".encode(), taken)
        made["parentId"] = after.id
    made["timestamp"] = time if isinstance(time, str) else "1970-01-01T00:00:00.000Z"
    made["message"] = message
    return made


def needs_migration(document: Document) -> bool:
    """Say whether pi would migrate the file: its header names no version, or one before 3."""
    header = next((record for record in document.records if record.kind == "session"), None)
    return header is None or not isinstance(header.extra, (int, float)) or header.extra < 3


def migrate(document: Document, record: Record, value: dict[str, Any]) -> dict[str, Any]:
    """Return the entry as version 3 has it; ids of a version 1 file are its positions in hexadecimal."""
    if record.kind == "session":
        return value
    header_version = next((r.extra for r in document.readable() if r.kind == "session"), 3)
    if is_linear(document):
        place = _places(document)
        n = place.get(id(record), 0)
        value = {**value, "id": f"{n:08x}", "parentId": f"{n - 1:08x}" if n > 1 else None}
        kept = value.pop("firstKeptEntryIndex", None) if value.get("type") == "compaction" else None
        if isinstance(kept, int) and 0 < kept < n:
            value["firstKeptEntryId"] = f"{kept:08x}"
        header_version = 2
    message = value.get("message")
    if header_version == 2 and isinstance(message, dict) and message.get("role") == "hookMessage":
        value = {**value, "message": {**message, "role": "custom"}}
    return value


def _places(document: Document) -> dict[int, int]:
    cached: dict[int, int] | None = getattr(document, "places", None)
    if cached is None:
        cached = {id(r): n for n, r in enumerate(document.readable())}
        document.places = cached  # type: ignore[attr-defined]
    return cached


def result_note(document: Document, result: Result) -> dict[str, Any] | None:
    """Keep the text of a result without a call as a custom message, which every reader shows and sends as text."""
    value = document.value(result.record)
    message = value.get("message")
    if not isinstance(message, dict):
        return None
    text = "\n".join(b.text for b in blocks_of(message.get("content")) if b.kind == "text")
    made: dict[str, Any] = {
        "type": "custom_message",
        "customType": "condense-orphan-result",
        "content": f"[condense] Result of a call that is not in this session:\n{text}",
        "display": True,
        "details": {"toolName": message.get("toolName")},
    }
    for key in ("id", "parentId", "timestamp"):
        if key in value:
            made[key] = value[key]
    return made


# ---------------------------------------------------------------------- what pi-condense keys by call id
def follow_rename(document: Document, call: Call, result: Result | None, new: str, rule: str) -> None:
    """Let pi-condense's entries follow when one occurrence of an id (the id at the result's time) is renamed."""
    if result is None or not call.id:
        return
    message = document.value(result.record).get("message")
    time = message.get("timestamp") if isinstance(message, dict) else None
    if not isinstance(time, (int, float)) or isinstance(time, bool):
        return
    from condense_cli.model.plan import Change

    for record in document.records:
        if record.gone or record.kind not in ("custom", "custom_message"):
            continue
        raw = document.raw(record)
        if call.id.encode() not in raw:
            continue
        changed = _renamed_keys(raw, document.value(record), call.id, time, new)
        if changed != raw:
            document.rewrite(record, changed, rule, Change.REPLACE, call_id=call.id)


def _renamed_keys(raw: bytes, value: dict[str, Any], old: str, time: float, new: str) -> bytes:
    kind = value.get("customType")
    if kind == "context-prune-summary":
        return _renamed_refs(raw, value.get("details"), ("details", "toolCallRefs"), old, time, new)
    data = value.get("data")
    if not isinstance(data, dict):
        return raw
    if kind == "context-prune-index":
        raw = _renamed_refs(raw, data, ("data", "toolCalls"), old, time, new)
        return _renamed_refs(raw, data, ("data", "refs"), old, time, new)
    if kind == "context-prune-dedup-alias":
        for name in ("new", "original"):
            if data.get(f"{name}ToolCallId") == old and data.get(f"{name}ResultTimestamp") == time:
                raw = jsonedit.replace(raw, ("data", f"{name}ToolCallId"), new)
        return raw
    if kind == "context-prune-chain":
        return _renamed_chain(raw, data, old, time, new)
    return raw


def _renamed_refs(raw: bytes, holder: Any, path: tuple[str, ...], old: str, time: float, new: str) -> bytes:
    listed = holder.get(path[-1]) if isinstance(holder, dict) else None
    for n, one in enumerate(listed if isinstance(listed, list) else []):
        if isinstance(one, dict) and one.get("toolCallId") == old and one.get("resultTimestamp") == time:
            raw = jsonedit.replace(raw, (*path, n, "toolCallId"), new)
    return raw


def _renamed_chain(raw: bytes, data: dict[str, Any], old: str, time: float, new: str) -> bytes:
    key = f"{old}@{int(time) if float(time).is_integer() else time}"
    keys = data.get("droppedOccurrenceKeys")
    keys = keys if isinstance(keys, list) else []
    if key not in keys:
        return raw
    raw = jsonedit.replace(raw, ("data", "droppedOccurrenceKeys", keys.index(key)), new + key[len(old) :])
    others = any(isinstance(k, str) and k != key and k.rpartition("@")[0] == old for k in keys)
    for name in ("droppedToolCallIds", "protectedToolCallIds"):
        listed = data.get(name)
        if isinstance(listed, list) and old in listed:
            at = listed.index(old)
            raw = jsonedit.insert(raw, ("data", name), at + 1, new) if others else jsonedit.replace(raw, ("data", name, at), new)
    return raw
