"""What `opencode export` writes: one document of messages with parts. It is read, and never repaired.

A call and its result are one part, so both halves carry, as their family, the place of that part.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.document.format import Format
from condense_cli.document.views import CallPaths, ResultPaths, Turn, View
from condense_cli.formats.opencode import content, media, reading, threads
from condense_cli.formats.opencode.reading import text_of
from condense_cli.jsonbytes import jsonread, jsonspan
from condense_cli.model.messages import Call, Message, Record, Result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense_cli.document.records import Records
    from condense_cli.document.views import Head
    from condense_cli.jsonbytes.jsonspan import Path


_MESSAGES = ("messages",)


_REFUSAL = (
    "an OpenCode export is only read: `opencode import` ignores changed content of messages that its store has",
    "OpenCode itself answers interrupted calls when the session goes on; `condense render` shows the export",
)


def _ident(value: dict[str, Any]) -> str:
    info = value.get("info")
    found = info.get("id") if isinstance(info, dict) else None
    return found if isinstance(found, str) else ""


class OpenCode(Format):
    """What `opencode export` writes."""

    name = "opencode"
    contract = "openai-chat"
    documents = True
    lines = False

    def detect(self, head: Head) -> bool:
        """A document whose `info.id` starts with `ses_`, with a list of messages."""
        value = head.document
        return isinstance(value, dict) and isinstance(value.get("messages"), list) and _ident(value).startswith("ses_")

    def is_record(self, value: dict[str, Any]) -> bool:
        """A message: its info and its parts."""
        return isinstance(value.get("info"), dict) and isinstance(value.get("parts"), list)

    def knows(self, kind: str) -> bool:
        """Messages of the user and the assistant."""
        return kind in ("user", "assistant")

    def read(self, record: Record, value: dict[str, Any]) -> None:
        """Read one message."""
        reading.read(record, value)

    def array_path(self, value: Any) -> Path:
        """The list of messages."""
        return _MESSAGES

    def version(self, document: Records) -> str | None:
        """Return the version of OpenCode that the session was made with."""
        raw = document.source.read(0, document.source.size)
        place = jsonspan.span(
            raw, ("info", "version"), jsonspan.space_end(raw, 3 if raw.startswith(b"\xef\xbb\xbf") else 0)
        )
        version = jsonread.parse(raw[place[0] : place[1]]) if place else None
        return text_of(version.value) if version else None

    def views(self, document: Records, leaf: str | None, every: bool) -> Iterator[View]:
        """Yield the one thread from its last finished compaction on; a leaf ends it there."""
        return threads.views(document, leaf, every)

    def turn(self, document: Records, message: Message) -> Turn:
        """Load one message with its texts, thoughts, files, calls and results."""
        return content.turn(document, message)

    def refuse_repair(self, document: Records) -> tuple[str, str] | None:
        """Say why a changed export would change nothing, and what to do instead."""
        return _REFUSAL

    def call_paths(self, call: Call) -> CallPaths:
        """A call is a tool part."""
        whole = ("parts", call.part)
        return CallPaths(whole, (*whole, "callID"), (*whole, "tool"), (*whole, "state", "input"))

    def result_paths(self, result: Result) -> ResultPaths:
        """A result is the state of a tool part."""
        whole = ("parts", result.part)
        return ResultPaths((*whole, "state"), (*whole, "callID"), (*whole, "tool"))

    def content_path(self, record: Record) -> Path:
        """The parts."""
        return ("parts",)

    def note_instead(self, raw: bytes, path: Path, record: Record, part: int, text: str) -> bytes:
        """Put a text part in the place of a file part; an attached file is named at the end of the output."""
        return media.note_instead(raw, path, text)

    def answer(self, document: Records, call: Call, after: Record, text: str) -> dict[str, Any]:
        """Build the state of a tool part that failed."""
        return {"status": "error", "error": text}

    def user_note(self, document: Records, before: Record, text: str) -> dict[str, Any]:
        """Build a user message."""
        return {"info": {"role": "user"}, "parts": [self.text_block(before, 0, text)]}
