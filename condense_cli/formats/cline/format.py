"""Cline sessions: a document of Cline's store, or the list of messages of older versions, whose places are counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from condense_cli.document.records import Records
from condense_cli.document.views import Compacts, Head, Turn, View
from condense_cli.formats.anthropic.content import content_blocks
from condense_cli.formats.anthropic.format import Anthropic
from condense_cli.formats.cline import detection, halves, reading, threads
from condense_cli.jsonbytes import jsonedit
from condense_cli.model.blocks import EMPTY_USER
from condense_cli.model.messages import Call, Message, Record, Result

if TYPE_CHECKING:
    from condense_cli.document.draft import Draft


class Cline(Anthropic):
    """Cline sessions."""

    name = "cline"
    contract = "cline"
    lines = False
    rescued = True
    shared_results = False
    conversations = False
    own_shape = False
    joins_neighbours = False
    signed_by = ""
    compaction = Compacts.NONE

    def detect(self, head: Head) -> bool:
        """A document of Cline's store, or a list with the times and keys that Cline writes."""
        return detection.is_sdk(head.document) or (detection.is_history(head) and not detection.is_roo(head))

    def is_neutral(self, head: Head) -> bool:
        """Its keys are its own."""
        return False

    def is_record(self, value: dict[str, Any]) -> bool:
        """A message with a role."""
        return isinstance(value.get("role"), str)

    def knows(self, kind: str) -> bool:
        """The roles of the API, and reasoning beside them."""
        return kind == "reasoning" or super().knows(kind)

    def read(self, record: Record, value: dict[str, Any]) -> None:
        """Read one message."""
        reading.read(record, value)

    def views(self, document: Records, leaf: str | None, every: bool) -> Iterator[View]:
        """Yield the one thread: the client sends neighbours of one role one by one."""
        return threads.views(document, leaf)

    def threads(self, document: Records) -> int:
        """A session is one thread."""
        return 1

    def stored(self, document: Records, view: View) -> Sequence[Message]:
        """Return all messages, each by itself."""
        return list(threads.by_id(document, view.path))

    def turn(self, document: Records, message: Message) -> Turn:
        """Load one message, files as the texts that are sent of them."""
        content = reading.shown(document.value(message.record).get("content"))
        return Turn(message.record, message.role, tuple(content_blocks(content)))

    def notice(self, document: Records) -> str:
        """Tell that results are texts, and that the places of messages are kept in another file."""
        if threads.in_texts(document):
            return "results are texts in this session: calls are not paired by id"
        return ""

    def is_counted(self, document: Records) -> bool:
        """The list of tasks beside a bare list names places in it (`conversationHistoryDeletedRange`)."""
        return threads.is_list(document)

    def stand_in(self, document: Records, record: Record) -> bytes:
        """Return the message with a text that says nothing."""
        value = [{"type": "text", "text": EMPTY_USER}]
        return jsonedit.replace(document.raw(record), ("content",), value)

    # ------------------------------------------------------------------ what a repair makes and changes
    def answer(self, document: Records, call: Call, after: Record, text: str) -> dict[str, Any]:
        """Build a user message that answers a call."""
        block = halves.result_block(call, text)
        return halves.message(document, call.record, [block], f"answer {call.id} {call.part}")

    def user_note(self, document: Records, before: Record, text: str) -> dict[str, Any]:
        """Build a marked user message that comes before a record."""
        return halves.message(document, before, [{"type": "text", "text": text}], "note")

    def drop_result(self, draft: Draft, result: Result, rule: str) -> bool:
        """In a document a message that holds nothing else goes, as everywhere; in a bare list it stays, and says so."""
        first = draft.known.first
        if draft.document.counted or (first is not None and first.record is result.record):
            return halves.drop_result(draft, result, rule)
        return False

    def move_result(self, draft: Draft, result: Result, anchor: Record, call: Call | None, rule: str) -> bool:
        """In a bare list the block moves into a message that is there; else as everywhere."""
        if draft.document.counted:
            return halves.move_block(draft, result, call, rule)
        return super().move_result(draft, result, anchor, call, rule)

    def merge(self, draft: Draft, first: Record, second: Record, rule: str) -> bool:
        """In a bare list no message goes."""
        return not draft.document.counted and super().merge(draft, first, second, rule)
