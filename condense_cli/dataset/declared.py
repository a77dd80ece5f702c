"""Calls held against the tools that their conversation declares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson

from condense_cli.dataset.conversation import Conversation, Shape
from condense_cli.dataset.flaw import ERROR, Flaw
from condense_cli.dataset.schemas import Tools


def tool_flaws(conversation: Conversation, tools: Tools) -> Iterator[Flaw]:
    """Yield calls of tools that are not declared, and arguments that the declared schema refuses. tools None: nothing is declared."""
    if tools is None:
        return
    for index, name, arguments in _calls(conversation):
        if name not in tools:
            yield Flaw("undeclared-tool", ERROR, index)
        elif isinstance(arguments, dict) and not tools[name](arguments):
            yield Flaw("arguments-not-by-schema", ERROR, index)


def _calls(conversation: Conversation) -> Iterator[tuple[int, str, Any]]:
    for index, turn in enumerate(conversation.turns):
        if conversation.shape is Shape.CHAT:
            calls = turn.get("tool_calls")
            functions = [call.get("function") for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []
            found = [(f.get("name"), f.get("arguments")) for f in functions if isinstance(f, dict)]
        else:
            content = turn.get("content")
            blocks = [b for b in content if isinstance(b, dict)] if isinstance(content, list) else []
            found = [(b.get("name"), b.get("input")) for b in blocks if b.get("type") == "tool_use"]
        yield from ((index, name, _object(arguments)) for name, arguments in found if isinstance(name, str))


def _object(arguments: Any) -> Any:
    if not isinstance(arguments, str):
        return arguments
    try:
        return orjson.loads(arguments)
    except ValueError:
        return None  # that is another rule
