"""Claude Code sessions: records that form a tree by uuid and parentUuid, between metadata records without one.

There is no header. `messageId` of a file snapshot and `leafUuid` of a summary name other records and are no ids.
What a record says: claude_records.py. Which records make a thread: claude_thread.py. Mending: claude_repair.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.document.format import Block, Head, Tree, Turn, View, unknown_leaf
from condense_cli.formats.claude_code.records import BOUNDARY, facts, is_record, read
from condense_cli.formats.claude_code.repair import (
    add_answer,
    answer,
    block_path,
    call_paths,
    content_path,
    drop_block,
    drop_result,
    keep_leaf,
    leaf_place,
    move_result,
    result_note,
    result_paths,
    text_block,
    unlink,
    user_note,
)
from condense_cli.formats.claude_code.replies import mend_replies
from condense_cli.formats.claude_code.thread import Chain, chain_of, members, view_of, whole
from condense_cli.model.blocks import words
from condense_cli.model.findings import Finding
from condense_cli.model.messages import Message, Record, Role

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from condense_cli.document.document import Document

__all__ = [
    "CONTRACT", "CONVERSATIONS", "HEADERS", "NAME", "ONE_HEADER", "SHARED_RESULTS", "TREE", "add_answer", "answer",
    "array_path", "block_path", "call_paths", "content_path", "count", "detect", "drop_block", "drop_result",
    "find", "header", "is_boundary", "is_linear", "is_record", "keep_leaf", "leaf_place", "move_result", "parents", "read", "records_of", "result_note",
    "result_paths", "same_owner", "stored", "text_block", "threads", "turn", "unlink", "user_note", "version",
    "views",
]  # fmt: skip

NAME = "claude-code"
CONTRACT = "claude-code"
TREE: Tree | None = Tree(
    "uuid",
    "parentUuid",
    (
        ("logicalParentUuid",),
        ("sourceToolAssistantUUID",),
        ("compactMetadata", "preservedSegment", "headUuid"),
        ("compactMetadata", "preservedSegment", "anchorUuid"),
        ("compactMetadata", "preservedSegment", "tailUuid"),
        ("compactMetadata", "preservedMessages", "anchorUuid"),
        ("compactMetadata", "preservedMessages", "uuids", "*"),
        ("compactMetadata", "preservedMessages", "allUuids", "*"),
        ("leafUuid",),
        ("messageId",),
        ("snapshot", "messageId"),
        ("checkpointUuid",),
        ("rewindToUuid",),
        ("supersedesUuids", "*"),
        ("retractedMessageUuids", "*"),
        ("interruptedMessageId",),
    ),
)
SHARED_RESULTS = False  # each result is a record of its own, written when its tool is done
CONVERSATIONS = False
ONE_HEADER = False
HEADERS: frozenset[str] = frozenset()


# ---------------------------------------------------------------------- detection
def detect(head: Head) -> bool:
    """A chain record with its session, or the metadata records that many files begin with."""
    return any(_is_own(value) for value in head.records)


def _is_own(value: dict[str, Any]) -> bool:
    if "uuid" in value and "parentUuid" in value and "sessionId" in value:
        return isinstance(value.get("type"), str)
    return "uuid" not in value and is_record(value)


# ---------------------------------------------------------------------- threads
def views(document: Document, leaf: str | None = None, every: bool = False) -> Iterator[View]:
    """Yield the active thread first, and with `every` each other one, subagents inside the file included."""
    chain = chain_of(document)
    end = chain.leaf()
    if leaf is not None:
        end = chain.owners.get(leaf)
        if end is None:
            raise unknown_leaf(document, leaf, "entry", "entries")
    yield view_of(document, end)
    if every:
        for other in _ends(chain):
            if other is not end:
                yield view_of(document, other)


def threads(document: Document) -> int:
    """Return the number of leaves, results on side branches and subagents inside the file included."""
    return len(_ends(chain_of(document)))


def _ends(chain: Chain) -> list[Record]:
    ends = chain.ends(sidechain=chain.sidechain)
    return ends if chain.sidechain else ends + chain.ends(sidechain=True)


def stored(document: Document, view: View) -> list[Message]:
    """Return the messages of a thread with those in front of its compactions."""
    return whole(document, view)


def count(document: Document) -> tuple[int, int, int]:
    """Count messages, calls and results of the whole file; a response is one message, however many records it has."""
    messages = calls = results = 0
    seen: set[str] = set()
    for record in document.records:
        message = record.message
        if message is None:
            continue
        calls += len(message.calls)
        results += len(message.results)
        name = record.extra.response if message.role is Role.ASSISTANT else None
        if name is None:
            messages += 1
        elif name not in seen:
            seen.add(name)
            messages += 1
    return messages, calls, results


def is_linear(document: Document) -> bool:
    """Every session is a tree."""
    return False


def parents(document: Document) -> dict[str, Record | None]:
    """Every parent is a record."""
    return {}


def same_owner(record: Record, other: Record) -> bool:
    """Say whether two records belong to the same session, agent and side of it."""
    return facts(record).owner == facts(other).owner


def version(document: Document) -> str | None:
    """Return the version that wrote the last record that names one."""
    for record in reversed(document.records):
        if record.id is not None and not record.gone:
            found = document.value(record).get("version")
            if isinstance(found, str):
                return found
    return None


def array_path(value: Any) -> tuple[str | int, ...]:
    """A session is no array."""
    return ()


def header(document: Document) -> dict[str, Any] | None:
    """There is no header."""
    return None


# ---------------------------------------------------------------------- the file's own faults
def find(document: Document, wanted: Callable[[str], bool]) -> None:
    """Find records of another session, and replies that an error record cut off; mend the latter."""
    chain = chain_of(document)
    if len(chain.sessions) > 1:
        copied = _copied(chain)
        for record in chain.records:
            if facts(record).owner.session not in (None, chain.session) and id(record) not in copied:
                document.findings.append(Finding("foreign-session", record.line, record, detail="it belongs to another session"))
    mend_replies(document, chain, wanted)


def _copied(chain: Chain) -> set[int]:
    """Return the records of other sessions that this one was continued from: nothing of its own stands above them."""
    copied: set[int] = set()
    for record in chain.records:
        above = chain.parent(record)
        if facts(record).owner.session != chain.session or above is None or facts(above).owner.session == chain.session:
            continue
        history = list(chain.up(above))
        if all(facts(r).owner.session != chain.session for r in history):
            copied.update(id(r) for r in history)
    return copied


# ---------------------------------------------------------------------- content
def turn(document: Document, message: Message) -> Turn:
    """Load a message with its content: a response with all of its records."""
    record = message.record
    if record.kind == "system":
        return Turn(record, message.role, (Block("text", words(document.value(record).get("content")), record=record),))
    found: list[Block] = []
    if message.role is Role.ASSISTANT:
        for part in members(document, message):
            found.extend(_blocks(_content(document, part), part))
        if not message.results:
            # What is set apart from the response is shown where it stands.
            found = [b for b in found if b.kind != "result"]
    else:
        found.extend(_blocks(_content(document, record), record))
        if record.kind == "assistant":
            found = [b for b in found if b.kind == "result"]
    return Turn(record, message.role, tuple(found), message.skipped)


def _content(document: Document, record: Record) -> Any:
    message = document.value(record).get("message")
    return message.get("content") if isinstance(message, dict) else None


def _blocks(content: Any, record: Record | None) -> Iterator[Block]:
    if isinstance(content, str):
        yield Block("text", content, record=record)
    for block in content if isinstance(content, list) else ([content] if isinstance(content, dict) else []):
        if isinstance(block, str):
            yield Block("text", block, record=record)
        if not isinstance(block, dict):
            continue
        kind = words(block.get("type"))
        if kind == "text":
            yield Block("text", words(block.get("text")), record=record)
        elif kind in ("thinking", "redacted_thinking"):
            yield Block("thinking", words(block.get("thinking")), signature=words(block.get("signature")), record=record)
        elif kind.endswith("tool_use"):
            yield Block("call", id=block.get("id"), name=block.get("name"), arguments=block.get("input", {}), record=record)
        elif kind.endswith("tool_result"):
            inner = tuple(_blocks(block.get("content"), None))
            text = "\n".join(b.text for b in inner if b.kind == "text")
            yield Block("result", text, block.get("tool_use_id"), error=block.get("is_error") is True, inner=inner, record=record)
        elif kind == "image":
            source = block.get("source")
            source = source if isinstance(source, dict) else {}
            yield Block("image", media_type=words(source.get("media_type")), data=words(source.get("data")), url=words(source.get("url")), record=record)
        else:
            yield Block("other", words(block.get("text")) or kind, record=record)


# ---------------------------------------------------------------------- compaction into a new file
def records_of(document: Document, message: Message) -> list[Record]:
    """Return all records of one response."""
    return list(members(document, message)) if message.role is Role.ASSISTANT else []


def is_boundary(record: Record) -> bool:
    """Say whether the client reads only what stands behind this record."""
    return bool(facts(record).flags & BOUNDARY)
