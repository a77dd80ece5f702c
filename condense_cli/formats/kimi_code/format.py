"""Kimi Code sessions: a log of records, of which those of the context are replayed in the order of the file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from condense_cli.document.format import Format
from condense_cli.document.records import Records
from condense_cli.document.views import Block, CallPaths, Head, ResultPaths, Turn, View
from condense_cli.formats.kimi_code import detection, made, reading, threads
from condense_cli.formats.kimi_code.detection import MESSAGE
from condense_cli.formats.kimi_code.reading import COMPACTION, Event, output_of, shown, text_of
from condense_cli.jsonbytes.jsonspan import Path
from condense_cli.model.blocks import USER_NOTE, words
from condense_cli.model.messages import Call, Message, Record, Result, Role

if TYPE_CHECKING:
    from condense_cli.document.draft import Draft
    from condense_cli.model.findings import Finding


class KimiCode(Format):
    """Kimi Code sessions (`wire.jsonl`)."""

    name = "kimi-code"
    contract = "kimi-code"
    cut_at_damage = True

    def detect(self, head: Head) -> bool:
        """Records that the client replays, or that only it writes."""
        return detection.detect(head)

    def is_record(self, value: dict[str, Any]) -> bool:
        """A record of the log."""
        return detection.is_record(value)

    def knows(self, kind: str) -> bool:
        """The first line, and families of records by the dot in their name."""
        return kind == "metadata" or "." in kind

    def read(self, record: Record, value: dict[str, Any]) -> None:
        """Set kind, id, message and the event of one record."""
        reading.read(record, value)

    def views(self, document: Records, leaf: str | None, every: bool) -> Iterator[View]:
        """Yield the one thread."""
        return threads.views(document, leaf)

    def stored(self, document: Records, view: View) -> Sequence[Message]:
        """Return all messages of the path, whatever was compacted, cleared or taken back."""
        return threads.replayed(view.path, whole=True)

    def is_boundary(self, record: Record) -> bool:
        """A compaction takes the place of what came before it."""
        return record.kind == COMPACTION

    def moves_on_purpose(self, record: Record) -> bool:
        """The user goes back, clears or compacts."""
        return record.kind in (COMPACTION, "context.clear", "context.undo")

    def turn(self, document: Records, message: Message) -> Turn:
        """Load a message; a step with all of its records."""
        if message.role is Role.CUSTOM:
            return Turn(message.record, message.role, ())
        members = message.members if isinstance(message, threads.Step) else ()
        blocks = [b for record in (message.record, *members) for b in _blocks(record, document.value(record))]
        return Turn(message.record, message.role, tuple(blocks))

    def records_of(self, document: Records, message: Message) -> tuple[Record, ...]:
        """Return the records of a step after the first one."""
        return message.members if isinstance(message, threads.Step) else ()

    def call_paths(self, call: Call) -> CallPaths:
        """A call is an event of its own, or one of a message."""
        if call.record.kind == MESSAGE:
            whole: Path = ("message", "toolCalls", call.part)
            return CallPaths(whole, (*whole, "id"), (*whole, "name"), (*whole, "arguments"), text=True)
        return CallPaths((), ("event", "toolCallId"), ("event", "name"), ("event", "args"))

    def result_paths(self, result: Result) -> ResultPaths:
        """A result is an event of its own, or a message."""
        whole: Path = ("message" if result.record.kind == MESSAGE else "event",)
        return ResultPaths(whole, (*whole, "toolCallId"))

    def content_path(self, record: Record) -> Path:
        """The content of a message; an event has a part or an output."""
        if isinstance(record.extra, Event):
            return ("event", "result", "output") if record.extra.kind == "tool.result" else ("event", "part")
        return ("message", "content")

    def answer(self, document: Records, call: Call, after: Record, text: str) -> dict[str, Any]:
        """Build the result of a call as an error."""
        return made.answer(document, call, after, text)

    def user_note(self, document: Records, before: Record, text: str) -> dict[str, Any]:
        """Build a message of the user that comes before a record."""
        return made.user_note(document, before, text)

    def add_first_user(self, draft: Draft, finding: Finding) -> bool:
        """Put a user message before the record that begins the step: inside it, it would be sent after the step."""
        step = finding.record.extra.step if isinstance(finding.record.extra, Event) else None
        begun = [
            record
            for record in draft.document.records
            if isinstance(record.extra, Event) and record.extra.kind == "step.begin" and record.extra.step == step
        ]
        if not step or not begun:
            return False
        draft.insert_before(made.user_note(draft, begun[0], USER_NOTE), begun[0], finding.rule)
        return True

    def result_note(self, document: Records, result: Result) -> dict[str, Any] | None:
        """Build a message of the user with the text of a result without a call."""
        return made.result_note(document, result)


def _blocks(record: Record, value: dict[str, Any]) -> Iterator[Block]:
    if record.kind == COMPACTION:
        summary = value.get("contextSummary") or value.get("summary")
        yield Block(
            "text", summary if isinstance(summary, str) else shown(_dict(summary).get("content")), record=record
        )
        return
    event, message = _dict(value.get("event")), _dict(value.get("message"))
    kind = event.get("type")
    if kind == "content.part":
        yield _part(event.get("part"), record)
    elif kind == "tool.call":
        ident, name = text_of(event.get("toolCallId")), text_of(event.get("name"))
        yield Block("call", id=ident, name=name, arguments=event.get("args"), record=record)
    elif kind == "tool.result":
        failed = _dict(event.get("result")).get("isError") is True
        yield _result(output_of(event), event.get("toolCallId"), record, failed=failed)
    elif message.get("role") == "tool":
        yield _result(message.get("content"), message.get("toolCallId"), record, failed=message.get("isError") is True)
    else:
        content = message.get("content")
        listed = content if isinstance(content, list) else [content]
        yield from (_part(part, record) for part in listed if part)
        asked = message.get("toolCalls")
        for call in asked if isinstance(asked, list) else ():
            if isinstance(call, dict):
                ident, name = text_of(call.get("id")), text_of(call.get("name"))
                yield Block("call", id=ident, name=name, arguments=_arguments(call.get("arguments")), record=record)


def _result(content: Any, ident: Any, record: Record, *, failed: bool) -> Block:
    listed = content if isinstance(content, list) else [content]
    inner = tuple(_part(part, record) for part in listed if part)
    return Block("result", shown(content), text_of(ident), error=failed, inner=inner, record=record)


def _part(part: Any, record: Record) -> Block:
    if isinstance(part, str):
        return Block("text", part, record=record)
    kind = _dict(part).get("type")
    if kind == "text":
        return Block("text", words(part.get("text")), record=record)
    if kind == "think":
        return Block("thinking", words(part.get("think")), record=record)
    if kind == "image_url":
        place = _dict(part.get("imageUrl") or part.get("image_url"))
        return Block("image", url=words(place.get("url")), record=record)
    return Block("other", kind if isinstance(kind, str) else "", record=record)


def _arguments(text: Any) -> Any:
    if not isinstance(text, str):
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
