"""Messages that applications on the AI SDK (Vercel) keep: an array, an object with `messages`, or JSONL of either.

A call and its result are one part, so both halves carry, as their family, the place where that is: nothing can be
displaced, and an answer is written into the part.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from condense_cli.document.views import Block, CallPaths, Compacts, Head, ResultPaths, Turn
from condense_cli.formats.gemini.places import paths_of
from condense_cli.formats.messages import ArrayFormat, container, items_of
from condense_cli.formats.vercel_model.output import block_of
from condense_cli.formats.vercel_ui import reading
from condense_cli.formats.vercel_ui.detection import ROLES, is_evident, is_message
from condense_cli.jsonbytes import jsonedit, jsonread, jsonspan
from condense_cli.model.blocks import ANSWER
from condense_cli.model.messages import Call, Message, Record, Result
from condense_cli.model.plan import Change

if TYPE_CHECKING:
    from condense_cli.document.draft import Draft
    from condense_cli.document.records import Records
    from condense_cli.jsonbytes.jsonspan import Path


class VercelUI(ArrayFormat):
    """Messages that applications on the AI SDK keep."""

    name = "vercel-ui"
    contract = "openai-chat"
    conversations = True
    own_shape = True
    exact = True
    containers = ("messages", "history", "items")
    compaction = Compacts.REWRITE

    def detect(self, head: Head) -> bool:
        """Messages of this library only: one with a tool or a step, or an id on each of them."""
        items = items_of(head, self.containers)
        if not items or not all(map(is_message, items)):
            return False
        ids = all(isinstance(item.get("id"), str) and isinstance(item.get("parts"), list) for item in items)
        return ids or any(map(is_evident, items))

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
        value = document.value(message.record)
        return Turn(message.record, message.role, tuple(block for _, block in _blocks(value, message)))

    def part_paths(self, message: Message, value: dict[str, Any]) -> list[Path]:
        """A block is a part, or half of one; in version 4 the content, or an invocation."""
        return [path for path, _ in _blocks(value, message)]

    def call_paths(self, call: Call) -> CallPaths:
        """A call is a part, whose type names the tool where the part has no name of its own."""
        held, whole = _place(call)
        name = "toolName" if held != whole or held[0] == "toolInvocations" else "type"
        arguments = "args" if name == "toolName" else "input"
        return CallPaths(whole, (*held, "toolCallId"), (*held, name), (*held, arguments))

    def result_paths(self, result: Result) -> ResultPaths:
        """A result is in the part of its call."""
        held, _ = _place(result)
        return ResultPaths(held, (*held, "toolCallId"))

    def content_path(self, record: Record) -> Path:
        """The content of a message is its list of parts."""
        return ("parts",)

    def user_note(self, document: Records, before: Record, text: str) -> dict[str, Any]:
        """Build a user message."""
        return {"id": "condense-note", "role": "user", "parts": [{"type": "text", "text": text}]}

    def answer(self, document: Records, call: Call, after: Record, text: str) -> dict[str, Any]:
        """Build what an answer adds to the part of its call."""
        return {"state": "output-error", "errorText": text}

    def answer_inside(self, raw: bytes, path: Path, text: str) -> bytes:
        """Write a marked error into the part of a call; a copy of it in version 4's second list follows."""
        held = path if path[0] == "toolInvocations" else _held(raw, path)
        if "toolInvocation" in held or held[0] == "toolInvocations":
            ident = _member(raw, (*held, "toolCallId"))
            for place in (held, *_copies(raw, ident, held)):
                raw = jsonedit.replace(jsonedit.replace(raw, (*place, "state"), "result"), (*place, "result"), text)
            return raw
        return jsonedit.replace(jsonedit.replace(raw, (*held, "state"), "output-error"), (*held, "errorText"), text)

    def add_answer(self, draft: Draft, call: Call, cycle: int, anchor: Record, rule: str) -> bool:
        """Write a marked error into the part of the call."""
        raw = self.answer_inside(draft.raw(call.record), _place(call)[1], ANSWER)
        draft.rewrite(call.record, raw, rule, Change.REPLACE, part=call.part, call_id=call.id)
        return True

    def move_result(self, draft: Draft, result: Result, anchor: Record, call: Call | None, rule: str) -> bool:
        """Nothing can be displaced: a result is in the part of its call."""
        return True


def _place(half: Call | Result) -> tuple[Path, Path]:
    """Return where a tool use is, and the part that it is in."""
    held, _ = paths_of(half.family)
    return held, held[:2]


def _held(raw: bytes, path: Path) -> Path:
    inner = (*path, "toolInvocation")
    return inner if jsonspan.span(raw, inner) else path


def _member(raw: bytes, path: Path) -> Any:
    place = jsonspan.span(raw, path)
    return jsonread.loads(raw[place[0] : place[1]]) if place else None


def _copies(raw: bytes, ident: Any, held: Path) -> Iterator[Path]:
    """Yield where version 4 repeats an invocation beside the parts."""
    place = jsonspan.span(raw, ("toolInvocations",))
    for n in range(len(jsonspan.elements(raw, place[0])) if place and held[0] != "toolInvocations" else 0):
        if ident is not None and _member(raw, ("toolInvocations", n, "toolCallId")) == ident:
            yield ("toolInvocations", n)


def _blocks(value: dict[str, Any], message: Message) -> Iterator[tuple[Path, Block]]:
    """Yield the blocks of a message, each with where it is."""
    listed = list(reading.uses(value)) if message.calls else []
    by_place = {use.path[:2]: use for use in listed}
    parts = value.get("parts")
    if not isinstance(parts, list):
        yield ("content",), Block("text", value["content"])
    for n, part in enumerate(parts if isinstance(parts, list) else ()):
        use = by_place.get(("parts", n))
        if use is None:
            yield ("parts", n), block_of(part, call=False, result=False)
        else:
            yield from _halves(use)
    for use in listed:
        if use.path[0] == "toolInvocations":
            yield from _halves(use)


def _halves(use: reading.Use) -> Iterator[tuple[Path, Block]]:
    yield use.path[:2], Block("call", id=use.id, name=use.name, arguments=use.arguments)
    if use.answered:
        inner = (Block("text", use.text),) if use.text else ()
        yield use.path[:2], Block("result", use.text, use.id, use.name, error=use.failed, inner=inner)
