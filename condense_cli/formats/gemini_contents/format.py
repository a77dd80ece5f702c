"""Contents of the Gemini API: an array, a request with `contents`, a saved `history`, or JSONL of either."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from condense_cli.document.model_in_use import ModelInUse
from condense_cli.document.views import CallPaths, Compacts, Head, ResultPaths, Turn, View
from condense_cli.formats.gemini_contents import reading, threads
from condense_cli.formats.gemini_contents.detection import ROLES, is_content, is_evident
from condense_cli.formats.messages import container, items_of
from condense_cli.formats.parts import blocks_of, camel
from condense_cli.formats.shared_results import SharedResults
from condense_cli.model.messages import Call, Message, Record, Result

if TYPE_CHECKING:
    from condense_cli.document.records import Records
    from condense_cli.jsonbytes.jsonspan import Path


class GeminiContents(SharedResults):
    """Contents of the Gemini API."""

    name = "gemini-contents"
    contract = "gemini"
    signed_by = "google"
    model_in_use = ModelInUse("google-generative-ai", "google", "")
    together = True
    exact = True
    containers = ("contents", "history")
    compaction = Compacts.REWRITE

    def detect(self, head: Head) -> bool:
        """Contents only, and one that no other API has; or contents in a request of this API."""
        items = items_of(head, self.containers)
        if not items or not all(map(is_content, items)):
            return False
        top = head.document if head.document is not None else head.records[0] if head.records else None
        return any(map(is_evident, items)) or (isinstance(top, dict) and container(top, ("contents",)) is not None)

    def is_record(self, value: dict[str, Any]) -> bool:
        """A content, or an object that holds contents."""
        return is_content(value) or container(value, self.containers) is not None

    def knows(self, kind: str) -> bool:
        """The roles of the API."""
        return kind in ROLES

    def read(self, record: Record, value: dict[str, Any]) -> None:
        """Read one content."""
        reading.read(record, value)

    def views(self, document: Records, leaf: str | None, every: bool) -> Iterator[View]:
        """Yield each conversation, its halves matched by id, or by name and order."""
        for view in super().views(document, leaf, every):
            yield view._replace(messages=threads.matched(view.messages))

    def turn(self, document: Records, message: Message) -> Turn:
        """Load one content; its halves have the ids by which they pair."""
        parts = [camel(part) for part in document.value(message.record).get("parts", [])]
        ids = {half.part: half.id for half in message.halves}
        blocks = (block._replace(id=ids[n]) if n in ids else block for n, block in enumerate(blocks_of(parts)))
        return Turn(message.record, message.role, tuple(blocks))

    def part_paths(self, message: Message, value: dict[str, Any]) -> list[Path]:
        """A block is a part."""
        return [("parts", n) for n in range(len(value.get("parts", [])))]

    def tools_of(self, document: Records, view: View) -> list[Any] | None:
        """Return the functions that the request declares."""
        tools = super().tools_of(document, view)
        listed = [tool.get("functionDeclarations", tool.get("function_declarations")) for tool in tools or () if isinstance(tool, dict)]  # fmt: skip  # noqa: E501
        found = [one for several in listed if isinstance(several, list) for one in several]
        return found or None

    def call_paths(self, call: Call) -> CallPaths:
        """A call is a part."""
        whole: Path = ("parts", call.part)
        inside = (*whole, "function_call" if call.part in call.record.extra else "functionCall")
        return CallPaths(whole, (*inside, "id"), (*inside, "name"), (*inside, "args"))

    def result_paths(self, result: Result) -> ResultPaths:
        """A response is a part."""
        whole: Path = ("parts", result.part)
        inside = (*whole, "function_response" if result.part in result.record.extra else "functionResponse")
        return ResultPaths(whole, (*inside, "id"), (*inside, "name"))

    def content_path(self, record: Record) -> Path:
        """The content of a message is its list of parts."""
        return ("parts",)

    def text_block(self, record: Record, part: int, text: str) -> dict[str, Any]:
        """Build a text part."""
        return {"text": text}

    def user_note(self, document: Records, before: Record, text: str) -> dict[str, Any]:
        """Build a content by the user."""
        return {"role": "user", "parts": [{"text": text}]}

    def answer(self, document: Records, call: Call, after: Record, text: str) -> dict[str, Any]:
        """Build a content that answers a call, spelled as its neighbour is; an id only where the call has one."""
        named = {"id": call.id} if call.id and call.id != call.name else {}
        response = {**named, "name": call.name or "unknown_tool", "response": {"error": text}}
        key = "function_response" if after.extra else "functionResponse"
        return {"role": "user", "parts": [{key: response}]}
