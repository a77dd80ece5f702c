"""Messages of LangChain: an array, a state of LangGraph, or JSONL of messages or of states."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.document.views import Block, CallPaths, Compacts, Head, ResultPaths, Turn
from condense_cli.formats.langchain import reading, writing
from condense_cli.formats.langchain.content import blocks_of, said, text_of
from condense_cli.formats.langchain.detection import TYPES, is_evident, is_message, list_path
from condense_cli.formats.langchain.reading import held_of
from condense_cli.formats.messages import ArrayFormat
from condense_cli.model.messages import Call, Message, Record, Result, Role
from condense_cli.pairing.pair import BY_NAME

if TYPE_CHECKING:
    from condense_cli.document.draft import Draft
    from condense_cli.document.records import Records
    from condense_cli.jsonbytes.jsonspan import Path


class LangChain(ArrayFormat):
    """Messages of LangChain."""

    name = "langchain"
    contract = "openai-chat"
    conversations = True
    exact = True
    compaction = Compacts.REWRITE

    def detect(self, head: Head) -> bool:
        """Messages of this library only, one of them with a type or a member that no other has."""
        items = _items(head)
        return bool(items) and all(map(is_message, items)) and any(map(is_evident, items))

    def is_record(self, value: dict[str, Any]) -> bool:
        """A message, or an object that holds messages."""
        return is_message(value) or list_path(value) is not None

    def array_path(self, value: Any) -> Path:
        """The list itself, or that of a state."""
        return () if isinstance(value, list) else (list_path(value) or ("messages",))

    def knows(self, kind: str) -> bool:
        """The types of the library."""
        return kind in TYPES

    def read(self, record: Record, value: dict[str, Any]) -> None:
        """Read one message."""
        reading.read(record, value)

    def turn(self, document: Records, message: Message) -> Turn:
        """Load one message."""
        held = held_of(document.value(message.record), message.record.extra.shape)
        if message.role is not Role.RESULT:
            blocks = blocks_of(held) if message.role is Role.ASSISTANT else said(held.get("content"))
            return Turn(message.record, message.role, tuple(blocks))
        inner, name = tuple(said(held.get("content"))), held.get("name")
        failed, ident = held.get("status") == "error", message.results[0].id
        named = name if isinstance(name, str) else None
        block = Block("result", text_of(held.get("content")), ident, named, error=failed, inner=inner)
        return Turn(message.record, message.role, (block,))

    def call_paths(self, call: Call) -> CallPaths:
        """A call is an element of tool_calls, of invalid_tool_calls, or what a provider sent."""
        at = call.record.extra.calls[call.part]
        return CallPaths(at.whole, at.id, at.name, at.arguments, at.text)

    def result_paths(self, result: Result) -> ResultPaths:
        """A result is a message of its own."""
        base = result.record.extra.shape.base
        named: Path = (*base, "name")
        return ResultPaths((), named if result.family == BY_NAME else (*base, "tool_call_id"), named)

    def content_path(self, record: Record) -> Path:
        """The content is among the members of a message, wherever its shape has them."""
        base: Path = record.extra.shape.base if record.extra is not None else ()
        return (*base, "content")

    def user_note(self, document: Records, before: Record, text: str) -> dict[str, Any]:
        """Build a message by a human, in the shape of its neighbour."""
        return writing.message(before.extra.shape if before.extra is not None else None, "human", {"content": text})

    def answer(self, document: Records, call: Call, after: Record, text: str) -> dict[str, Any]:
        """Build a message by a tool that failed, in the shape of the call's."""
        shape = call.record.extra.shape if call.record.extra is not None else None
        if call.family == BY_NAME:
            return writing.message(shape, "function", {"content": text, "name": call.name})
        held = {"content": text, "name": call.name, "tool_call_id": call.id, "status": "error"}
        return writing.message(shape, "tool", held)

    def result_note(self, document: Records, result: Result) -> dict[str, Any]:
        """Keep the text of a result without a call as a message by a human."""
        held = held_of(document.value(result.record), result.record.extra.shape)
        text = f"[condense] Result of a call that is not in this conversation:\n{text_of(held.get('content'))}"
        return self.user_note(document, result.record, text)

    def drop_call(self, draft: Draft, call: Call, rule: str) -> bool:
        """Take a call out with its copies."""
        return writing.drop_call(draft, call, rule)

    def add_answer(self, draft: Draft, call: Call, cycle: int, anchor: Record, rule: str) -> bool:
        """A call that was not understood was never run, and not every provider is sent it: it is taken out."""
        if "invalid_tool_calls" not in call.record.extra.calls[call.part].whole:
            return False
        return self.drop_call(draft, call, rule)

    def follow_rename(self, draft: Draft, call: Call, result: Result | None, new: str, rule: str) -> None:
        """Let the copies of a call have its new id."""
        writing.rename_copies(draft, call, new, rule)

    def merge(self, draft: Draft, first: Record, second: Record, rule: str) -> bool:
        """Join two messages by humans; an answer has more than its content."""
        alike = first.kind == second.kind == "human" and first.extra.shape.base == second.extra.shape.base
        return alike and super().merge(draft, first, second, rule)


def _items(head: Head) -> list[dict[str, Any]]:
    """Return the objects that detection can look at, [] where there is nothing of the kind."""
    value = head.document
    if isinstance(value, (dict, list)):
        return _listed(value)
    if head.lists:
        return [item for listed in head.lists for item in _listed(listed)]
    if head.records and list_path(head.records[0]) is not None:
        return [item for record in head.records for item in _listed(record)]
    return list(head.records)


def _listed(value: Any) -> list[dict[str, Any]]:
    path = list_path(value) if isinstance(value, dict) else ()
    for step in path if path is not None else ():
        value = value[step]
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
