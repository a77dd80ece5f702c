"""Tasks of Roo Code: a list of Anthropic messages with times, or the document of the second version."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from condense_cli.document.records import Records
from condense_cli.document.views import CallPaths, Head, ResultPaths, Turn, View
from condense_cli.formats.anthropic.content import content_blocks
from condense_cli.formats.cline import detection, halves
from condense_cli.formats.cline.format import Cline
from condense_cli.formats.cline.reading import Facts
from condense_cli.formats.cline.threads import without_answered
from condense_cli.formats.roo import modern, reading, threads
from condense_cli.formats.roo.threads import second_version
from condense_cli.formats.shared_results import next_user
from condense_cli.model.messages import Call, Message, Record, Result

if TYPE_CHECKING:
    from condense_cli.document.draft import Draft


class Roo(Cline):
    """Tasks of Roo Code, Zoo Code, and Kilo Code before its version 5."""

    name = "roo"
    contract = "roo"
    shared_results = True
    joins_neighbours = True

    def detect(self, head: Head) -> bool:
        """The second version, or a list with what only Roo Code writes."""
        return detection.is_second(head.document) or (detection.is_history(head) and detection.is_roo(head))

    def knows(self, kind: str) -> bool:
        """The roles of the API and of the AI SDK, and reasoning beside them."""
        return kind == "tool" or super().knows(kind)

    def read(self, record: Record, value: dict[str, Any]) -> None:
        """Read one message of either version."""
        reading.read(record, value)

    def views(self, document: Records, leaf: str | None, every: bool) -> Iterator[View]:
        """Yield the one thread, from the last summary on, assistant neighbours joined."""
        return threads.views(document, leaf)

    def stored(self, document: Records, view: View) -> Sequence[Message]:
        """Return all messages, each by itself."""
        return list(without_answered([record.message for record in view.path if record.message is not None]))

    def is_boundary(self, record: Record) -> bool:
        """The client reads on from a summary."""
        return isinstance(record.extra, Facts) and record.extra.summary

    def turn(self, document: Records, message: Message) -> Turn:
        """Load one message; of joined ones those that have calls, too."""
        records = dict.fromkeys([message.record, *(call.record for call in message.calls)])
        contents = (reading.as_first_version(document.value(record)).get("content") for record in records)
        return Turn(message.record, message.role, tuple(block for found in contents for block in content_blocks(found)))

    def notice(self, document: Records) -> str:
        """Nothing is peculiar to a file."""
        return ""

    def is_counted(self, document: Records) -> bool:
        """Other files name messages by their times, not by their places."""
        return False

    def refuse_repair(self, document: Records) -> tuple[str, str] | None:
        """Parts of the AI SDK belong to tasks of the second version alone."""
        if document.derived(_is_misplaced):
            return "parts of the AI SDK in a file that is no task of the second version", "see `condense formats`"
        return None

    # ------------------------------------------------------------------ places
    def call_paths(self, call: Call) -> CallPaths:
        """A call is a block of content, in the keys of its version."""
        if not _is_modern(call):
            return super().call_paths(call)
        block = ("content", call.part)
        return CallPaths(block, (*block, "toolCallId"), (*block, "toolName"), (*block, "input"))

    def result_paths(self, result: Result) -> ResultPaths:
        """A result is a block of content, in the keys of its version."""
        block = ("content", result.part)
        if not _is_modern(result):
            return ResultPaths(block, (*block, "tool_use_id"))
        return ResultPaths(block, (*block, "toolCallId"), (*block, "toolName"))

    # ------------------------------------------------------------------ what a repair makes and changes
    def answer(self, document: Records, call: Call, after: Record, text: str) -> dict[str, Any]:
        """Build a message that answers a call, of the role that holds results."""
        salt = f"answer {call.id} {call.part}"
        return halves.message(document, call.record, [_answer(call, text)], salt, role=_holder(document))

    def add_answer(self, draft: Draft, call: Call, cycle: int, anchor: Record, rule: str) -> bool:
        """In the second version only a message of role tool holds results; else as everywhere."""
        after = next_user(draft, cycle)
        if after is not None and draft.value(after.record).get("role") != _holder(draft.document) == "tool":
            return False
        return super().add_answer(draft, call, cycle, anchor, rule)


def _is_misplaced(document: Records) -> bool:
    facts = (record.extra for record in document.records)
    return not second_version(document) and any(isinstance(one, Facts) and one.modern for one in facts)


def _is_modern(half: Call | Result) -> bool:
    facts = half.record.extra
    return isinstance(facts, Facts) and half.part in facts.modern


def _holder(document: Records) -> str:
    """Return the role of the messages that hold results: they have one of their own in the second version."""
    return "tool" if second_version(document) else "user"


def _answer(call: Call, text: str) -> dict[str, Any]:
    if _is_modern(call):
        return modern.result_part(call, text)
    return {"type": "tool_result", "tool_use_id": call.id, "content": text, "is_error": True}
