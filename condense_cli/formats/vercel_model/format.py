"""Messages that the AI SDK (Vercel) sends: an array, an object with `messages`, or JSONL of either.

Results are parts of messages by the role `tool`, of which several may follow a turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.document.views import CallPaths, Compacts, Head, ResultPaths, Turn
from condense_cli.formats.messages import ArrayFormat, container, items_of
from condense_cli.formats.vercel_model import reading
from condense_cli.formats.vercel_model.detection import ROLES, is_evident, is_message
from condense_cli.formats.vercel_model.output import block_of, text_of
from condense_cli.jsonbytes import jsonedit, jsonspan
from condense_cli.model.messages import Call, Message, Record, Result
from condense_cli.model.plan import Change

if TYPE_CHECKING:
    from condense_cli.document.draft import Draft
    from condense_cli.document.records import Records
    from condense_cli.jsonbytes.jsonspan import Path


class VercelModel(ArrayFormat):
    """Messages that the AI SDK sends."""

    name = "vercel-model"
    contract = "openai-chat"
    conversations = True
    own_shape = True
    exact = True
    containers = ("messages", "history", "items")
    compaction = Compacts.REWRITE

    def detect(self, head: Head) -> bool:
        """Messages of this library only, one of them with a call or a result."""
        items = items_of(head, self.containers)
        return bool(items) and all(map(is_message, items or ())) and any(map(is_evident, items or ()))

    def is_record(self, value: dict[str, Any]) -> bool:
        """A message, or an object that holds messages."""
        return is_message(value) or container(value, self.containers) is not None

    def knows(self, kind: str) -> bool:
        """The roles of the library."""
        return kind in ROLES

    def read(self, record: Record, value: dict[str, Any]) -> None:
        """Read one message."""
        reading.read(record, value)

    def turn(self, document: Records, message: Message) -> Turn:
        """Load one message."""
        content = document.value(message.record).get("content")
        parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
        calls, results = {c.part for c in message.calls}, {r.part for r in message.results}
        blocks = (block_of(part, call=n in calls, result=n in results) for n, part in enumerate(parts))
        return Turn(message.record, message.role, tuple(blocks))

    def part_paths(self, message: Message, value: dict[str, Any]) -> list[Path]:
        """A block is a part, or the content itself where that is a text."""
        content = value.get("content")
        return [("content", n) for n in range(len(content))] if isinstance(content, list) else [("content",)]

    def call_paths(self, call: Call) -> CallPaths:
        """A call is a part."""
        whole = ("content", call.part)
        return CallPaths(
            whole, (*whole, "toolCallId"), (*whole, "toolName"), (*whole, "args" if call.record.extra else "input")
        )

    def result_paths(self, result: Result) -> ResultPaths:
        """A result is a part, and names its tool."""
        whole = ("content", result.part)
        return ResultPaths(whole, (*whole, "toolCallId"), (*whole, "toolName"))

    def answer(self, document: Records, call: Call, after: Record, text: str) -> dict[str, Any]:
        """Build a message by the role `tool`, in the spelling of its neighbour."""
        part: dict[str, Any] = {"type": "tool-result", "toolCallId": call.id, "toolName": call.name or "unknown_tool"}
        if after.extra:
            part |= {"result": text, "isError": True}
        else:
            part["output"] = {"type": "error-text", "value": text}
        return {"role": "tool", "content": [part]}

    def result_note(self, document: Records, result: Result) -> dict[str, Any] | None:
        """Keep the text of a result that is alone in its message as a user message."""
        content = document.value(result.record)["content"]
        if len(content) > 1:
            return None
        said = f"[condense] Result of a call that is not in this conversation:\n{text_of(content[result.part])}"
        return {"role": "user", "content": said}

    def move_result(self, draft: Draft, result: Result, anchor: Record, call: Call | None, rule: str) -> bool:
        """A result that shares its message with others moves into one of its own; else the common way is right."""
        record = result.record
        raw, now = draft.raw(record), draft.message(record)
        if call is None or now is None or len(now.results) < 2:
            return False
        part = next((r.part for r in now.results if r.id == result.id), None)
        place = jsonspan.span(raw, ("content", part)) if part is not None else None
        if place is None:
            return True
        block = raw[place[0] : place[1]]
        draft.rewrite(
            record, jsonedit.remove(raw, ("content", part or 0)), rule, Change.MOVE, part=result.part, call_id=result.id
        )
        new = draft.insert(self.answer(draft, call, anchor, ""), anchor, rule, call_id=result.id)
        moved = jsonedit.replace(draft.raw(new), ("content",), b"[" + block + b"]")
        draft.rewrite(new, moved, rule, Change.MOVE, call_id=result.id)
        return True
