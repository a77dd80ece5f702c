"""What pi and OpenClaw have in common: entries below a session header, and the entries of pi-condense among them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from condense_cli.document.format import Format
from condense_cli.document.views import Compacts, Turn, View
from condense_cli.formats.pi import content, made
from condense_cli.formats.pi.reading import ENTRY_TYPES
from condense_cli.model.findings import Finding
from condense_cli.model.messages import Call, Message, Record, Result

if TYPE_CHECKING:
    from condense_cli.document.records import Records
    from condense_cli.pairing.pair import Pairing


from condense_cli.formats.pi.references import condense_findings

_KINDS = ENTRY_TYPES | {"session", "reset", "leaf"}


class Entries(Format):
    """Entries that form a tree by id and parentId."""

    headers = frozenset({"session"})
    one_header = True
    pruned = True
    compaction = Compacts.APPEND
    stored_error_mark = b'"errorMessage"'

    def stored_error(self, value: dict[str, Any]) -> str:
        """Return the `errorMessage` of an answer that failed."""
        message = value.get("message")
        text = message.get("errorMessage") if isinstance(message, dict) else None
        return text if isinstance(text, str) else ""

    def understands(self, document: Records) -> bool:
        """Say whether there is an entry of a known type, and a message in known words where there are messages."""
        kinds = {record.kind for record in document.readable()}
        return super().understands(document) and (not kinds or not kinds.isdisjoint(_KINDS))

    def moves_on_purpose(self, record: Record) -> bool:
        """A compaction, the summary of a branch that the user left, and what moves OpenClaw's leaf."""
        return record.kind in ("compaction", "branch_summary", "leaf", "reset")

    def turn(self, document: Records, message: Message) -> Turn:
        """Load one message with its content, as pi has it in context."""
        return content.turn(document, message)

    def thread_findings(self, document: Records, view: View, pairing: Pairing) -> Iterator[Finding]:
        """Yield references of pi-condense and of pi's own entries that lead nowhere."""
        return condense_findings(document, view)

    def content_path(self, record: Record) -> tuple[str | int, ...]:
        """The content of a message entry, or of an extension's."""
        return ("content",) if record.kind == "custom_message" else ("message", "content")

    def answer(self, document: Records, call: Call, after: Record, text: str) -> dict[str, Any]:
        """Build a toolResult entry one millisecond after its call."""
        return made.answer(document, call, after, text)

    def result_note(self, document: Records, result: Result) -> dict[str, Any] | None:
        """Keep the text of a result without a call as a custom message, which every reader shows and sends as text."""
        return made.result_note(document, result)
