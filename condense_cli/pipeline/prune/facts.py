"""The facts of one message that the pruning decisions need. No text is kept."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from condense_cli.javascript import UNDEFINED

SUMMARY_TYPE = "context-prune-summary"
_SYNTHETIC = re.compile(r'<compressed-chain id="([^"]+)"')


class Ref(NamedTuple):
    """A reference that a summary's details hold, as written."""

    call_id: Any
    time: Any


class CallFact(NamedTuple):
    """One toolCall block: its place in the content and its id."""

    part: int
    id: Any


class Facts(NamedTuple):
    """One message. content is its kind: blocks, holes (a block is null), text, none or other."""

    role: Any
    time: Any = UNDEFINED
    call_id: Any = UNDEFINED
    tool: Any = UNDEFINED
    error: bool = False
    content: str = "none"
    calls: tuple[CallFact, ...] = ()
    summary: bool = False
    refs: tuple[Ref, ...] = ()
    block_id: str | None = None  # of the synthetic that stands here already
    thinks: bool = False


def facts_of(message: dict[str, Any]) -> Facts:
    """Read the facts of a message as pi holds it in memory."""
    role = message.get("role", UNDEFINED)
    time = message.get("timestamp", UNDEFINED)
    content = message.get("content", UNDEFINED)
    kind = _kind(content)
    if role == "toolResult":
        call_id, tool = message.get("toolCallId", UNDEFINED), message.get("toolName", UNDEFINED)
        return Facts(role, time, call_id, tool, message.get("isError") is True, kind)
    if role == "assistant":
        calls: list[CallFact] = []
        thinks = False
        for part, block in enumerate(content if isinstance(content, list) else ()):
            block_type = block.get("type") if isinstance(block, dict) else None
            if block_type == "toolCall":
                calls.append(CallFact(part, block.get("id", UNDEFINED)))
            elif block_type == "thinking":
                thinks = True
        return Facts(role, time, content=kind, calls=tuple(calls), thinks=thinks)
    if role == "user":
        return Facts(role, time, content=kind, block_id=_synthetic_id(content))
    if role == "custom" and message.get("customType") == SUMMARY_TYPE:
        return Facts(role, time, content=kind, summary=True, refs=_refs(message.get("details")))
    return Facts(role, time, content=kind)


def _kind(content: Any) -> str:
    if isinstance(content, list):
        return "holes" if None in content else "blocks"
    return "text" if isinstance(content, str) else "none" if content is None or content is UNDEFINED else "other"


def _synthetic_id(content: Any) -> str | None:
    first = content[0] if isinstance(content, list) and content else None
    text = first.get("text") if isinstance(first, dict) else None
    match = _SYNTHETIC.match(text) if isinstance(text, str) else None
    return match[1] if match else None


def _refs(details: Any) -> tuple[Ref, ...]:
    refs = details.get("toolCallRefs") if isinstance(details, dict) else None
    return tuple(
        Ref(ref.get("toolCallId", UNDEFINED), ref.get("resultTimestamp", UNDEFINED))
        for ref in (refs if isinstance(refs, list) else ())
        if isinstance(ref, dict)
    )
