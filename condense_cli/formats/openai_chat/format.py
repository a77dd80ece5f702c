"""OpenAI chat messages: an array, an object with `messages`, or JSONL of messages or of conversations."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from condense_cli.document.views import CallPaths, Compacts, Head, ResultPaths, Turn, View
from condense_cli.formats.messages import (
    ArrayFormat,
    begins_as_chat,
    beside,
    could_be_either,
    is_anthropic,
    is_chat,
    messages_of,
)
from condense_cli.formats.openai_chat import content, reading
from condense_cli.formats.openai_chat.content import placeholder_or_text
from condense_cli.formats.openai_chat.sound import quick_look
from condense_cli.model.findings import Finding
from condense_cli.model.messages import Call, Message, Record, Result, Role
from condense_cli.pairing.pair import BY_NAME, Pairing

if TYPE_CHECKING:
    from condense_cli.document.records import Look, Records
    from condense_cli.jsonbytes.jsonspan import Path


class OpenAIChat(ArrayFormat):
    """OpenAI chat messages: an array, an object, or JSONL."""

    name = "openai-chat"
    contract = "openai-chat"
    conversations = True
    own_shape = True
    compaction = Compacts.REWRITE

    def detect(self, head: Head) -> bool:
        """Anything that only this API has; or a list that could be either and begins as no list of Anthropic's may."""
        messages = messages_of(head)
        if not messages or (is_anthropic(messages) and not is_chat(messages)):
            return False
        return is_chat(messages) or begins_as_chat(messages)

    def is_neutral(self, head: Head) -> bool:
        """Roles and plain texts only."""
        return could_be_either(messages_of(head))

    def knows(self, kind: str) -> bool:
        """The roles of the API."""
        return kind in ("developer", "system", "user", "assistant", "tool", "function")

    def quick_look(self, contracts: Collection[str]) -> Look | None:
        """Texts, and calls that are answered in their turn."""
        return quick_look(contracts)

    def notice(self, document: Records) -> str:
        """Messages that Hermes wrote out are not what it goes on from."""
        hermes = {"session_id", "platform"} <= beside(document).keys()
        return "Hermes goes on from its state.db: a repair of this file does not reach it" if hermes else ""

    def read(self, record: Record, value: dict[str, Any]) -> None:
        """Read one message."""
        reading.read(record, value)

    def turn(self, document: Records, message: Message) -> Turn:
        """Load one message."""
        return content.turn(document, message)

    def part_paths(self, message: Message, value: dict[str, Any]) -> list[Path]:
        """Reasoning, content, then calls; a result is the message itself."""
        return content.part_paths(message, value)

    def thread_findings(self, document: Records, view: View, pairing: Pairing) -> Iterator[Finding]:
        """A call turn without reasoning while other turns of the session have it."""
        spoken = [m for m in view.messages if m.role is Role.ASSISTANT]
        if not any(m.record.extra.reasoning for m in spoken):
            return
        for message in spoken:
            if message.calls and not message.record.extra.reasoning:
                yield Finding("missing-reasoning", message.record.line, message.record)

    def call_paths(self, call: Call) -> CallPaths:
        """A call is an element of tool_calls, or function_call."""
        if call.family == BY_NAME:
            return CallPaths(
                ("function_call",),
                ("function_call", "name"),
                ("function_call", "name"),
                ("function_call", "arguments"),
                text=True,
            )
        block = ("tool_calls", call.part)
        kind = "custom" if call.part in getattr(call.record.extra, "custom", ()) else "function"
        return CallPaths(block, (*block, "id"), (*block, kind, "name"), (*block, kind, "arguments"), text=True)

    def result_paths(self, result: Result) -> ResultPaths:
        """A result is a message of its own."""
        if result.family == BY_NAME:
            return ResultPaths((), ("name",), ("name",))
        return ResultPaths((), ("tool_call_id",), ("name",))

    def answer(self, document: Records, call: Call, after: Record, text: str) -> dict[str, Any]:
        """Build a tool message."""
        if call.family == BY_NAME:
            return {"role": "function", "name": call.name, "content": text}
        return {"role": "tool", "tool_call_id": call.id, "content": text}

    def result_note(self, document: Records, result: Result) -> dict[str, Any]:
        """Keep the text of a result without a call as a user message."""
        value = document.value(result.record)
        return {
            "role": "user",
            "content": "[condense] Result of a call that is not in this conversation:\n"
            + placeholder_or_text(value.get("content")),
        }
