"""OpenClaw sessions in JSONL, headers of version 3 and 4: pi's entries, read with a leaf that is moved about.

The file is folded from top to bottom: each entry of a known type becomes the leaf unless it stands aside, a
`leaf` entry puts the leaf somewhere else, and what names no parent that is known so far hangs on the leaf.
Current versions keep their sessions in SQLite; the JSONL is what they import, or an archive.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.document.format import CallPaths, Head, ResultPaths, Tree, View, Writer, unknown_leaf
from condense_cli.formats.pi import format as pi
from condense_cli.model.findings import Finding
from condense_cli.model.messages import Call, Message, Record, Result

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from condense_cli.document.document import Document

NAME = "openclaw"
CONTRACT = "openclaw"
TREE: Tree | None = Tree("id", "parentId", (("targetId",), ("appendParentId",), ("firstKeptEntryId",), ("fromId",)))
SHARED_RESULTS = False
CONVERSATIONS = False
HEADERS = frozenset({"session"})
ONE_HEADER = True
CALLS = frozenset({"toolCall", "toolUse", "functionCall"})
FOLLOWS = ""  # the parent of an entry that has no parentId: the leaf at that place

# pi's `usage` and `context_edit` are carried along here, but they are not followed.
_CANONICAL = (pi.ENTRY_TYPES | {"reset"}) - {"usage", "context_edit"}
_NEWEST = 4
_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_IN_NAME = re.compile(rf"^({_UUID})(?:-topic-[^.]*)?\.jsonl")
_IN_STORE = re.compile(r"[/\\]agents[/\\][^/\\]+[/\\]sessions[/\\]")
_NOTICE = (
    "current OpenClaw versions keep sessions in SQLite: this JSONL file is what they import, or an archive, "
    "and changing it has no effect once it was imported"
)


turn, version, array_path = pi.turn, pi.version, pi.array_path
block_path, content_path, text_block = pi.block_path, pi.content_path, pi.text_block
answer, result_note = pi.answer, pi.result_note


# ---------------------------------------------------------------------- detection
def detect(head: Head) -> bool:
    """pi's entries below a session header, and a mark of OpenClaw in the content, the name or the place of the file."""
    for value in head.records:
        if value.get("type") == "session" and isinstance(value.get("id"), str):
            newer = value.get("version")
            if newer in (0, None) or not _looks_like_entries(head.records):
                return False
            return (isinstance(newer, int) and newer >= _NEWEST) or _marked(head)
    return any(_is_entry(value) for value in head.records) and not any("uuid" in value for value in head.records) and _marked(head)


def _looks_like_entries(records: tuple[dict[str, Any], ...]) -> bool:
    others = [value for value in records if value.get("type") != "session"]
    return not others or any(_is_entry(value) for value in others)


def _is_entry(value: dict[str, Any]) -> bool:
    kind = value.get("type")
    return isinstance(kind, str) and (kind in _CANONICAL or kind == "leaf") and isinstance(value.get("id"), str) and ("parentId" in value or "timestamp" in value)


def _marked(head: Head) -> bool:
    if any(_is_mark(value) for value in head.records):
        return True
    path = head.path
    if _IN_STORE.search(path) or _IN_NAME.match(os.path.basename(path)):
        return True
    return os.path.isfile(path) and os.path.isfile(os.path.join(os.path.dirname(path), "sessions.json"))


def _is_mark(value: dict[str, Any]) -> bool:
    custom = value.get("customType")
    return value.get("type") in ("reset", "leaf") or "appendMode" in value or (
        isinstance(custom, str) and (custom == "model-snapshot" or custom.startswith("openclaw"))
    )


def is_record(value: dict[str, Any]) -> bool:
    """A header, or an entry."""
    return pi.is_record(value) or _is_entry(value)


# ---------------------------------------------------------------------- reading
class _InputCall(Call):
    """A call whose arguments stand in `input`."""

    __slots__ = ()


class _ToolUseResult(Result):
    """A result whose id stands in `toolUseId`."""

    __slots__ = ()


class Aside(str):
    """The kind of an entry that stands beside the thread: appending it does not make it the leaf."""

    __slots__ = ()


class Control(NamedTuple):
    """What a `leaf` entry says: where the leaf goes, and what the next entry without a parent hangs on."""

    target: str | None
    append: str | None


def read(record: Record, value: dict[str, Any]) -> None:
    """Read one entry: pi's facts, and what OpenClaw adds to them."""
    pi.read(record, value, CALLS)
    kind = record.kind
    if value.get("appendMode") == "side":
        record.kind = Aside(kind)
    if record.parent is None and kind != "session" and value.get("parentId", FOLLOWS) == FOLLOWS:
        record.parent = FOLLOWS
    if kind == "message":
        message = record.message
        if message is not None and (message.calls or message.results):
            record.message = _with_other_names(message, value["message"])
    elif kind == "leaf":
        record.extra = Control(_text(value.get("targetId")), _text(value.get("appendParentId", value.get("targetId"))))
    elif kind == "reset":
        record.extra = _text(value.get("firstKeptEntryId"))


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _with_other_names(message: Message, value: dict[str, Any]) -> Message:
    """Remember which halves use the older names, so that an edit finds them."""
    if message.results:
        if "toolCallId" in value or "toolUseId" not in value:
            return message
        return replace(message, results=tuple(_ToolUseResult(result.record, result.part, result.id, result.placeholder) for result in message.results))
    content = value["content"]
    others = {call.part for call in message.calls if "arguments" not in content[call.part] and "input" in content[call.part]}
    if not others:
        return message
    return replace(message, calls=tuple(_InputCall(call.record, call.part, call.id, call.name) if call.part in others else call for call in message.calls))


# ---------------------------------------------------------------------- threads
class Fold(NamedTuple):
    """What reading the file from top to bottom comes to."""

    leaf: Record | None
    lost: tuple[Record, ...]  # `leaf` entries whose target is not above them: they are ignored
    astray: tuple[tuple[Record, str], ...]  # entries whose parent is not above them, and the id of that parent


def fold(document: Document) -> Fold:
    """Find the leaf, and give every entry the parent that it has for the client."""
    known: dict[str, Record] = {}
    meant = parents(document)
    lost: list[Record] = []
    astray: list[tuple[Record, str]] = []
    leaf: Record | None = None
    inside: set[str] | None = None  # since the last reset: it, and what hangs below it
    for record in document.readable():
        kind = record.kind
        if kind == "session":
            continue
        parent = record.parent
        if parent and parent not in known and parent not in meant:
            astray.append((record, parent))
        _hang(record, known, meant, leaf, inside)
        if record.id:
            known[record.id] = record
        if kind == "leaf":
            target = record.extra.target
            if target is None or target in known:
                leaf = known[target] if target else None
            else:
                lost.append(record)
        elif kind in _CANONICAL and not isinstance(kind, Aside) and record.id:
            leaf = record
            if kind == "reset":
                inside = {record.id}
            elif inside is not None and record.parent in inside:
                inside.add(record.id)
    return Fold(leaf, tuple(lost), tuple(astray))


def _hang(record: Record, known: dict[str, Record], meant: dict[str, Record | None], leaf: Record | None, inside: set[str] | None) -> None:
    """Set the parent as the client sees it: the leaf where none is known, or where it lies before the last reset."""
    parent = record.parent
    if parent is None:
        return
    if parent in known:
        outside = inside is not None and record.kind in _CANONICAL and not isinstance(record.kind, Aside) and parent not in inside
        if not outside:
            return
        record.parent = leaf.id if leaf is not None else parent
    elif parent in meant and parent != FOLLOWS:
        owner = meant[parent]
        record.parent = owner.id if owner is not None and owner.id in known else None
    else:
        record.parent = leaf.id if leaf is not None else None


def parents(document: Document) -> dict[str, Record | None]:
    """Name parents that are no entries: the header is the root, a tool call stands for the entry that made it."""
    named: dict[str, Record | None] = {FOLLOWS: None}
    missing = {record.parent for record in document.records if record.parent} - {record.id for record in document.records}
    if not missing:
        return named
    for record in document.readable():
        if record.kind == "session":
            ident = document.value(record).get("id")
            if isinstance(ident, str):
                named[ident] = None
        elif record.message is not None:
            for call in record.message.calls:
                if call.id in missing:
                    named.setdefault(call.id, record)
    return named


def branch(document: Document, leaf: str | None = None) -> list[Record]:
    """Return the path from the root to the leaf; always ends. Raises UsageError for a leaf that is not there."""
    return _branch(document, fold(document).leaf, leaf)


def _branch(document: Document, end: Record | None, leaf: str | None = None) -> list[Record]:
    owners = {r.id: r for r in document.readable() if r.id and r.kind != "session"}
    at = end
    if leaf is not None:
        at = owners.get(leaf)
        if at is None:
            raise unknown_leaf(document, leaf, "entry", "entries")
    return pi.path_to(at, owners)


def is_linear(document: Document) -> bool:
    """Say whether no entry has an id."""
    return not any(record.id for record in document.readable())


def leaves(document: Document) -> list[Record]:
    """Return the entries of a thread that no other one hangs on, in file order."""
    fold(document)
    entries = [r for r in document.readable() if r.kind in _CANONICAL and r.id and not isinstance(r.kind, Aside)]
    above = {r.parent for r in entries}
    return [r for r in entries if r.id not in above] or entries[-1:]


def threads(document: Document) -> int:
    """Return the number of leaves."""
    return len(leaves(document))


def views(document: Document, leaf: str | None = None, every: bool = False) -> Iterator[View]:
    """Yield the active thread first, and with `every` each other one."""
    path = branch(document, leaf)
    yield _view(path)
    if every:
        last = path[-1] if path else None
        for other in leaves(document):
            if other is not last:
                yield _view(branch(document, other.id))


def _view(path: list[Record]) -> View:
    selected = select(path)
    messages = [r.message for n, r in enumerate(selected) if r.message is not None and not (r.kind == "compaction" and n)]
    writer = pi.thread_writer(path)
    if writer.speaks_anthropic:
        messages = [_thinking_sent(message) if message.flaws else message for message in messages]
    return View(path, messages, writer, path[-1] if path else None)


def _thinking_sent(message: Message) -> Message:
    """Thinking of any Anthropic model is sent to the one that the thread uses now, unlike in pi."""
    written = message.record.extra
    if not (isinstance(written, Writer) and written.speaks_anthropic):
        return message
    return replace(message, flaws=tuple(f._replace(variant="sent") if f.rule == "unsigned-thinking" else f for f in message.flaws))


def select(path: list[Record]) -> list[Record]:
    """Return the entries that count after the last compaction or reset: what it kept, and what came later."""
    last = max((n for n, r in enumerate(path) if r.kind in ("compaction", "reset")), default=None)
    if last is None:
        return path
    kept = path[last].extra
    start = next((n for n in range(last) if path[n].id == kept), last)
    return [path[last], *path[start:last], *path[last + 1 :]]


thread_findings = pi.thread_findings


def same_owner(record: Record, other: Record) -> bool:
    """Say whether a record may hang on another: not on one that only moves the leaf, or stands aside."""
    return other.kind != "leaf" and not isinstance(other.kind, Aside)


def find(document: Document, wanted: Callable[[str], bool]) -> None:
    """Find entries whose parent or target stands behind them: the client, which reads once, does not see it."""
    from condense_cli.jsonbytes import jsonedit
    from condense_cli.model.plan import Change

    folded = fold(document)
    ids = {record.id for record in document.records} if folded.astray else set()
    for record, parent in folded.astray:
        if parent not in ids:
            continue  # it is missing, which was told already
        hung = record.parent
        document.findings.append(Finding("missing-parent", record.line, record, detail="its parent stands behind it"))
        if wanted("missing-parent"):
            document.rewrite(record, jsonedit.replace(document.raw(record), ("parentId",), hung), "missing-parent", Change.REPARENT)
    for record in folded.lost:
        document.findings.append(Finding("dangling-ref", record.line, record, detail="the entry that is to become the leaf is not above"))


# ---------------------------------------------------------------------- repair
def notice(document: Document) -> str | None:
    """Say that the file is not where current versions look."""
    return _NOTICE


def refuse_repair(document: Document) -> tuple[str, str] | None:
    """Refuse to touch the cold archive: its files are verified by hash."""
    folders = os.path.dirname(os.path.abspath(document.path)).split(os.sep)
    if "cold" in folders and "sessions" in folders:
        return "a cold archive is verified by hash and only read", "`condense render` and `condense query` read it; work on a copy elsewhere"
    return None


def header(document: Document) -> dict[str, Any] | None:
    """Build a header: version 4 for entries with UUIDs, else 3."""
    first = next((r.id for r in document.readable() if r.id), "")
    return pi.build_header(document, _NEWEST if re.fullmatch(_UUID, first) else 3, _IN_NAME)


def call_paths(call: Call) -> CallPaths:
    """A call is a block of message.content; its arguments have one of two names."""
    block = ("message", "content", call.part)
    return CallPaths(block, (*block, "id"), (*block, "name"), (*block, "input" if isinstance(call, _InputCall) else "arguments"))


def result_paths(result: Result) -> ResultPaths:
    """A result is a record of its own; its id has one of two names."""
    return ResultPaths((), ("message", "toolUseId" if isinstance(result, _ToolUseResult) else "toolCallId"), ("message", "toolName"))


def unlink(document: Document, gone: Record, heir: Record | None) -> list[Record]:
    """Let what names a record that goes name its parent, or what came after it."""
    from condense_cli.jsonbytes import jsonedit
    from condense_cli.model.plan import Change

    if gone.id is None or any(r is not gone and not r.gone and r.id == gone.id for r in document.records):
        return []
    for record in document.records:
        if record.gone:
            continue
        raw = document.raw(record) if record.kind in ("leaf", "reset") and _names(record, gone.id) else None
        if raw is None:
            continue
        if record.kind == "reset":
            raw = jsonedit.replace(raw, ("firstKeptEntryId",), heir.id) if heir is not None else jsonedit.remove(raw, ("firstKeptEntryId",))
        else:
            raw = _renamed(raw, record.extra, gone.id, gone.parent or None)
        document.rewrite(record, raw, "orphan-result", Change.REPARENT)
    # Edits of the context, which pi would take out with their target, are only carried along here.
    pi.unlink(document, gone, heir)
    return []


def _names(record: Record, ident: str) -> bool:
    return bool(record.extra == ident if record.kind == "reset" else ident in record.extra)


def _renamed(raw: bytes, control: Control, old: str, new: str | None) -> bytes:
    from condense_cli.jsonbytes import jsonedit, jsonspan

    for key, value in (("targetId", control.target), ("appendParentId", control.append)):
        if value == old and jsonspan.span(raw, (key,)):
            raw = jsonedit.replace(raw, (key,), new)
    return raw


def leaf_moved(document: Document, old: Record | None, new: Record | None, place: int | None, rule: str) -> None:
    """Let the `leaf` entry that put the leaf on a record put it on a new one; place (from 0) is where that counts, else the end."""
    from condense_cli.model.plan import Change

    if old is None or old.id is None:
        return
    for n in range(len(document.records) if place is None else place, 0, -1):
        record = document.records[n - 1]
        if record.gone or (record.kind != "leaf" and (record.kind not in _CANONICAL or isinstance(record.kind, Aside))):
            continue
        if record.kind == "leaf" and record.extra.target == old.id:
            raw = _renamed(document.raw(record), record.extra, old.id, new.id if new is not None else None)
            document.rewrite(record, raw, rule, Change.REPARENT)
        elif record.kind == "leaf":
            continue  # its target is lost: the client does not follow it
        return


def leads(document: Document, new: Record, record: Record, rule: str) -> None:
    """Let a reset that keeps a record keep what was put in front of it."""
    from condense_cli.jsonbytes import jsonedit
    from condense_cli.model.plan import Change

    for reset in document.records:
        if reset.kind == "reset" and not reset.gone and reset.extra == record.id:
            document.rewrite(reset, jsonedit.replace(document.raw(reset), ("firstKeptEntryId",), new.id), rule, Change.REPARENT)


def keep_leaf(document: Document, leaf: Record) -> dict[str, Any] | None:
    """Build an entry that makes `leaf` the end of the thread again, when another branch's entry became it."""
    if fold(document).leaf is leaf:
        return None
    return pi.leaf_entry(document, leaf)


def user_note(document: Document, before: Record, text: str) -> dict[str, Any]:
    """Build a user entry that takes the place of the record's parent."""
    made = pi.user_note(document, before, text)
    return {**made, "parentId": made.get("parentId") or None} if "parentId" in made else made

