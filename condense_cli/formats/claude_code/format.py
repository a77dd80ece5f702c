"""Claude Code sessions: records that form a tree by uuid and parentUuid, between metadata records without one.

There is no header. `messageId` of a file snapshot and `leafUuid` of a summary name other records and are no ids.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from condense_cli.document.format import Format
from condense_cli.document.views import CallPaths, Compacts, Head, ResultPaths, Turn, View
from condense_cli.formats.claude_code import content, detection, foreign, halves, made, reading, references, views
from condense_cli.formats.claude_code.facts import BOUNDARY, MIXED, facts
from condense_cli.formats.claude_code.references import TREE
from condense_cli.formats.claude_code.replies import fix_reply
from condense_cli.formats.claude_code.responses import members
from condense_cli.formats.claude_code.views import whole
from condense_cli.jsonbytes import jsonspan
from condense_cli.model.findings import Finding
from condense_cli.model.messages import Call, Message, Record, Result, Role

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from condense_cli.document.document import Document
    from condense_cli.document.draft import Draft
    from condense_cli.document.records import Records


class ClaudeCode(Format):
    """Claude Code transcripts."""

    name = "claude-code"
    contract = "claude-code"
    signed_by = "anthropic"
    compaction = Compacts.REWRITE
    stored_error_mark = b'"isApiErrorMessage"'
    tree = TREE

    def detect(self, head: Head) -> bool:
        """A chain record with its session, or the metadata records that many files begin with."""
        return detection.detect(head)

    def is_record(self, value: dict[str, Any]) -> bool:
        """A record of the chain, or one of the metadata records by type and key."""
        return reading.is_record(value)

    def knows(self, kind: str) -> bool:
        """Records of the chain and metadata."""
        return kind in reading.CHAIN_TYPES or kind in reading.METADATA_TYPES

    def read(self, record: Record, value: dict[str, Any]) -> None:
        """Set the facts of one record; metadata records have no id, whatever they name."""
        reading.read(record, value, {})

    def reader(self) -> Callable[[Record, dict[str, Any]], None]:
        """Return what reads the records of one file, which share their owners."""
        return partial(reading.read, owners={})

    def stored_error(self, value: dict[str, Any]) -> str:
        """Return the text of an answer that the client wrote itself, because the request failed."""
        message = value.get("message")
        content = (
            message.get("content") if isinstance(message, dict) and value.get("isApiErrorMessage") is True else None
        )
        blocks = content if isinstance(content, list) else [{"text": content}]
        texts = (block.get("text") for block in blocks if isinstance(block, dict))
        return "\n".join(text for text in texts if isinstance(text, str))

    def version(self, document: Records) -> str | None:
        """Return the version that wrote the last record that names one."""
        for record in reversed(document.records):
            if record.id is not None:
                found = document.value(record).get("version")
                if isinstance(found, str):
                    return found
        return None

    def views(self, document: Records, leaf: str | None, every: bool) -> Iterator[View]:
        """Yield the active thread first, and with `every` each other one, subagents inside the file included."""
        return views.views(document, leaf, every)

    def threads(self, document: Records) -> int:
        """Return the number of leaves, results on side branches and subagents inside the file included."""
        return views.threads(document)

    def owner(self, record: Record) -> Hashable:
        """Name the session, agent and side of it that a record belongs to."""
        return facts(record).owner

    def speaks_for_user(self, document: Records, record: Record) -> bool:
        """A record that nobody typed, such as "continue", has a mark."""
        return record.kind == "user" and document.value(record).get("isMeta") is True

    def turn(self, document: Records, message: Message) -> Turn:
        """Load a message with its content: a response with all of its records."""
        return content.turn(document, message)

    def stored(self, document: Records, view: View) -> Sequence[Message]:
        """Return all messages of a thread, those before a compaction, too."""
        return whole(document, view)

    def count(self, document: Records) -> tuple[int, int, int]:
        """Count messages, calls and results of the whole file; a response is one message, however many records it
        has.
        """
        messages = calls = results = 0
        seen: set[str] = set()
        assistant = Role.ASSISTANT
        for record in document.records:
            message = record.message
            if message is None:
                continue
            calls += len(message.calls)
            results += len(message.results)
            name = record.extra.response if message.role is assistant else None
            if name is None:
                messages += 1
            elif name not in seen:
                seen.add(name)
                messages += 1
        return messages, calls, results

    def records_of(self, document: Records, message: Message) -> Sequence[Record]:
        """Return all records of one response."""
        return members(message) if message.role is Role.ASSISTANT else ()

    def session_ids(self, document: Records) -> frozenset[str]:
        """Return the sessions of the records: a session is found under a file name that is its id."""
        owners = (facts(record).owner.session for record in document.records if record.id is not None)
        return frozenset(filter(None, owners))

    def is_boundary(self, record: Record) -> bool:
        """Say whether the client reads only what is after this record."""
        return bool(facts(record).flags & BOUNDARY)

    def scan(self, document: Document) -> Iterator[Finding]:
        """Yield records of another session, and replies that an error record cut off."""
        return foreign.scan(document)

    def fix(self, draft: Draft, finding: Finding) -> None:
        """Lead the thread over a reply that was cut off."""
        fix_reply(draft, finding)

    def names(self, document: Records, record: Record) -> Iterable[str]:
        """Return the ids in the fields that name other records."""
        return references.names(document, record)

    def call_paths(self, call: Call) -> CallPaths:
        """A call is a block of message.content."""
        block = ("message", "content", call.part)
        return CallPaths(block, (*block, "id"), (*block, "name"), (*block, "input"))

    def result_paths(self, result: Result) -> ResultPaths:
        """A result is a block of message.content; it does not name its tool."""
        return halves.result_paths(result)

    def block_path(self, record: Record, part: int) -> jsonspan.Path:
        """A block of message.content, or the image inside a result that cannot be one."""
        for medium in record.message.media if record.message is not None else ():
            if medium.part == part and medium.fault and not medium.document:
                return ("message", "content", *medium.path)
        return ("message", "content", part)

    def model_of(self, document: Records, view: View) -> str:
        """Name the model of the last answer; the client's own turns are no answers."""
        for record in reversed(view.path):
            message = document.value(record).get("message") if record.kind == "assistant" else None
            model = message.get("model") if isinstance(message, dict) else None
            if isinstance(model, str) and not model.startswith("<"):
                return model
        return ""

    def content_path(self, record: Record) -> jsonspan.Path:
        """The content of the message."""
        return ("message", "content")

    def answer(self, document: Records, call: Call, after: Record, text: str) -> dict[str, Any]:
        """Build the result of a call: one millisecond after the call, but not before the record that it goes after."""
        return made.answer(document, call, after, text)

    def user_note(self, document: Records, before: Record, text: str) -> dict[str, Any]:
        """Build a prompt that takes the place of the record's parent, one millisecond earlier."""
        return made.user_note(document, before, text)

    def replacement(self, document: Records, first: Record, after: Record, text: str) -> tuple[dict[str, Any], ...]:
        """Build a prompt after a record, not earlier than it, which nobody typed."""
        return (made.replacement(document, first, after, text),)

    def result_note(self, document: Records, result: Result) -> dict[str, Any] | None:
        """Build the record again with the result's text as a note in its place."""
        return made.result_note(document, result)

    def keep_leaf(self, document: Records, leaf: Record) -> dict[str, Any] | None:
        """Build a system record to put after the old leaf when another branch would be newer now."""
        return made.keep_leaf(document, leaf)

    def leaf_place(self, document: Records, leaf: Record) -> Record:
        """Say after which record it comes: the last one of the chain, for the client takes titles and modes from the
        last lines.
        """
        return next((record for record in reversed(document.records) if record.id is not None), leaf)

    def unlink(self, draft: Draft, gone: Record, successor: Record | None, rule: str) -> list[Record]:
        """Let what names a record that goes name its parent, or the record after it; return snapshots of it, which
        go, too.
        """
        return references.unlink(draft, gone, successor, rule)

    def drop_result(self, draft: Draft, result: Result, rule: str) -> bool:
        """Take a result out of a record that says more; what the client kept for showing it goes with the last one."""
        return halves.drop_result(draft, result, rule)

    def move_result(self, draft: Draft, result: Result, anchor: Record, call: Call | None, rule: str) -> bool:
        """Move a result that is no record of its own; a plain one is left to the common way."""
        return halves.move_result(draft, result, anchor, call, rule)

    def add_answer(self, draft: Draft, call: Call, cycle: int, anchor: Record, rule: str) -> bool:
        """Answer a call where its response ends."""
        return halves.add_answer(draft, call, anchor, rule)

    def drop_block(self, draft: Draft, finding: Finding) -> bool:
        """Leave unsigned thinking alone where its response has signed thinking, too."""
        return finding.rule == "unsigned-thinking" and finding.variant == MIXED
