"""Whether a conversation is surely sound for training, told in one walk over its parsed turns.

A quick "yes" saves the whole check for most rows of a data set. "No" only means that the check decides: nothing is
reported from here, and a test holds that no conversation passes here in which the check finds an error or a warning.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson

from condense_cli.dataset.conversation import Conversation, Shape
from condense_cli.formats.openai_chat import sound as chat
from condense_cli.formats.openai_chat.sound import says
from condense_cli.rules.schemas import Tools


def is_sound(conversation: Conversation, tools: Tools) -> bool:
    """Say whether nothing can be wrong. tools: what the row declares, None where it declares nothing."""
    judge = _SOUND.get(conversation.shape)
    return judge is not None and judge(conversation.turns, tools)


def _chat_is_sound(turns: list[Any], tools: Tools) -> bool:
    def fits(_: str, function: dict[str, Any]) -> bool:
        arguments = function.get("arguments")
        if isinstance(arguments, str):
            try:
                arguments = orjson.loads(arguments)
            except ValueError:
                return False
        return _fits(function.get("name"), arguments, tools)

    return chat.is_sound(turns, fits)


def _fits(name: Any, arguments: Any, tools: Tools) -> bool:
    if not isinstance(arguments, dict) or not isinstance(name, str) or not name:
        return False
    if tools is None:
        return True
    fits = tools.get(name)
    return fits is not None and fits(arguments)


def _anthropic_is_sound(turns: list[dict[str, Any]], tools: Tools) -> bool:
    open_ids: set[Any] = set()
    before = ""
    for turn in turns:
        role, content = turn["role"], turn.get("content")
        if role == before or role not in ("user", "assistant"):
            return False
        before = role
        if isinstance(content, str):
            if open_ids or not says(content):
                return False
            continue
        if not isinstance(content, list) or not content:
            return False
        found = _asks(content, tools) if role == "assistant" else _answers(content, open_ids)
        if found is None:
            return False
        open_ids = found
    return before != "" and not open_ids


def _asks(content: list[Any], tools: Tools) -> set[Any] | None:
    """Return the ids of the calls of an assistant message, or None where it has to be looked at."""
    found: set[Any] = set()
    for block in content:
        kind = block.get("type") if isinstance(block, dict) else None
        if kind == "tool_use":
            ident = block.get("id")
            if (
                not isinstance(ident, str)
                or not ident
                or ident in found
                or not _fits(block.get("name"), block.get("input"), tools)
            ):
                return None
            found.add(ident)
        elif found or kind != "text" or not says(block.get("text")):
            return None
    return found


def _answers(content: list[Any], open_ids: set[Any]) -> set[Any] | None:
    """Return an empty set when the results answer all open calls and stand first, else None."""
    left = set(open_ids)
    for block in content:
        kind = block.get("type") if isinstance(block, dict) else None
        if kind == "tool_result" and block.get("tool_use_id") in left:
            left.remove(block["tool_use_id"])
        elif left or kind != "text" or not says(block.get("text")):
            return None
    return left or set()


_SOUND: dict[Shape, Callable[[list[dict[str, Any]], Tools], bool]] = {
    Shape.CHAT: _chat_is_sound,
    Shape.ANTHROPIC: _anthropic_is_sound,
}
