"""The content of an assistant record as facts."""

from __future__ import annotations

from typing import Any

from condense_cli.formats.claude_code.facts import (
    BLANK_TEXT,
    EMPTY_TEXT,
    ERROR,
    LIVE,
    MIXED,
    OTHER_HOST,
    SYNTHETIC,
    Facts,
    Owner,
    blank_text,
)
from condense_cli.formats.messages import missing_content
from condense_cli.model.blocks import SIGNATURE_LENGTH
from condense_cli.model.messages import SERVER, Call, Flaw, Message, Paused, Record, Result, Role

new = tuple.__new__  # half of the cost of a named tuple is its own constructor, and there are three for each record


def read_assistant(record: Record, value: dict[str, Any], message: dict[str, Any], owner: Owner, time: str) -> None:
    flags = LIVE
    skipped = message.get("model") == "<synthetic>" or value.get("isApiErrorMessage") is True
    if skipped:
        flags |= SYNTHETIC
        if value.get("isApiErrorMessage") is True:
            flags |= ERROR
    model = message.get("model")
    if type(model) is str and not skipped and "claude" not in model.lower():
        flags |= OTHER_HOST
    response = message.get("id")
    record.extra = new(Facts, (owner, time, flags, response if type(response) is str and response else None, ()))
    content = message.get("content")
    if content is None:
        record.message = Message(record, Role.ASSISTANT, said=False, skipped=skipped, flaws=() if skipped else (missing_content(Role.ASSISTANT),))
    elif type(content) is list and len(content) == 1 and not skipped:
        record.message = _read_single(record, content[0]) or _read_content(record, content, skipped=False)
    else:
        record.message = _read_content(record, content, skipped=skipped)


def _read_single(record: Record, block: Any) -> Message | None:
    """Read the one block that most records of a response hold, when nothing is wrong with it."""
    if type(block) is not dict:
        return None
    kind = block.get("type")
    if kind == "text":
        text = block.get("text")
        if type(text) is str and text and not text.isspace():
            return Message(record, Role.ASSISTANT, (), (), True, False, (), False)
    elif kind == "tool_use":
        ident, name = block.get("id"), block.get("name")
        if type(ident) is str and type(name) is str and type(block.get("input")) is dict:
            call = Call(record, 0, ident, name)
            return Message(record, Role.ASSISTANT, (call,), (), False, False, (), False)
    elif kind == "thinking":
        signature = block.get("signature")
        if type(signature) is str and len(signature) >= SIGNATURE_LENGTH:
            return Message(record, Role.ASSISTANT, (), (), False, False, (), True)
    return None


def _read_content(record: Record, content: Any, *, skipped: bool) -> Message:
    calls: list[Call] = []
    results: list[Result] = []
    flaws: list[Flaw] = []
    blank: list[tuple[int, str]] = []
    said = other = signed = unsigned = False
    behind = -1
    if type(content) is list:
        for part, block in enumerate(content):
            if type(block) is not dict:
                continue
            kind = block.get("type")
            if kind == "text":
                text = block.get("text")
                if type(text) is str and text and not text.isspace():
                    said = True
                    if calls and not calls[-1].server and behind < 0:
                        behind = calls[-1].part
                else:
                    blank.append((part, BLANK_TEXT if text else EMPTY_TEXT))
            elif kind == "thinking":
                signature = block.get("signature")
                if type(signature) is str and len(signature) >= SIGNATURE_LENGTH:
                    signed = True
                else:
                    unsigned = True
                    flaws.append(Flaw("unsigned-thinking", "", part))
            elif kind == "redacted_thinking":
                signed = True
            elif type(kind) is str and kind.endswith("tool_use"):
                ident, name = block.get("id"), block.get("name")
                ident = ident if type(ident) is str else None
                calls.append(Call(record, part, ident, name if type(name) is str else None, "" if kind == "tool_use" else SERVER))
                arguments = block.get("input")
                if type(arguments) is not dict:
                    missing = "input" not in block
                    flaws.append(Flaw("missing-arguments" if missing else "invalid-arguments", "", part, "", ident))
            elif type(kind) is str and kind.endswith("_tool_result"):
                ident = block.get("tool_use_id")
                results.append(Result(record, part, ident if type(ident) is str else None, family=SERVER))
            else:
                other = True
    elif type(content) is str:
        if content and not content.isspace():
            said = True
        else:
            blank.append((0, BLANK_TEXT if content else EMPTY_TEXT))
    if signed and unsigned:
        flaws = [f._replace(variant=MIXED) if f.rule == "unsigned-thinking" else f for f in flaws]
    if blank:
        if said or calls or results or other or signed or unsigned:
            flaws.extend(blank_text(record, part, how) for part, how in blank)
        else:
            flaws.append(Flaw("empty-message", "blank-assistant" if type(content) is list or content else "empty-assistant", blank[0][0], blank[0][1]))
    elif not (said or calls or results or other or signed or unsigned):
        flaws.append(Flaw("empty-message", "empty-assistant", 0))
    if calls and calls[-1].server and calls[-1].part == len(content) - 1:
        calls[-1] = calls[-1].seen_as(Paused)
    if behind >= 0:
        flaws.append(Flaw("text-after-call", "", behind))
    wrong = () if skipped else tuple(flaws)
    return Message(record, Role.ASSISTANT, tuple(calls), tuple(results), said or other, skipped, wrong, signed)
