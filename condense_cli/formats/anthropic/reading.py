"""What one Anthropic message says: its halves and flaws."""

from __future__ import annotations

from typing import Any

from condense_cli.document.records import UNKNOWN
from condense_cli.formats.media import image_flaws, media_of
from condense_cli.formats.messages import (
    blanks_in_result,
    is_blank,
    is_understood,
    missing_content,
    placeholder_text,
    refers_to_tools,
)
from condense_cli.model.blocks import SIGNATURE_LENGTH, is_placeholder
from condense_cli.model.messages import SERVER, Call, Flaw, Message, Paused, Record, Result, Role

SERVER_CALLS = frozenset({"server_tool_use", "mcp_tool_use"})


_ROLES = {"assistant": Role.ASSISTANT, "user": Role.USER, "system": Role.SYSTEM}


def read(record: Record, value: dict[str, Any]) -> None:
    """Read one message."""
    role = value.get("role")
    record.kind = role if isinstance(role, str) and role else "?"
    if not is_understood(value):
        record.kind, record.message = UNKNOWN, None
        return
    who = _ROLES.get(role, Role.CUSTOM) if isinstance(role, str) else Role.CUSTOM
    content = value.get("content")
    if content is None and who in (Role.ASSISTANT, Role.USER):
        record.message = Message(record, who, said=False, flaws=(missing_content(who),))
    elif who is Role.ASSISTANT:
        record.message = read_assistant(record, content)
    elif who is Role.USER:
        record.message = read_user(record, content)
    else:
        record.message = Message(record, who)


def read_assistant(record: Record, content: Any) -> Message:  # noqa: C901, PLR0912 - the kinds that are told apart are read best side by side
    """Read the facts of an assistant message's content."""
    if not isinstance(content, list):
        blank = is_blank(content)
        flaws = (Flaw("empty-message", "blank-assistant" if content else "empty-assistant", 0),) if blank else ()
        return Message(record, Role.ASSISTANT, said=not blank, flaws=flaws)
    calls: list[Call] = []
    results: list[Result] = []
    found: list[Flaw] = []
    blanks: list[int] = []
    said = other = signed = after = False
    for part, block in enumerate(content):
        if not isinstance(block, dict):
            continue
        kind = block.get("type") if isinstance(block.get("type"), str) else ""
        if kind == "text":
            if is_blank(block.get("text")):
                blanks.append(part)
            else:
                said = True
                after = after or any(not call.server for call in calls)
        elif kind == "tool_use" or kind in SERVER_CALLS:
            ident, name = block.get("id"), block.get("name")
            calls.append(
                Call(
                    record,
                    part,
                    ident if isinstance(ident, str) else None,
                    name if isinstance(name, str) else None,
                    SERVER if kind in SERVER_CALLS else "",
                )
            )
            if not isinstance(block.get("input"), dict):
                found.append(
                    Flaw("invalid-arguments" if "input" in block else "missing-arguments", "", part, "", calls[-1].id)
                )
        elif isinstance(kind, str) and kind.endswith("_tool_result"):
            ident = block.get("tool_use_id")
            results.append(Result(record, part, ident if isinstance(ident, str) else None, family=SERVER))
            if refers_to_tools(block):
                found.append(Flaw("unknown-tool-reference", "", part))
        elif kind == "thinking":
            other = True
            signature = block.get("signature")
            if isinstance(signature, str) and len(signature) >= SIGNATURE_LENGTH:
                signed = True
            else:
                found.append(Flaw("unsigned-thinking", "sent", part))
        elif kind == "redacted_thinking":
            other = signed = True
        else:
            other = True
    if said or calls or results or other:
        found.extend(Flaw("blank-text", "white" if content[n].get("text") else "empty", n) for n in blanks)
    else:
        found.append(Flaw("empty-message", "blank-assistant" if blanks else "empty-assistant", 0))
    if calls and calls[-1].server and calls[-1].part == len(content) - 1:
        calls[-1] = calls[-1].seen_as(Paused)
    if after:
        found.append(Flaw("text-after-call", "", next(call.part for call in calls if not call.server)))
    return Message(record, Role.ASSISTANT, tuple(calls), tuple(results), said, False, tuple(found), signed)


def read_user(record: Record, content: Any) -> Message:
    """Read the facts of a user message's content."""
    if not isinstance(content, list):
        return Message(record, Role.USER, flaws=(Flaw("empty-message", "user", 0),) if is_blank(content) else ())
    results: list[Result] = []
    found: list[Flaw] = []
    blanks: list[int] = []
    others = 0
    first_other: int | None = None
    mixed = False
    for part, block in enumerate(content):
        kind = block.get("type") if isinstance(block, dict) else None
        if kind == "tool_result":
            ident = block.get("tool_use_id")
            made_up = is_placeholder(placeholder_text(block.get("content")))
            results.append(Result(record, part, ident if isinstance(ident, str) else None, made_up))
            if refers_to_tools(block):
                found.append(Flaw("unknown-tool-reference", "", part))
            found.extend(blanks_in_result(part, block.get("content")))
            mixed = mixed or first_other is not None
        else:
            first_other = part if first_other is None else first_other
            if kind == "text" and is_blank(block.get("text")):
                blanks.append(part)
            else:
                others += 1
    media = media_of(content)
    found.extend(image_flaws(media))
    if not results and not others:
        found.append(Flaw("empty-message", "user", 0))
    else:
        found.extend(Flaw("blank-text", "white" if content[n].get("text") else "empty", n) for n in blanks)
    if mixed and first_other is not None:
        found.append(Flaw("results-not-first", "", first_other))
    said = bool(others or blanks or not results)
    return Message(record, Role.USER, (), tuple(results), said, False, tuple(found), False, media)
