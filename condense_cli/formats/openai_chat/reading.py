"""What one chat message says: its halves and flaws."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from condense_cli.document.records import UNKNOWN
from condense_cli.formats.media import image_flaws, media_of
from condense_cli.formats.messages import is_blank, is_understood, placeholder_text
from condense_cli.jsonbytes import jsonread
from condense_cli.model.blocks import is_placeholder
from condense_cli.model.medium import Medium
from condense_cli.model.messages import Call, Flaw, Message, Record, Result, Role
from condense_cli.pairing.pair import BY_NAME

_ROLES = {
    "assistant": Role.ASSISTANT,
    "user": Role.USER,
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "tool": Role.RESULT,
    "function": Role.RESULT,
}


class Extra(NamedTuple):
    """reasoning: whether the message carries reasoning_content; custom: parts that are custom tool calls."""

    reasoning: bool = False
    custom: frozenset[int] = frozenset()


_PLAIN = Extra()
_ASSISTANT, _RESULT, _USER = Role.ASSISTANT, Role.RESULT, Role.USER


def read(record: Record, value: dict[str, Any]) -> None:
    """Read one message."""
    role = value.get("role")
    record.kind = role if isinstance(role, str) and role else "?"
    record.extra = _PLAIN
    if not is_understood(value):
        record.kind, record.message = UNKNOWN, None
        return
    who = _ROLES.get(role) if isinstance(role, str) else None
    content = value.get("content")
    if who is _ASSISTANT:
        _read_assistant(record, value)
    elif who is _RESULT:
        made_up = is_placeholder(placeholder_text(content))
        if role == "function":
            name = value.get("name")
            result = Result(record, 0, name if isinstance(name, str) else None, made_up, family=BY_NAME)
        else:
            ident = value.get("tool_call_id")
            result = Result(record, 0, ident if isinstance(ident, str) else None, made_up)
        media = media_of(content, in_result=True)
        silent = (Flaw("missing-content", "text", 0),) if content is None else ()
        record.message = Message(
            record, _RESULT, (), (result,), False, False, silent + image_flaws(media), False, media
        )
    elif who is _USER:
        media = media_of(content)
        record.message = Message(record, _USER, (), (), True, False, _user_flaws(content, media), False, media)
    else:
        record.message = Message(record, who or Role.CUSTOM)


def _read_assistant(record: Record, value: dict[str, Any]) -> None:
    calls: list[Call] = []
    flaws: list[Flaw] = []
    custom: set[int] = set()
    listed = value.get("tool_calls")
    for part, one in enumerate(listed if isinstance(listed, list) else []):
        if not isinstance(one, dict):
            continue
        ident = one.get("id")
        is_custom = one.get("type") == "custom" or ("custom" in one and "function" not in one)
        said = one.get("custom" if is_custom else "function")
        said = said if isinstance(said, dict) else {}
        name = said.get("name")
        calls.append(
            Call(record, part, ident if isinstance(ident, str) else None, name if isinstance(name, str) else None)
        )
        if is_custom:
            custom.add(part)
        else:
            flaws.extend(_argument_flaws(said, part, calls[-1].id))
    legacy = value.get("function_call")
    if isinstance(legacy, dict):
        name = legacy.get("name")
        name = name if isinstance(name, str) else None
        calls.append(Call(record, 0, name, name, family=BY_NAME))
        flaws.extend(_argument_flaws(legacy, 0, name))
    content = value.get("content")
    blank: list[int] = []
    if listed == []:
        flaws.append(Flaw("empty-calls", "", 0))
    if isinstance(content, list):
        blank = [
            n
            for n, b in enumerate(content)
            if isinstance(b, dict) and b.get("type") == "text" and is_blank(b.get("text"))
        ]
        said_something = len(blank) < len(content)
    else:
        said_something = not is_blank(content)
    said_something = said_something or bool(value.get("refusal") or value.get("audio"))
    reasoning = isinstance(value.get("reasoning_content"), str)
    if not said_something and not calls:
        flaws.append(Flaw("empty-message", "blank-assistant" if content else "empty-assistant", 0))
    else:
        flaws.extend(Flaw("blank-text", "white" if content and content[n].get("text") else "empty", n) for n in blank)
    media = media_of(content)
    flaws.extend(image_flaws(media))
    if reasoning or custom:
        record.extra = Extra(reasoning, frozenset(custom))
    record.message = Message(record, _ASSISTANT, tuple(calls), (), said_something, False, tuple(flaws), False, media)


def _argument_flaws(said: dict[str, Any], part: int, ident: str | None) -> Iterator[Flaw]:
    if "arguments" not in said:
        yield Flaw("missing-arguments", "", part, "", ident)
        return
    text = said["arguments"]
    if isinstance(text, str):
        # U+0000 has a rule of its own: an object that is one without it must not be thrown away.
        parsed = jsonread.parse(text.replace("\0", "\ufffd").encode("utf-8", "replace"))
        if parsed is not None and isinstance(parsed.value, dict):
            return
    yield Flaw("invalid-arguments", "", part, "the arguments are no JSON object in a string", ident)


def _user_flaws(content: Any, media: tuple[Medium, ...]) -> tuple[Flaw, ...]:
    if isinstance(content, list):
        blank = [
            n
            for n, b in enumerate(content)
            if isinstance(b, dict) and b.get("type") == "text" and is_blank(b.get("text"))
        ]
        if len(blank) == len(content):
            return (Flaw("empty-message", "user", 0),)
        return (
            *(Flaw("blank-text", "white" if content[n].get("text") else "empty", n) for n in blank),
            *image_flaws(media),
        )
    return (Flaw("empty-message", "user", 0),) if is_blank(content) else ()
