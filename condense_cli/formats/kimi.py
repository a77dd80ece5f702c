"""Kimi CLI's `context.jsonl`: chat messages, one on each line, between records of its own whose role starts with `_`.

Those records (system prompt, checkpoints, token counts) never reach a provider and stay where they are.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from condense_cli.document.views import Block, Compacts, Turn
from condense_cli.formats import messages
from condense_cli.formats.openai_chat.format import OpenAIChat
from condense_cli.formats.openai_chat.reading import Extra
from condense_cli.model.blocks import words
from condense_cli.model.messages import Flaw

if TYPE_CHECKING:
    from condense_cli.document.records import Records
    from condense_cli.document.views import Head
    from condense_cli.model.messages import Message, Record

_FILE = "context.jsonl"
_BESIDE = ("wire.jsonl", "state.json")


class Kimi(OpenAIChat):
    """Kimi CLI's context, judged by the rules of chat messages."""

    name = "kimi"
    conversations = False
    own_shape = False
    leaves_calls_open = True
    compaction = Compacts.NONE

    def detect(self, head: Head) -> bool:
        """A record whose role starts with `_`, or the client's name for the file among the files that it writes
        beside it.
        """
        if any(_is_own(value) for value in head.records):
            return True
        folder, name = os.path.split(head.path)
        beside = name == _FILE and any(os.path.isfile(os.path.join(folder, other)) for other in _BESIDE)
        return beside and any("role" in value for value in head.records)

    def is_record(self, value: dict[str, Any]) -> bool:
        """A message, or a record of the client's own."""
        return _is_own(value) or super().is_record(value)

    def knows(self, kind: str) -> bool:
        """The roles of the API, and records that only the client reads."""
        return kind.startswith("_") or super().knows(kind)

    def read(self, record: Record, value: dict[str, Any]) -> None:
        """Read one line: a chat message, or a record without one."""
        if _is_own(value):
            record.kind = value["role"]
            record.message = None
            return
        super().read(record, value)
        # What the client reads as thinking it sends as reasoning_content.
        parts = messages.blocks(value)
        if record.message is not None and any(part.get("type") == "think" for part in parts):
            record.extra = Extra(True, record.extra.custom)
            if (
                not record.message.calls
                and all(part.get("type") == "think" for part in parts)
                and len(parts) == len(value["content"])
            ):
                record.message = replace(
                    record.message, said=False, flaws=(Flaw("empty-message", "blank-assistant", 0),)
                )

    def turn(self, document: Records, message: Message) -> Turn:
        """Load one message; thinking is a part of its content."""
        shown = super().turn(document, message)
        parts = messages.blocks(document.value(message.record))
        thoughts = [Block("thinking", words(part.get("think"))) for part in parts if part.get("type") == "think"]
        rest = (block for block in shown.blocks if (block.kind, block.text) != ("other", "think"))
        return shown._replace(blocks=(*thoughts, *rest)) if thoughts else shown


def _is_own(value: dict[str, Any]) -> bool:
    role = value.get("role")
    return isinstance(role, str) and role.startswith("_")
