"""Anthropic thinking without a signature, or with one that was cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.rules import sessions
from condense_cli.rules.blocks import drop_blocks
from condense_cli.rules.rule import Layer, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense_cli.document.views import View
    from condense_cli.model.findings import Finding
    from condense_cli.model.messages import Message
    from condense_cli.rules.thread import Thread


def scan(thread: Thread) -> Iterator[Finding]:
    """Yield unsigned thinking; where the client would send it to Anthropic, the variant says so."""
    for message, finding in thread.flaws("unsigned-thinking"):
        sent = not finding.variant and _is_sent(message, thread.view)
        yield finding._replace(variant="sent") if sent else finding


def _is_sent(message: Message, view: View) -> bool:
    """Thinking reaches Anthropic only from the model that the thread uses now."""
    written = message.record.extra
    return (
        view.model_in_use.signs_thinking
        and getattr(written, "provider", None) == view.model_in_use.provider
        and getattr(written, "model", None) == view.model_in_use.model
    )


RULE = Rule(
    "unsigned-thinking", Layer.CONTENT,
    "this thinking is not signed, or its signature was cut",
    "the thinking goes, and its record if that is all it holds",
    sessions.anthropic(3, sessions.ask(), sessions.reply({"type": "thinking", "thinking": "Hm.", "signature": ""}, sessions.say("One file.")), sessions.ask("thanks")),
    scan_thread=scan,
    fix=drop_blocks,
)  # fmt: skip
