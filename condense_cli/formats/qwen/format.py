"""Qwen Code sessions: records that form a tree by uuid and parentUuid, with messages in Gemini's parts."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

from condense_cli.document.draft import Draft
from condense_cli.document.format import Format
from condense_cli.document.records import Records
from condense_cli.document.views import CallPaths, Head, ResultPaths, Tree, Turn, View
from condense_cli.formats.parts import blocks_of
from condense_cli.formats.qwen import detection, made, reading, threads
from condense_cli.formats.qwen.reading import Facts
from condense_cli.jsonbytes import jsonedit
from condense_cli.jsonbytes.jsonspan import Path
from condense_cli.model.messages import Call, Message, Record, Result, Role

_PARTS: Path = ("message", "parts")


class Qwen(Format):
    """Qwen Code sessions."""

    name = "qwen"
    contract = "qwen"
    tree = Tree("uuid", "parentUuid")

    def detect(self, head: Head) -> bool:
        """Records of the chain whose message holds Gemini's parts."""
        return detection.detect(head)

    def is_record(self, value: dict[str, Any]) -> bool:
        """A record with its links, of a known type."""
        return detection.is_record(value)

    def knows(self, kind: str) -> bool:
        """Turns, and records of the system."""
        return kind in reading.ROLES or kind == "system"

    def read(self, record: Record, value: dict[str, Any]) -> None:
        """Set kind, links and message of one record."""
        reading.read(record, value)

    def version(self, document: Records) -> str | None:
        """Return the version that wrote the first record that names one."""
        for record in document.readable():
            found = document.value(record).get("version")
            if isinstance(found, str):
                return found
        return None

    def views(self, document: Records, leaf: str | None, every: bool) -> Iterator[View]:
        """Yield the active thread first, and with `every` each other one."""
        return threads.views(document, leaf, every)

    def threads(self, document: Records) -> int:
        """Return the number of leaves."""
        return len(threads.leaves(document))

    def owner(self, record: Record) -> Hashable:
        """Name the session that a record belongs to; what belongs to none is alone."""
        return record.extra.session if isinstance(record.extra, Facts) else record

    def is_boundary(self, record: Record) -> bool:
        """A compression takes the place of what came before it."""
        return isinstance(record.extra, Facts) and record.extra.compresses

    def turn(self, document: Records, message: Message) -> Turn:
        """Load a message with its parts; a compression with the history that it keeps."""
        value = document.value(message.record)
        if message.role is Role.SUMMARY:
            listed = value["systemPayload"]["compressedHistory"]
            parts = [part for content in listed if isinstance(content, dict) for part in content.get("parts") or []]
        else:
            parts = value["message"]["parts"]
        return Turn(message.record, message.role, blocks_of(parts))

    def call_paths(self, call: Call) -> CallPaths:
        """A call is a part of its message."""
        whole = (*_PARTS, call.part)
        inside = (*whole, "functionCall")
        return CallPaths(whole, (*inside, "id"), (*inside, "name"), (*inside, "args"))

    def result_paths(self, result: Result) -> ResultPaths:
        """A result that is alone in its record is the record itself, else a part of its message."""
        part = (*_PARTS, result.part)
        message = result.record.message
        alone = message is None or (len(message.results) == 1 and not message.said)
        return ResultPaths(
            () if alone else part, (*part, "functionResponse", "id"), (*part, "functionResponse", "name")
        )

    def content_path(self, record: Record) -> Path:
        """The content of a message is its list of parts."""
        return _PARTS

    def text_block(self, record: Record, part: int, text: str) -> dict[str, Any]:
        """Build a text part."""
        return {"text": text}

    def answer(self, document: Records, call: Call, after: Record, text: str) -> dict[str, Any]:
        """Build the result of a call."""
        return made.answer(document, call, after, text)

    def user_note(self, document: Records, before: Record, text: str) -> dict[str, Any]:
        """Build a prompt that comes before a record."""
        return made.user_note(document, before, text)

    def result_note(self, document: Records, result: Result) -> dict[str, Any] | None:
        """Build a prompt that keeps the text of a result without a call."""
        return made.result_note(document, result)

    def keep_leaf(self, document: Records, leaf: Record) -> dict[str, Any] | None:
        """Build what makes `leaf` the end of the thread again, when a record of another one became the last."""
        end = threads.leaf_of(document)
        if end is None or any(record.id == leaf.id for record in threads.path_to(document, end)):
            return None
        return made.keep_leaf(document, leaf)

    def follow_rename(self, draft: Draft, call: Call, result: Result | None, new: str, rule: str) -> None:
        """Let the status of a result repeat the new id of its call."""
        if result is None:
            return
        old = draft.value(result.record).get("toolCallResult")
        if isinstance(old, dict) and isinstance(old.get("callId"), str):
            raw = jsonedit.replace(draft.raw(result.record), ("toolCallResult", "callId"), new)
            draft.rewrite(result.record, raw, rule)
