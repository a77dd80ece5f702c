"""Anthropic messages: results are blocks of the user message after their call; server tools pair inside the answer.

Neighbours of one role are one turn for the API, so they are joined before pairing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from condense_cli.document.views import CallPaths, Compacts, Head, ResultPaths, Turn, View
from condense_cli.formats.anthropic import content, reading, threads
from condense_cli.formats.messages import begins_as_chat, could_be_either, is_anthropic, is_chat, messages_of
from condense_cli.formats.shared_results import SharedResults
from condense_cli.jsonbytes.jsonspan import Path
from condense_cli.model.messages import Call, Message, Record, Result

if TYPE_CHECKING:
    from condense_cli.document.records import Records


class Anthropic(SharedResults):
    """Anthropic messages: an array, an object, or JSONL."""

    name = "anthropic"
    contract = "anthropic"
    joins_neighbours = True
    signed_by = "anthropic"
    compaction = Compacts.REWRITE

    def detect(self, head: Head) -> bool:
        """Any block type that only this API has; or a list that could be either, unless it is taken for a chat."""
        messages = messages_of(head)
        return (
            bool(messages)
            and not is_chat(messages)
            and (
                is_anthropic(messages)
                or (messages[0].get("role") in ("user", "assistant") and not begins_as_chat(messages))
            )
        )

    def is_neutral(self, head: Head) -> bool:
        """Roles and plain texts only."""
        return could_be_either(messages_of(head))

    def knows(self, kind: str) -> bool:
        """The roles of the API."""
        return kind in ("user", "assistant", "system")

    def read(self, record: Record, value: dict[str, Any]) -> None:
        """Read one message."""
        reading.read(record, value)

    def views(self, document: Records, leaf: str | None, every: bool) -> Iterator[View]:
        """Yield each conversation, assistant neighbours joined."""
        return threads.views(document, leaf, every)

    def turn(self, document: Records, message: Message) -> Turn:
        """Load one message; of joined ones only the first record's."""
        return content.turn(document, message)

    def part_paths(self, message: Message, value: dict[str, Any]) -> list[Path]:
        """A block is an element of content, or the content itself where that is a text."""
        inside = value.get("content")
        if isinstance(inside, str):
            return [("content",)]
        return [
            ("content", n)
            for n, block in enumerate(inside if isinstance(inside, list) else ())
            if isinstance(block, dict)
        ]

    def call_paths(self, call: Call) -> CallPaths:
        """A call is a block of content."""
        block = ("content", call.part)
        return CallPaths(block, (*block, "id"), (*block, "name"), (*block, "input"))

    def result_paths(self, result: Result) -> ResultPaths:
        """A result is a block of content."""
        block = ("content", result.part)
        return ResultPaths(block, (*block, "tool_use_id"))

    def answer(self, document: Records, call: Call, after: Record, text: str) -> dict[str, Any]:
        """Build a user message that answers a call."""
        block = {"type": "tool_result", "tool_use_id": call.id, "content": text, "is_error": True}
        return {"role": "user", "content": [block]}
