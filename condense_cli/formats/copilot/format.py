"""GitHub Copilot CLI sessions: events, replayed in the order of the file whatever their parents say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from condense_cli.document.draft import Draft
from condense_cli.document.format import Format
from condense_cli.document.records import Records
from condense_cli.document.views import Block, CallPaths, Head, ResultPaths, Turn, View
from condense_cli.formats.copilot import detection, made, reading, threads
from condense_cli.formats.copilot.reading import output_of
from condense_cli.jsonbytes import jsonedit
from condense_cli.jsonbytes.jsonspan import Path
from condense_cli.model.messages import Call, Message, Record, Result, Role


class Copilot(Format):
    """GitHub Copilot CLI sessions."""

    name = "copilot"
    contract = "copilot"
    headers = detection.HEADERS

    def detect(self, head: Head) -> bool:
        """Events with data that only this client writes."""
        return detection.detect(head)

    def is_record(self, value: dict[str, Any]) -> bool:
        """An event: a type with a dot, its data, an id, a time and a parent."""
        return detection.is_record(value)

    def knows(self, kind: str) -> bool:
        """Events by the families of their names."""
        return kind == "abort" or kind.startswith(reading.FAMILIES)

    def read(self, record: Record, value: dict[str, Any]) -> None:
        """Set kind, id and message of one event."""
        reading.read(record, value)

    def version(self, document: Records) -> str | None:
        """Return the version that the last start or resumption names."""
        for record in reversed(document.records):
            if record.kind in self.headers:
                data = document.value(record).get("data")
                found = data.get("copilotVersion") if isinstance(data, dict) else None
                if isinstance(found, str):
                    return found
        return None

    def views(self, document: Records, leaf: str | None, every: bool) -> Iterator[View]:
        """Yield the main thread, and with `every` each sub-agent's."""
        return threads.views(document, leaf, every)

    def threads(self, document: Records) -> int:
        """Return the number of agents with events in the file."""
        return threads.agents(document)

    def is_boundary(self, record: Record) -> bool:
        """A compaction takes the place of what came before it."""
        return record.message is not None and record.message.role is Role.SUMMARY

    def turn(self, document: Records, message: Message) -> Turn:
        """Load a message; a response that was written in pieces with all of them."""
        members = message.members if isinstance(message, threads.Chunked) else ()
        blocks = [b for record in (message.record, *members) for b in _blocks(record, document.value(record)["data"])]
        return Turn(message.record, message.role, tuple(blocks))

    def records_of(self, document: Records, message: Message) -> tuple[Record, ...]:
        """Return the pieces of a response after the first one."""
        return message.members if isinstance(message, threads.Chunked) else ()

    def call_paths(self, call: Call) -> CallPaths:
        """A call is a request of its message."""
        whole = ("data", "toolRequests", call.part)
        return CallPaths(whole, (*whole, "toolCallId"), (*whole, "name"), (*whole, "arguments"))

    def result_paths(self, result: Result) -> ResultPaths:
        """A result is an event of its own."""
        return ResultPaths((), ("data", "toolCallId"))

    def content_path(self, record: Record) -> Path:
        """The content of a message is a text."""
        return ("data", "content")

    def header(self, document: Records) -> dict[str, Any] | None:
        """Build the first event of a file that has none."""
        return made.header(document)

    def answer(self, document: Records, call: Call, after: Record, text: str) -> dict[str, Any]:
        """Build the end of a call that has none."""
        return made.answer(document, call, after, text)

    def user_note(self, document: Records, before: Record, text: str) -> dict[str, Any]:
        """Build a prompt that comes before an event."""
        return made.user_note(document, before, text)

    def result_note(self, document: Records, result: Result) -> dict[str, Any] | None:
        """Build a prompt with the text of a result without a call."""
        return made.result_note(document, result)

    def follow_rename(self, draft: Draft, call: Call, result: Result | None, new: str, rule: str) -> None:
        """Let the start of a call carry its new id: the next one after the call with the old id."""
        for record in draft.derived(_starts).get(call.id or "", ()):
            if draft.known.order[record] > draft.known.order[call.record]:
                draft.rewrite(record, jsonedit.replace(draft.raw(record), ("data", "toolCallId"), new), rule)
                return


def _starts(document: Records) -> dict[str, list[Record]]:
    """Return call id -> the starts of calls that name it, in file order."""
    found: dict[str, list[Record]] = {}
    for record in document.records:
        if record.kind == "tool.execution_start":
            data = document.value(record).get("data")
            if isinstance(data, dict) and isinstance(data.get("toolCallId"), str):
                found.setdefault(data["toolCallId"], []).append(record)
    return found


def _blocks(record: Record, data: dict[str, Any]) -> Iterator[Block]:
    if record.kind == "tool.execution_complete":
        output = output_of(data)
        inner = (Block("text", output),) if output else ()
        yield Block(
            "result",
            output,
            _text(data.get("toolCallId")),
            error=data.get("success") is False,
            inner=inner,
            record=record,
        )
        return
    text = data.get("summaryContent") or data.get("transformedContent") or data.get("content")
    if isinstance(text, str) and text:
        yield Block("text", text, record=record)
    listed = data.get("toolRequests")
    for asked in listed if isinstance(listed, list) else ():
        if isinstance(asked, dict):
            name, ident = _text(asked.get("name")), _text(asked.get("toolCallId"))
            yield Block("call", id=ident, name=name, arguments=asked.get("arguments"), record=record)


def _text(value: Any) -> str | None:
    return value if type(value) is str else None
