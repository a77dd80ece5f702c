"""The facts of one message that the pruning decisions need. No text is kept."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, NamedTuple

from condense_cli.jsonbytes.javascript import UNDEFINED
from condense_cli.model.blocks import is_placeholder
from condense_cli.pi_condense.prune.keys import narrow, occurrence_key

SUMMARY_TYPE = "context-prune-summary"
_SYNTHETIC = re.compile(r'<compressed-chain id="([^"]+)"')


class Ref(NamedTuple):
    """A reference that a summary's details hold, as written."""

    call_id: Any
    time: Any


@dataclass(slots=True)
class CallFact:
    """One toolCall block: its place in the content, its id and its tool; copy: an equal one stands before it."""

    part: int
    id: Any
    name: Any = UNDEFINED
    copy: bool = False


@dataclass(slots=True)
class Facts:
    """One message. content is its kind: blocks, holes (a block is null), text, none or other.

    kinds has a letter per block of an assistant message: c call, h thinking, t anything else. skipped: the turn
    failed and is not sent; made_up: the output is one that clients put where none was recorded. key: of a result,
    its occurrence key.
    """

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
    kinds: str = ""
    skipped: bool = False
    made_up: bool = False
    key: Any = UNDEFINED


_LETTERS = {"toolCall": "c", "thinking": "h"}
_FAILED = ("error", "aborted")


def facts_of(message: dict[str, Any]) -> Facts:
    """Read the facts of a message as pi holds it in memory."""
    role = message.get("role", UNDEFINED)
    time = message.get("timestamp", UNDEFINED)
    content = message.get("content", UNDEFINED)
    kind = _kind(content)
    if role == "toolResult":
        call_id, tool = message.get("toolCallId", UNDEFINED), message.get("toolName", UNDEFINED)
        return Facts(role, time, call_id, tool, message.get("isError") is True, kind, made_up=_made_up(content), key=occurrence_key(call_id, narrow(time)))
    if role == "assistant":
        calls: list[CallFact] = []
        kinds = ""
        for part, block in enumerate(content if isinstance(content, list) else ()):
            block_type = block.get("type") if isinstance(block, dict) else None
            kinds += _LETTERS.get(block_type, "t") if isinstance(block_type, str) else "t"
            if block_type == "toolCall":
                copy = any(content[call.part] == block for call in calls if call.id == block.get("id", UNDEFINED))
                calls.append(CallFact(part, block.get("id", UNDEFINED), block.get("name", UNDEFINED), copy))
        failed = message.get("stopReason") in _FAILED
        return Facts(role, time, content=kind, calls=tuple(calls), thinks="h" in kinds, kinds=kinds, skipped=failed)
    if role == "user":
        return Facts(role, time, content=kind, block_id=_synthetic_id(content))
    if role == "custom" and message.get("customType") == SUMMARY_TYPE:
        return Facts(role, time, content=kind, summary=True, refs=_refs(message.get("details")))
    return Facts(role, time, content=kind)


def _kind(content: Any) -> str:
    if isinstance(content, list):
        return "holes" if None in content else "blocks"
    return "text" if isinstance(content, str) else "none" if content is None or content is UNDEFINED else "other"


def _made_up(content: Any) -> bool:
    first = content[0] if isinstance(content, list) and len(content) == 1 else content
    text = first.get("text") if isinstance(first, dict) else first
    return isinstance(text, str) and is_placeholder(text)


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
