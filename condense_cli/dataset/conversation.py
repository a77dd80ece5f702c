"""Where the conversation of a row is, and in which shape: chat, Anthropic, ShareGPT or Agent Trajectory Interchange."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Any, NamedTuple

import orjson

_ATIF = re.compile(r"ATIF-v1\.\d+")
_SHAREGPT_ROLES = frozenset({"human", "gpt", "system", "tool", "function_call", "observation", "user", "assistant"})
_ANTHROPIC_BLOCKS = frozenset({"tool_use", "tool_result", "thinking", "redacted_thinking"})
COLUMNS = ("messages", "conversations", "steps", "conversation", "trajectory", "turns")
"""Columns that are looked at when no name was given, in this order."""


class Shape(StrEnum):
    """How the turns of a conversation are written."""

    CHAT = "chat"
    ANTHROPIC = "anthropic"
    SHAREGPT = "sharegpt"
    ATIF = "atif"


class Conversation(NamedTuple):
    """The turns of one row.

    column is where they were found ("" where the row itself is the array); text says as a JSON string.
    """

    shape: Shape
    turns: list[Any]
    tools: list[Any] | None
    column: str
    text: bool = False


def conversation_of(row: Any, column: str | None = None) -> Conversation | None:
    """Return the conversation of a row, or None where there is none that is understood.

    column: the name to look at; default the first of COLUMNS that holds a list, or a JSON string of one.
    """
    if isinstance(row, list):
        return _shaped(row, None, "", text=False) if column is None else None
    if not isinstance(row, dict):
        return None
    for name in (column,) if column else COLUMNS:
        turns, text = _parsed(row.get(name))
        if isinstance(turns, list):
            tools, _ = _parsed(row.get("tools"))
            found = _shaped(turns, tools if isinstance(tools, list) else None, name, text=text, row=row)
            if found is not None:
                return found
    return None


def _parsed(value: Any) -> tuple[Any, bool]:
    """Return a value, or what a JSON string of an array holds; and whether it was such a string."""
    if not isinstance(value, str):
        return value, False
    if not value.lstrip().startswith("["):
        return None, False
    try:
        return orjson.loads(value), True
    except ValueError:
        return None, False


def _shaped(
    turns: list[Any], tools: list[Any] | None, column: str, *, text: bool, row: Any = None
) -> Conversation | None:
    if not turns or not all(turn.__class__ is dict for turn in turns):
        return None
    shape = _shape(turns, row or {})
    return Conversation(shape, turns, tools, column, text) if shape is not None else None


def _shape(turns: list[dict[str, Any]], row: dict[str, Any]) -> Shape | None:
    """Return the shape that every turn agrees with, or None."""
    first = turns[0]
    if "role" in first:
        return _role_shape(turns)
    if "from" in first:
        known = all(turn.get("from") in _SHAREGPT_ROLES and "value" in turn for turn in turns)
        return Shape.SHAREGPT if known else None
    version = row.get("schema_version")
    is_atif = isinstance(version, str) and _ATIF.fullmatch(version) and all("source" in turn for turn in turns)
    return Shape.ATIF if is_atif else None


def _role_shape(turns: list[dict[str, Any]]) -> Shape | None:
    """Return whose messages these are: Anthropic's where a block is one that only Anthropic has, else chat."""
    shape = Shape.CHAT
    for turn in turns:
        content = turn.get("content")
        if not isinstance(turn.get("role"), str) or "parts" in turn:
            return None
        if content is None or isinstance(content, str):
            continue
        if not isinstance(content, list):
            return None
        for block in content:
            if not isinstance(block, dict) or not isinstance(block.get("type"), str):
                return None
            if block["type"] in _ANTHROPIC_BLOCKS:
                shape = Shape.ANTHROPIC
    return shape
