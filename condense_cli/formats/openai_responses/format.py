"""Items of the Responses API: an input list, a request with `input`, or JSONL of items or of conversations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from condense_cli.document.model_in_use import ModelInUse
from condense_cli.document.views import CallPaths, Compacts, Head, ResultPaths, Turn, View
from condense_cli.formats.codex.history import items_of as items_of_turn
from condense_cli.formats.codex.history import together
from condense_cli.formats.codex.items import ARGUMENTS, SEARCH, Item
from condense_cli.formats.codex.made import call_output
from condense_cli.formats.messages import ArrayFormat, container, conversations, items_of
from condense_cli.formats.openai_responses import checks, reading
from condense_cli.formats.openai_responses.content import load
from condense_cli.formats.openai_responses.detection import KEYS, OTHERS, is_evident, is_item
from condense_cli.model.messages import Call, Message, Record, Result, Role

if TYPE_CHECKING:
    from condense_cli.document.document import Document
    from condense_cli.document.draft import Draft
    from condense_cli.document.records import Records
    from condense_cli.jsonbytes.jsonspan import Path
    from condense_cli.model.findings import Finding
    from condense_cli.pairing.pair import Pairing

_WRITER = ModelInUse("openai-responses", "openai", "")


class OpenAIResponses(ArrayFormat):
    """Items of the Responses API."""

    name = "openai-responses"
    contract = "openai-responses"
    signed_by = "openai"
    conversations = True
    own_shape = True
    joins_neighbours = True
    exact = True
    containers = ("input", "items", "history", "messages")
    compaction = Compacts.REWRITE

    def detect(self, head: Head) -> bool:
        """Items only, one of them of a type that only this API has, or with its blocks."""
        items = items_of(head, self.containers)
        return bool(items) and all(map(is_item, items or ())) and any(map(is_evident, items or ()))

    def is_record(self, value: dict[str, Any]) -> bool:
        """An item, or an object that holds items."""
        return is_item(value) or container(value, self.containers) is not None

    def knows(self, kind: str) -> bool:
        """The types of the API."""
        return kind in KEYS or kind in OTHERS

    def read(self, record: Record, value: dict[str, Any]) -> None:
        """Read one item."""
        reading.read(record, value)

    def views(self, document: Records, leaf: str | None, every: bool) -> Iterator[View]:
        """Yield each conversation; items of the model side by side are one turn."""
        for group in conversations(document, leaf):
            items = [record.extra for record in group if isinstance(record.extra, Item)]
            yield View(group, list(together(items)), _WRITER, group[-1] if group else None)

    def notice(self, document: Records) -> str:
        """References to stored items keep a list from being judged whole."""
        number = sum(record.kind == "item_reference" for record in document.records)
        return f"{number} of its items are kept by the API alone, and not judged" if number else ""

    def turn(self, document: Records, message: Message) -> Turn:
        """Load the items of one message."""
        blocks = (
            block._replace(record=item.message.record)
            for item in items_of_turn(message)
            for block in load(document.value(item.message.record))
        )
        return Turn(message.record, message.role, tuple(blocks))

    def part_paths(self, message: Message, value: dict[str, Any]) -> list[Path]:
        """A block is an element of a message's content; any other item is one block."""
        content = value.get("content")
        if value.get("type", "message") != "message":
            return [()] * len(load(value))
        if isinstance(content, str):
            return [("content",)]
        return [("content", n) for n, block in enumerate(content or ()) if isinstance(block, dict)]

    def records_of(self, document: Records, message: Message) -> list[Record]:
        """Return the records of the items that one turn is made of."""
        return [item.message.record for item in items_of_turn(message)]

    def scan(self, document: Document) -> Iterable[Finding]:
        """Yield items whose id an earlier one has."""
        return checks.scan(document)

    def fix(self, draft: Draft, finding: Finding) -> None:
        """Take out a copy, or the id that two items have."""
        checks.fix(draft, finding)

    def thread_findings(self, document: Records, view: View, pairing: Pairing) -> Iterator[Finding]:
        """Reasoning that is neither in the list nor kept by the API."""
        return checks.stripped_reasoning(document, view)

    def call_paths(self, call: Call) -> CallPaths:
        """A call is an item."""
        kind = call.record.kind
        key = ARGUMENTS.get(kind, "operation" if kind == "apply_patch_call" else "action")
        ident = "id" if _is_answered_by_id(call.record) else "call_id"
        return CallPaths((), (ident,), ("name",), (key,), key not in ("action", "operation") and call.family != SEARCH)

    def result_paths(self, result: Result) -> ResultPaths:
        """A result is an item; it has no tool name."""
        return ResultPaths((), ("id" if _is_answered_by_id(result.record) else "call_id",))

    def block_path(self, record: Record, part: int) -> Path:
        """A block of a message's content, or of an output."""
        return ("output" if record.kind.endswith("_output") else "content", part)

    def text_block(self, record: Record, part: int, text: str) -> dict[str, Any]:
        """Build a text block: what the model said is output, all else is input."""
        said = record.kind == "message" and record.message is not None and record.message.role is Role.ASSISTANT
        return {"type": "output_text" if said else "input_text", "text": text}

    def user_note(self, document: Records, before: Record, text: str) -> dict[str, Any]:
        """Build a user message."""
        return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}

    def answer(self, document: Records, call: Call, after: Record, text: str) -> dict[str, Any]:
        """Build the output of the call's own family."""
        if call.family == reading.SHELL:
            said = {"stdout": "", "stderr": text, "outcome": {"type": "exit", "exit_code": 1}}
            return {"type": "shell_call_output", "call_id": call.id, "output": [said]}
        if call.family == reading.PATCH:
            return {"type": "apply_patch_call_output", "call_id": call.id, "status": "failed", "output": text}
        return call_output(call, text)

    def result_note(self, document: Records, result: Result) -> dict[str, Any] | None:
        """Keep the text of an output without a call as a user message."""
        text = "\n".join(block.text for block in load(document.value(result.record)))
        return self.user_note(document, result.record, f"[condense] Output of a call that is not in this list:\n{text}")

    def add_answer(self, draft: Draft, call: Call, cycle: int, anchor: Record, rule: str) -> bool:
        """A call of the computer is answered by a picture, which nobody can make up: it is taken out."""
        if call.family != reading.COMPUTER:
            return False
        draft.drop(call.record, rule, call_id=call.id)
        return True


def _is_answered_by_id(record: Record) -> bool:
    """Say whether an old call of the local shell, or its output, is named by its own id."""
    item = record.extra
    if record.kind not in ("local_shell_call", "local_shell_call_output") or not isinstance(item, Item):
        return False
    halves = item.message.halves
    return bool(halves) and halves[0].id is not None and halves[0].id == item.id
