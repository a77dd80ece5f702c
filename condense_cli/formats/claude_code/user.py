"""The content of a user record as facts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from condense_cli.formats.claude_code.assistant import new
from condense_cli.formats.claude_code.facts import BLANK_TEXT, EMPTY_TEXT, LIVE, PROMPT, Facts, Owner, blank_text
from condense_cli.formats.media import image_flaws, media_of
from condense_cli.formats.messages import blanks_in_result, missing_content, refers_to_tools
from condense_cli.model.blocks import is_placeholder
from condense_cli.model.medium import Medium
from condense_cli.model.messages import Flaw, Message, Record, Result, Role

_USER, _RESULT, _SUMMARY = Role.USER, Role.RESULT, Role.SUMMARY


def read_user(record: Record, value: dict[str, Any], content: Any, owner: Owner, time: str) -> None:
    """Set the message and facts of one user record."""
    results: tuple[Result, ...] = ()
    flaws: tuple[Flaw, ...] = ()
    media: tuple[Medium, ...] = ()
    said = True
    if type(content) is str:
        record.weight = len(content)
        if not content or content.isspace():
            flaws = (Flaw("empty-message", "user", 0),)
    elif (
        type(content) is list
        and len(content) == 1
        and type(content[0]) is dict
        and type(content[0].get("content")) is str
    ):
        results, said, flaws, media = _read_single_result(record, content)
    elif type(content) is list and content:
        results, said, flaws, media = _read_blocks(record, content)
    else:
        flaws = (missing_content(Role.USER) if content is None else Flaw("empty-message", "user", 0),)
    flags = LIVE
    if said or not results:
        flags |= PROMPT
    role = _SUMMARY if value.get("isCompactSummary") is True else _USER if flags & PROMPT else _RESULT
    record.extra = new(Facts, (owner, time, flags, None))
    record.message = Message(record, role, (), results, said, False, flaws, False, media)


_Blocks = tuple[tuple[Result, ...], bool, tuple[Flaw, ...], tuple[Medium, ...]]


def _read_single_result(record: Record, content: list[Any]) -> _Blocks:
    """Read the one result that most records of results hold."""
    block = content[0]
    ident, text = block.get("tool_use_id"), block["content"]
    if block.get("type") != "tool_result" or type(ident) is not str:
        return _read_blocks(record, content)
    made_up = len(text) < 300 and is_placeholder(text)
    record.weight = len(text)
    return (Result(record, 0, ident, made_up),), False, (), ()


def _read_blocks(record: Record, content: list[Any]) -> _Blocks:  # noqa: C901, PLR0912 - the kinds that are told apart are read best side by side
    results: list[Result] = []
    flaws: list[Flaw] = []
    blank: list[tuple[int, str]] = []
    said = shows = False
    late = -1
    for part, block in enumerate(content):
        if type(block) is not dict:
            continue
        kind = block.get("type")
        if kind == "tool_result":
            ident, inner = block.get("tool_use_id"), block.get("content")
            if type(inner) is list:
                made_up = len(inner) == 1 and type(inner[0]) is dict and _says_placeholder(inner[0].get("text"))
                shows = shows or not made_up
            else:
                made_up = _says_placeholder(inner)
            results.append(Result(record, part, ident if type(ident) is str else None, made_up))
            if type(inner) is list:
                flaws.extend(_flaws_in_result(part, block))
            if said and late < 0:
                late = part
        elif kind == "text":
            text = block.get("text")
            if type(text) is str and text and not text.isspace():
                said = True
            else:
                blank.append((part, BLANK_TEXT if text else EMPTY_TEXT))
        else:
            said = shows = True
    if blank:
        if said or results:
            flaws.extend(blank_text(record, part, how) for part, how in blank)
        else:
            flaws.append(Flaw("empty-message", "user", 0))
    if late >= 0:
        flaws.append(Flaw("results-not-first", "", late))
    media = media_of(content) if shows else ()
    flaws.extend(image_flaws(media))
    return tuple(results), said, tuple(flaws), media


def _flaws_in_result(part: int, block: dict[str, Any]) -> Iterator[Flaw]:
    """Yield what is wrong inside a result whose content is a list."""
    if refers_to_tools(block):
        yield Flaw("unknown-tool-reference", "", part)
    yield from blanks_in_result(part, block["content"])


def _says_placeholder(text: Any) -> bool:
    return type(text) is str and len(text) < 300 and is_placeholder(text)
