"""What one message says: its halves and flaws."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.document.records import UNKNOWN
from condense_cli.formats.langchain.calls import CallPlace, is_copy, places
from condense_cli.formats.langchain.content import plain
from condense_cli.formats.langchain.detection import Shape, shape_of
from condense_cli.formats.media import image_flaws, media_of
from condense_cli.formats.messages import is_blank, placeholder_text
from condense_cli.jsonbytes import jsonread
from condense_cli.model.blocks import is_placeholder, words
from condense_cli.model.messages import Call, Flaw, Message, Record, Result, Role
from condense_cli.pairing.pair import BY_NAME

if TYPE_CHECKING:
    from condense_cli.jsonbytes.jsonspan import Path

_ROLES = {
    "human": Role.USER,
    "ai": Role.ASSISTANT,
    "system": Role.SYSTEM,
    "tool": Role.RESULT,
    "function": Role.RESULT,
}
_CHAT_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM}
FUNCTION = ("additional_kwargs", "function_call")


class At(NamedTuple):
    """One call: where it is in its record, and the paths of its parts. number: which call of its id it is, from 0."""

    whole: Path
    id: Path
    name: Path
    arguments: Path
    text: bool
    number: int


class Extra(NamedTuple):
    """What is kept of a message: its shape, and where its calls are."""

    shape: Shape
    calls: tuple[At, ...] = ()


def held_of(value: dict[str, Any], shape: Shape) -> dict[str, Any]:
    """Return the members of a message in its shape."""
    held = value
    for step in shape.base:
        held = held[step]  # a key, as `shape_of` found it
    return held


def read(record: Record, value: dict[str, Any]) -> None:
    """Read one message; extra is None where there is none. One that removes another says nothing."""
    shape = shape_of(value)
    record.kind, record.message, record.extra = words(value.get("type")) or "?", None, None
    if shape is None:
        record.kind = UNKNOWN
        return
    record.kind, record.extra = shape.type, Extra(shape)
    if shape.type == "remove":
        return
    held = held_of(value, shape)
    role = _ROLES.get(shape.type) or _CHAT_ROLES.get(words(held.get("role")), Role.CUSTOM)
    if role is Role.ASSISTANT:
        _read_answer(record, held, shape)
    elif role is Role.RESULT:
        record.message = _result(record, held, shape)
    elif role is Role.USER:
        media = media_of(plain(held.get("content")))
        flaws = (*_user_flaws(held.get("content")), *image_flaws(media))
        record.message = Message(record, role, (), (), True, False, flaws, False, media)
    else:
        record.message = Message(record, role)


def _result(record: Record, held: dict[str, Any], shape: Shape) -> Message:
    content = held.get("content")
    made_up = is_placeholder(placeholder_text(content))
    by_name = shape.type == "function"
    ident = _text(held.get("name" if by_name else "tool_call_id"))
    result = Result(record, 0, ident, made_up, BY_NAME if by_name else "")
    media = media_of(plain(content), in_result=True)
    return Message(record, Role.RESULT, (), (result,), False, False, image_flaws(media), False, media)


def _read_answer(record: Record, held: dict[str, Any], shape: Shape) -> None:
    found = places(held)
    calls: list[Call] = []
    at: list[At] = []
    flaws: list[Flaw] = []
    times: dict[str | None, int] = {}
    for part, place in enumerate(found):
        calls.append(Call(record, part, place.id, place.called))
        at.append(_at(shape.base, place, times.setdefault(place.id, 0)))
        times[place.id] += 1
        flaws += _argument_flaws(place, part)
    legacy = held.get(FUNCTION[0])
    function = legacy.get(FUNCTION[1]) if isinstance(legacy, dict) and not found else None
    if isinstance(function, dict):
        name = _text(function.get("name"))
        calls.append(Call(record, 0, name, name, BY_NAME))
        whole = (*shape.base, *FUNCTION)
        at.append(At(whole, (*whole, "name"), (*whole, "name"), (*whole, "arguments"), True, 0))
    content = held.get("content")
    blank = list(_blank(content))
    said = _says(content, blank)
    if not said and not calls:
        flaws.append(Flaw("empty-message", "blank-assistant" if content else "empty-assistant", 0))
    elif isinstance(content, list):
        flaws += (Flaw("blank-text", "white" if _words_of(content[n]) else "empty", n) for n in blank)
    media = media_of(plain(content))
    record.extra = Extra(shape, tuple(at))
    record.message = Message(
        record, Role.ASSISTANT, tuple(calls), (), said, False, (*flaws, *image_flaws(media)), False, media
    )


def _at(base: Path, place: CallPlace, number: int) -> At:
    whole = (*base, *place.whole)
    return At(whole, (*whole, place.key), (*whole, *place.name), (*whole, *place.arguments), place.text, number)


def _argument_flaws(place: CallPlace, part: int) -> Iterator[Flaw]:
    given = place.given
    if not place.is_given or (place.text and given is None):
        yield Flaw("missing-arguments", "", part, "", place.id)
    elif not isinstance(_object(given) if place.text else given, dict):
        yield Flaw("invalid-arguments", "", part, "", place.id)


def _object(given: Any) -> Any:
    if not isinstance(given, str):
        return None
    # U+0000 has a rule of its own: an object that is one without it must not be thrown away.
    parsed = jsonread.parse(given.replace("\0", "\ufffd").encode("utf-8", "replace"))
    return parsed.value if parsed is not None else None


def _blank(content: Any) -> Iterator[int]:
    """Yield the numbers of the blocks that say nothing."""
    for n, block in enumerate(content if isinstance(content, list) else ()):
        if (isinstance(block, str) or block.get("type") == "text") and is_blank(_words_of(block)):
            yield n


def _words_of(block: Any) -> Any:
    return block if isinstance(block, str) else block.get("text")


def _says(content: Any, blank: list[int]) -> bool:
    if not isinstance(content, list):
        return not is_blank(content)
    return any(n not in blank and not is_copy(block) for n, block in enumerate(content))


def _user_flaws(content: Any) -> Iterator[Flaw]:
    blank = list(_blank(content))
    if not isinstance(content, list):
        if is_blank(content):
            yield Flaw("empty-message", "user", 0)
    elif len(blank) == len(content):
        yield Flaw("empty-message", "user", 0)
    else:
        yield from (Flaw("blank-text", "white" if _words_of(content[n]) else "empty", n) for n in blank)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
