"""Codex rollouts: one thread of records, each an envelope around an item of the history or an event of the UI.

Two modes: a legacy file may be rewritten freely; the offsets of a paginated one are kept in a database of the
client, so its lines keep their place and length. Files of early 2025 have bare items and are read, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.document.format import Format
from condense_cli.document.views import CallPaths, Compacts, Head, ResultPaths, Turn, View
from condense_cli.formats.codex import checks, detection, halves, made, meta, paths, reading, threads
from condense_cli.formats.codex.history import items_of
from condense_cli.formats.codex.items import BARE
from condense_cli.model.findings import Finding
from condense_cli.model.messages import Call, Message, Record, Result

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from condense_cli.document.document import Document
    from condense_cli.document.draft import Draft
    from condense_cli.document.records import Records
    from condense_cli.jsonbytes.jsonspan import Path


class Codex(Format):
    """Codex rollouts."""

    name = "codex"
    contract = "codex"
    signed_by = "openai"
    headers = frozenset({"session_meta"})  # a fork copies the header of its parent, too: the first one counts
    compaction = Compacts.REWRITE
    stored_error_mark = b'error"'

    def detect(self, head: Head) -> bool:
        """A record in Codex's envelope; without envelopes the first line of an early rollout, or its state records."""
        return detection.detect(head)

    def is_record(self, value: dict[str, Any]) -> bool:
        """An envelope. A bare item is not taken as one: the payload of a damaged record looks the same."""
        return detection.is_record(value)

    def knows(self, kind: str) -> bool:
        """Envelopes, bare items and state records."""
        return kind in detection.RECORD_TYPES or kind in (BARE, "state")

    def read(self, record: Record, value: dict[str, Any]) -> None:
        """Read one record."""
        reading.read(record, value)

    def reader(self) -> Callable[[Record, dict[str, Any]], None]:
        """Return what reads a record, without the detour over the format."""
        return reading.read

    def stored_error(self, value: dict[str, Any]) -> str:
        """Return the message of an error event."""
        payload = value.get("payload")
        if value.get("type") != "event_msg" or not isinstance(payload, dict):
            return ""
        text = payload.get("message") if payload.get("type") in ("error", "stream_error") else None
        return text if isinstance(text, str) else ""

    def version(self, document: Records) -> str | None:
        """Return the version of the client that began the session."""
        return meta.version(document)

    def understands(self, document: Records) -> bool:
        """Say whether there is a header or an envelope: items alone could be anybody's."""
        kinds = {record.kind for record in document.readable()}
        return not kinds or not kinds <= {BARE, "?"}

    def views(self, document: Records, leaf: str | None, every: bool) -> Iterator[View]:
        """Yield the one thread of a rollout, or its part up to an item id."""
        return threads.views(document, leaf, every)

    def turn(self, document: Records, message: Message) -> Turn:
        """Load the items of one message."""
        return threads.turn(document, message)

    def stored(self, document: Records, view: View) -> Sequence[Message]:
        """Return the messages of all records, whatever compactions and rollbacks took out; what a compaction repeats
        is left out.
        """
        return threads.stored(document, view)

    def records_of(self, document: Records, message: Message) -> list[Record]:
        """Return the records of the items that one turn is made of."""
        return [item.message.record for item in items_of(message)]

    def call_shown(self, document: Records, record: Record) -> str | None:
        """Return the id of the call that an event shows to people."""
        if record.kind != "event_msg":
            return None
        payload = document.value(record).get("payload")
        ident = payload.get("call_id") if isinstance(payload, dict) else None
        return ident if isinstance(ident, str) else None

    def is_fixed(self, document: Records) -> bool:
        """Say whether lines must keep place and length: in paginated mode, or where numbers are all that is left of
        it.
        """
        return meta.is_fixed(document)

    def notice(self, document: Records) -> str:
        """Say of a later segment that there is more of the session elsewhere."""
        return meta.notice(document)

    def scan(self, document: Document) -> Iterator[Finding]:
        """Yield a header without an id, items that are sent twice, and ordinals that are missing or used twice."""
        return checks.scan(document)

    def fix(self, draft: Draft, finding: Finding) -> None:
        """Put one of them right."""
        checks.fix(draft, finding)

    def call_paths(self, call: Call) -> CallPaths:
        """A call is a record of its own, or an element of a replacement_history."""
        return paths.call_paths(call)

    def result_paths(self, result: Result) -> ResultPaths:
        """A result is a record of its own, or an element of a replacement_history; it has no tool name."""
        return paths.result_paths(result)

    def item_path(self, record: Record, part: int) -> Path:
        """An item is the payload of its record, or an element of a replacement_history."""
        return paths.item_path(record, part)

    def block_path(self, record: Record, part: int) -> Path:
        """A block of a message's content, or of an output."""
        return paths.block_path(record, part)

    def content_path(self, record: Record) -> Path:
        """The content of a message."""
        return paths.content_path(record)

    def header(self, document: Records) -> dict[str, Any] | None:
        """Build a session_meta from the broken line, the file name and the content; None where no line may be put in
        front.
        """
        return made.header(document)

    def text_block(self, record: Record, part: int, text: str) -> dict[str, Any]:
        """Build a text block: what the model said is output, all else is input."""
        return paths.text_block(record, part, text)

    def answer(self, document: Records, call: Call, after: Record, text: str) -> dict[str, Any]:
        """Build the output of the call's own family, at the time of the call."""
        return made.answer(document, call, after, text)

    def user_note(self, document: Records, before: Record, text: str) -> dict[str, Any]:
        """Build a user message at the time of the record that it goes before."""
        return made.user_note(document, before, text)

    def replacement(self, document: Records, first: Record, after: Record, text: str) -> tuple[dict[str, Any], ...]:
        """Build a user message, and the event that shows it."""
        return made.replacement(document, first, text)

    def result_note(self, document: Records, result: Result) -> dict[str, Any] | None:
        """Build a user message that keeps the text of an output, unless that is in a compaction or its place is
        fixed.
        """
        return made.result_note(document, result)

    def stand_in(self, document: Records, record: Record) -> bytes:
        """Return what takes the place of a record that cannot be taken out: an event that says nothing, with its
        number.
        """
        return made.stand_in(document, record)

    def drop_result(self, draft: Draft, result: Result, rule: str) -> bool:
        """Take an output out of a replacement_history; a record of its own is left to the common way."""
        return halves.drop_result(draft, result, rule)

    def move_result(self, draft: Draft, result: Result, anchor: Record, call: Call | None, rule: str) -> bool:
        """Move an output into, out of, or inside a replacement_history; between records the common way is right."""
        return halves.move_result(draft, result, anchor, call, rule)

    def add_answer(self, draft: Draft, call: Call, cycle: int, anchor: Record, rule: str) -> bool:
        """Put an answer into a replacement_history, or at the end of a file whose lines must stay where they are."""
        return halves.add_answer(draft, call, cycle, rule)

    def drop_call(self, draft: Draft, call: Call, rule: str) -> bool:
        """Take a call out of a replacement_history; a record of its own is left to the common way."""
        return halves.drop_call(draft, call, rule)

    def drop_block(self, draft: Draft, finding: Finding) -> bool:
        """Take an item (reasoning) out of a replacement_history."""
        return halves.drop_block(draft, finding)

    def follow_rename(self, draft: Draft, call: Call, result: Result | None, new: str, rule: str) -> None:
        """Let the events that stand between a call and its output name it by its new id."""
        halves.follow_rename(draft, call, result, new, rule)
