"""Whether a conversation is surely sound, told in one walk over its parsed messages.

A quick "yes" saves the whole check for most conversations of a data set. "No" only means that the check decides:
nothing is reported from here, and laws hold that no conversation passes here in which the check finds anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Any

import orjson

from condense_cli.document.records import Look, Passed
from condense_cli.formats.messages import is_understood

FitsCall = Callable[[str, dict[str, Any]], bool]
"""Says whether nothing can be wrong with the function of a call; it is given the call's id, too."""

_PLAIN = frozenset({"system", "developer", "user", "assistant"})
_LOOKED_AT = frozenset({"function_call", "toolInvocations"})  # keys of a message that the check has to look at
TRAINING = "training"
_SOUND_BY = frozenset({"openai-chat", TRAINING})  # contracts for which the law was tried
_LONG = 1 << 20  # bytes: whether a request is too long is for the check to say
_ID = re.compile(r"[a-zA-Z0-9_-]{1,40}")
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def quick_look(contracts: Collection[str]) -> Look | None:
    """Return what counts the messages of a line in which none of the contracts can find anything, None where they have
    to be looked at; return None where the contracts are not those that this holds for.
    """
    if not _SOUND_BY.issuperset(contracts):
        return None
    trained = TRAINING in contracts  # which holds calls against the tools that a line declares
    names: set[str] = set()  # those that are known to be good

    def look(raw: bytes, value: Any) -> Passed | None:
        turns = value
        if value.__class__ is dict:
            turns = value.get("messages")
            if "role" in value or (trained and "tools" in value):
                return None
        if turns.__class__ is not list or len(raw) > _LONG or raw.rfind(b"\\u0000") >= 0:
            return None
        ids: set[str] = set()

        def fits(ident: str, function: dict[str, Any]) -> bool:
            arguments = function.get("arguments")
            if ident in ids or arguments.__class__ is not str or not _ID.fullmatch(ident):
                return False
            ids.add(ident)
            return _is_object(arguments) and _is_name(function.get("name"), names)

        if not is_sound(turns, fits) or any("reasoning_content" in turn for turn in turns):
            return None
        return Passed(1, len(turns), len(ids), len(ids))

    return look


def _is_object(text: str) -> bool:
    try:
        return orjson.loads(text).__class__ is dict
    except ValueError:
        return False


def _is_name(name: Any, good: set[str]) -> bool:
    if name.__class__ is not str:
        return False
    if name not in good:
        if not _NAME.fullmatch(name):
            return False
        good.add(name)
    return True


def is_sound(turns: list[Any], fits: FitsCall) -> bool:
    """Say whether every message says something, and every call is answered once, in its turn."""
    open_ids: list[str] = []
    for turn in turns:
        if turn.__class__ is not dict or not _LOOKED_AT.isdisjoint(turn):
            return False
        role, content = turn.get("role"), turn.get("content")
        if role == "tool":
            ident = turn.get("tool_call_id")
            if ident not in open_ids or not (content.__class__ is str or says(content)):
                return False
            open_ids.remove(ident)
        elif open_ids:
            return False
        elif role == "assistant" and turn.get("tool_calls") is not None:
            open_ids = _ids(turn["tool_calls"], fits)
            said = is_understood(turn) if content is None else content.__class__ is str or says(content)
            if not open_ids or not said:
                return False
        elif role.__class__ is not str or role not in _PLAIN or not says(content):
            return False
    return bool(turns) and not open_ids


def _ids(calls: Any, fits: FitsCall) -> list[str]:
    """Return the ids of the calls of a message, or nothing where one of them has to be looked at."""
    found: list[str] = []
    for call in calls if calls.__class__ is list else ():
        if call.__class__ is not dict:
            return []
        function, ident = call.get("function"), call.get("id")
        if function.__class__ is not dict or ident.__class__ is not str or not ident or ident in found:
            return []
        if "custom" in call or call.get("type") == "custom" or not fits(ident, function):
            return []
        found.append(ident)
    return found


def says(content: Any) -> bool:
    """Say whether content holds a text that is not blank; lists of parts are left to the check but for plain texts."""
    if content.__class__ is str:
        return bool(content) and not content.isspace() and "\0" not in content
    return content.__class__ is list and bool(content) and all(_is_text(block) for block in content)


def _is_text(block: Any) -> bool:
    if block.__class__ is not dict or block.get("type") != "text":
        return False
    text = block.get("text")
    return text.__class__ is str and says(text)
