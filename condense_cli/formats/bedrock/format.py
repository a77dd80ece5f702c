"""Messages of Bedrock Converse: an array, a request with `messages`, or JSONL of either."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from condense_cli.document.model_in_use import ModelInUse
from condense_cli.document.views import CallPaths, Compacts, Head, ResultPaths, Turn, View
from condense_cli.formats.bedrock import reading
from condense_cli.formats.bedrock.content import blocks_of
from condense_cli.formats.bedrock.detection import ROLES, is_message
from condense_cli.formats.messages import around, container, items_of
from condense_cli.formats.shared_results import SharedResults
from condense_cli.model.findings import Finding
from condense_cli.model.messages import Call, Message, Record, Result

if TYPE_CHECKING:
    from condense_cli.document.records import Records
    from condense_cli.jsonbytes.jsonspan import Path
    from condense_cli.pairing.pair import Pairing


class Bedrock(SharedResults):
    """Messages of Bedrock Converse."""

    name = "bedrock"
    contract = "bedrock"
    signed_by = "anthropic"  # no other model there signs
    model_in_use = ModelInUse("bedrock-converse-stream", "amazon-bedrock", "")
    together = True
    exact = True
    containers = ("messages", "history", "items")
    compaction = Compacts.REWRITE

    def detect(self, head: Head) -> bool:
        """Messages of this API only, one of them with a block."""
        items = items_of(head, self.containers)
        return bool(items) and all(map(is_message, items or ())) and any(item.get("content") for item in items or ())

    def is_record(self, value: dict[str, Any]) -> bool:
        """A message, or an object that holds messages."""
        return is_message(value) or container(value, self.containers) is not None

    def knows(self, kind: str) -> bool:
        """The roles of the API."""
        return kind in ROLES

    def read(self, record: Record, value: dict[str, Any]) -> None:
        """Read one message."""
        reading.read(record, value)

    def notice(self, document: Records) -> str:
        """Texts alone have nothing of this API but that they have no type."""
        halves = any(record.message is not None and record.message.halves for record in document.records)
        return "" if halves else "no tools seen: taken for Bedrock Converse because its blocks have no type"

    def model_of(self, document: Records, view: View) -> str:
        """Name the model of the request that the messages are in."""
        found = around(document, view).get("modelId")
        return found if isinstance(found, str) else super().model_of(document, view)

    def tools_of(self, document: Records, view: View) -> list[Any] | None:
        """Return the tools that the request declares, each with its schema."""
        declared = around(document, view).get("toolConfig")
        tools = declared.get("tools") if isinstance(declared, dict) else None
        listed = [tool.get("toolSpec") for tool in tools if isinstance(tool, dict)] if isinstance(tools, list) else []
        found = [
            {"name": tool.get("name"), "description": tool.get("description"), "parameters": _schema(tool)}
            for tool in listed
            if isinstance(tool, dict)
        ]
        return found or None

    def thread_findings(self, document: Records, view: View, pairing: Pairing) -> Iterator[Finding]:
        """Reasoning without a signature: Claude's is refused, other models never sign."""
        model = self.model_of(document, view).lower()
        if "claude" in model or "anthropic" in model:
            for message in view.messages:
                for part in message.record.extra:
                    yield Finding("unsigned-thinking", message.record.line, message.record, variant="sent", part=part)

    def turn(self, document: Records, message: Message) -> Turn:
        """Load one message."""
        return Turn(message.record, message.role, blocks_of(document.value(message.record).get("content")))

    def part_paths(self, message: Message, value: dict[str, Any]) -> list[Path]:
        """A block is an element of content."""
        return [("content", n) for n in range(len(value.get("content", [])))]

    def call_paths(self, call: Call) -> CallPaths:
        """A call is a block of content."""
        whole = ("content", call.part)
        inside = (*whole, "toolUse")
        return CallPaths(whole, (*inside, "toolUseId"), (*inside, "name"), (*inside, "input"))

    def result_paths(self, result: Result) -> ResultPaths:
        """A result is a block of content."""
        whole = ("content", result.part)
        return ResultPaths(whole, (*whole, "toolResult", "toolUseId"))

    def text_block(self, record: Record, part: int, text: str) -> dict[str, Any]:
        """Build a text block."""
        return {"text": text}

    def user_note(self, document: Records, before: Record, text: str) -> dict[str, Any]:
        """Build a user message."""
        return {"role": "user", "content": [{"text": text}]}

    def answer(self, document: Records, call: Call, after: Record, text: str) -> dict[str, Any]:
        """Build a user message that answers a call."""
        result = {"toolUseId": call.id, "content": [{"text": text}], "status": "error"}
        return {"role": "user", "content": [{"toolResult": result}]}


def _schema(tool: dict[str, Any]) -> Any:
    held = tool.get("inputSchema")
    return held.get("json") if isinstance(held, dict) else None
