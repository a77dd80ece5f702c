"""Gemini CLI sessions: one JSON document with `messages`, or JSONL in which later lines replace earlier messages.

A call and its result are in one tool call of one message, so both halves carry, as their family, the place
where that is: ids are ignored by the provider and do not decide. The client stores results a second time, as a user
message after the calls, and sends both: `answers.py` says whose they are. A line that repeats a message's id takes that
message's place; `$set` may replace the whole list, and `$rewindTo` cuts its end off.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.document.format import Format
from condense_cli.document.views import CallPaths, ResultPaths, Turn, View
from condense_cli.formats.gemini import content, detection, halves, reading, threads
from condense_cli.formats.gemini.places import paths_of
from condense_cli.model.messages import Call, Message, Record, Result, TurnResult

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense_cli.document.draft import Draft
    from condense_cli.document.records import Records
    from condense_cli.document.views import Head
    from condense_cli.jsonbytes.jsonspan import Path
    from condense_cli.model.findings import Finding


class Gemini(Format):
    """Gemini CLI chats."""

    name = "gemini"
    contract = "gemini"
    shared_results = True
    documents = True
    leaves_calls_open = True
    stored_error_mark = b'"error"'

    def stored_error(self, value: dict[str, Any]) -> str:
        """Return the text of an error message, which is shown and never sent."""
        text = value.get("content") if value.get("type") == "error" else None
        return text if isinstance(text, str) else ""

    def detect(self, head: Head) -> bool:
        """An object with the session's id and its project's hash; or lines that only this client writes."""
        return detection.detect(head)

    def is_record(self, value: dict[str, Any]) -> bool:
        """The session's own object, an event, or a message."""
        return detection.is_record(value)

    def knows(self, kind: str) -> bool:
        """Messages, headers and updates."""
        return kind in reading.KINDS

    def read(self, record: Record, value: dict[str, Any]) -> None:
        """Read one line, or one element of the document's list."""
        reading.read(record, value)

    def array_path(self, value: Any) -> tuple[str | int, ...]:
        """The list of messages of a whole-file session."""
        return ("messages",)

    def views(self, document: Records, leaf: str | None, every: bool) -> Iterator[View]:
        """Yield the one thread; a leaf ends it there."""
        return threads.views(document, leaf, every)

    def scan(self, document: Records) -> Iterator[Finding]:
        """Yield lists that were put over newer messages."""
        return threads.scan_hidden(document)

    def turn(self, document: Records, message: Message) -> Turn:
        """Load one message: thoughts, content, and each tool call with its result."""
        return content.turn(document, message)

    def call_paths(self, call: Call) -> CallPaths:
        """A call is a tool call of the message, or a part of its content."""
        whole, _ = paths_of(call.family)
        inside: Path = (*whole, "functionCall") if "content" in whole else whole
        return CallPaths(whole, (*inside, "id"), (*inside, "name"), (*inside, "args"))

    def result_paths(self, result: Result) -> ResultPaths:
        """A result is in a tool call, which also has its id, or is a part of a turn of its own."""
        if isinstance(result, TurnResult):
            inside = (*result.place, "functionResponse")
            return ResultPaths(result.place, (*inside, "id"), (*inside, "name"))
        _, tool = paths_of(result.family)
        return ResultPaths(tool, (*tool, "id"), (*tool, "result", 0, "functionResponse", "name"))

    def text_block(self, record: Record, part: int, text: str) -> dict[str, Any]:
        """Build a text part."""
        return {"text": text}

    def answer(self, document: Records, call: Call, after: Record, text: str) -> dict[str, Any]:
        """Build the response that takes the place of a result; `add_answer` puts it where it belongs."""
        return halves.answer(document, call, after, text)

    def user_note(self, document: Records, before: Record, text: str) -> dict[str, Any]:
        """Build a user message before another one, with an id that derives from it."""
        return halves.user_note(document, before, text)

    def drop_result(self, draft: Draft, result: Result, rule: str) -> bool:
        """Take a result out of its tool call, or out of the turn of its own."""
        return halves.drop_result(draft, result, rule)

    def move_result(self, draft: Draft, result: Result, anchor: Record, call: Call | None, rule: str) -> bool:
        """Move a result that is in a turn of its own into the tool call that it answers."""
        return halves.move_result(result, draft, rule)

    def add_answer(self, draft: Draft, call: Call, cycle: int, anchor: Record, rule: str) -> bool:
        """Write a marked error into each tool call of the message that lacks a result; of a line the message is
        appended again.
        """
        return halves.add_answer(draft, call, rule)

    def drop_call(self, draft: Draft, call: Call, rule: str) -> bool:
        """Take tool calls out of their message, with what the content says of them."""
        return halves.drop_call(draft, call, rule)

    def add_first_user(self, draft: Draft, finding: Finding) -> bool:
        """Put a user note before the line, or into the list, that decides where the first message is."""
        return halves.add_first_user(draft, finding)

    def follow_rename(self, draft: Draft, call: Call, result: Result | None, new: str, rule: str) -> None:
        """Let the response repeat the new id of its call."""
        halves.follow_rename(draft, call, result, new, rule)
