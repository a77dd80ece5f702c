"""Whether a conversation is surely sound for training, told in one walk over its parsed turns.

A quick "yes" saves the whole check for most rows of a data set. "No" only means that the check decides: nothing is
reported from here, and a test holds that no conversation passes here in which the check finds an error or a warning.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson

from condense_cli.dataset.conversation import Conversation, Shape
from condense_cli.rules.schemas import Tools

_PLAIN = frozenset({"system", "developer", "user"})


def is_sound(conversation: Conversation, tools: Tools) -> bool:
    """Say whether nothing can be wrong. tools: what the row declares, None where it declares nothing."""
    judge = _SOUND.get(conversation.shape)
    return judge is not None and judge(conversation.turns, tools)


def _chat_is_sound(turns: list[dict[str, Any]], tools: Tools) -> bool:
    open_ids: set[Any] = set()
    spoken = False
    for turn in turns:
        role = turn["role"]
        if role == "tool":
            if turn.get("tool_call_id") not in open_ids or "content" not in turn:
                return False
            open_ids.remove(turn["tool_call_id"])
            continue
        if open_ids:
            return False
        content = turn.get("content")
        if role == "assistant":
            calls = turn.get("tool_calls")
            if calls:
                open_ids = _chat_calls(calls, tools)
                if not open_ids:
                    return False
            elif calls is not None or not _says(content):
                return False
        elif role not in _PLAIN or not _says(content):
            return False
        spoken = True
    return spoken and not open_ids


def _chat_calls(calls: Any, tools: Tools) -> set[Any]:
    """Return the ids of the calls, or nothing where one of them has to be looked at."""
    found: set[Any] = set()
    if not isinstance(calls, list):
        return found
    for call in calls:
        function = call.get("function") if isinstance(call, dict) else None
        ident = call.get("id") if isinstance(call, dict) else None
        if not isinstance(function, dict) or not isinstance(ident, str) or not ident:
            return set()
        arguments = function.get("arguments")
        if isinstance(arguments, str):
            try:
                arguments = orjson.loads(arguments)
            except ValueError:
                return set()
        if not _fits(function.get("name"), arguments, tools):
            return set()
        found.add(ident)
    return found if len(found) == len(calls) else set()


def _fits(name: Any, arguments: Any, tools: Tools) -> bool:
    if not isinstance(arguments, dict) or not isinstance(name, str) or not name:
        return False
    if tools is None:
        return True
    fits = tools.get(name)
    return fits is not None and fits(arguments)


def _says(content: Any) -> bool:
    """Say whether content holds a text that is not blank; lists of parts are left to the check but for plain texts."""
    if isinstance(content, str):
        return bool(content) and not content.isspace() and "\0" not in content
    return (
        isinstance(content, list)
        and bool(content)
        and all(
            isinstance(b, dict) and b.get("type") == "text" and isinstance(b.get("text"), str) and _says(b["text"])
            for b in content
        )
    )


def _anthropic_is_sound(turns: list[dict[str, Any]], tools: Tools) -> bool:
    open_ids: set[Any] = set()
    before = ""
    for turn in turns:
        role, content = turn["role"], turn.get("content")
        if role == before or role not in ("user", "assistant"):
            return False
        before = role
        if isinstance(content, str):
            if open_ids or not _says(content):
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
        elif found or kind != "text" or not _says(block.get("text")):
            return None
    return found


def _answers(content: list[Any], open_ids: set[Any]) -> set[Any] | None:
    """Return an empty set when the results answer all open calls and stand first, else None."""
    left = set(open_ids)
    for block in content:
        kind = block.get("type") if isinstance(block, dict) else None
        if kind == "tool_result" and block.get("tool_use_id") in left:
            left.remove(block["tool_use_id"])
        elif left or kind != "text" or not _says(block.get("text")):
            return None
    return left or set()


_SOUND: dict[Shape, Callable[[list[dict[str, Any]], Tools], bool]] = {
    Shape.CHAT: _chat_is_sound,
    Shape.ANTHROPIC: _anthropic_is_sound,
}
