"""Conversations of Anthropic messages, neighbours of one role joined."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from condense_cli.document.model_in_use import ModelInUse
from condense_cli.document.views import View
from condense_cli.formats.messages import conversations
from condense_cli.model.messages import Message, Role, unpaused

if TYPE_CHECKING:
    from condense_cli.document.records import Records


_WRITER = ModelInUse("anthropic-messages", "anthropic", "")


def views(document: Records, leaf: str | None, every: bool) -> Iterator[View]:
    """Yield each conversation, assistant neighbours joined."""
    for group in conversations(document, leaf):
        yield View(
            group,
            list(joined(r.message for r in group if r.message is not None)),
            _WRITER,
            group[-1] if group else None,
        )


def joined(messages: Iterator[Message] | Any) -> Iterator[Message]:
    """Join assistant messages that stand side by side; every half keeps its own record."""
    now: Message | None = None
    for message in messages:
        if now is not None and now.role is Role.ASSISTANT and message.role is Role.ASSISTANT:
            flaws = tuple(f._replace(record=f.record or message.record) for f in message.flaws)
            now = replace(
                now,
                calls=unpaused(now.calls) + message.calls,
                results=now.results + message.results,
                said=now.said or message.said,
                signed=now.signed or message.signed,
                flaws=now.flaws + flaws,
            )
            continue
        if now is not None:
            yield now
        now = message
    if now is not None:
        yield now
