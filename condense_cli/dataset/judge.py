"""One conversation judged for training: first by the quick look, then by the whole check, and repaired on demand."""

from __future__ import annotations

from typing import Any

import orjson

from condense_cli.dataset.conversation import Conversation, Shape
from condense_cli.dataset.flaw import Flaw
from condense_cli.dataset.lint import lint
from condense_cli.dataset.order import has_ids, with_ids, without_ids
from condense_cli.dataset.sound import is_sound
from condense_cli.model.findings import Severity
from condense_cli.rules.contracts import TRAINING
from condense_cli.rules.schemas import Declared
from condense_cli.session.arrays import check_array, repair_array

FORMATS = {Shape.CHAT: "openai-chat", Shape.ANTHROPIC: "anthropic"}
"""Shapes that the whole check knows; the others are only linted."""
_TOLD = (Severity.ERROR, Severity.WARNING)


def judge(conversation: Conversation, declared: Declared) -> tuple[Flaw, ...]:
    """Return what is wrong with a conversation by the contract `training`: errors and warnings, by turn."""
    tools = declared.of(conversation.tools) if conversation.tools else None
    if is_sound(conversation, tools):
        return ()
    name = FORMATS.get(conversation.shape)
    if name is None:
        return tuple(lint(conversation, tools))
    found = [
        Flaw(f.rule, f.severity.value, f.index, f.detail)
        for f in check_array(_request(conversation), name, TRAINING)
        if f.severity in _TOLD
    ]
    return tuple(sorted(found, key=lambda flaw: flaw.index or 0))


def _request(conversation: Conversation) -> bytes:
    """Return the conversation that is judged with the tools that it declares."""
    turns = _judged(conversation)
    return (
        b'{"tools":' + orjson.dumps(conversation.tools) + b',"messages":' + turns + b"}"
        if conversation.tools
        else turns
    )


def _judged(conversation: Conversation) -> bytes:
    """Return the array that is judged: with ids by order where the conversation has none."""
    turns = conversation.turns
    return orjson.dumps(turns if has_ids(turns, conversation.shape) else with_ids(turns, conversation.shape))


def repaired(conversation: Conversation, raw: bytes | None = None) -> bytes | None:
    """Return the bytes of the repaired array of turns, or None where the shape is only linted.

    raw: the array as it is in the row, so that turns without an edit keep their bytes.
    """
    name = FORMATS.get(conversation.shape)
    if name is None:
        return None
    if has_ids(conversation.turns, conversation.shape):
        return repair_array(raw or orjson.dumps(conversation.turns), name, TRAINING)
    new = repair_array(_judged(conversation), name, TRAINING)
    return orjson.dumps(without_ids(orjson.loads(new), conversation.shape))


def turns_of(raw: bytes) -> list[Any]:
    """Return the turns that JSON holds."""
    found: list[Any] = orjson.loads(raw)
    return found
