"""The facts of one message that the pruning decisions need. No text is kept."""

from __future__ import annotations

import re
from dataclasses import dataclass
from sys import intern
from typing import Any, NamedTuple

from condense_cli.jsonbytes.javascript import UNDEFINED, string
from condense_cli.model.blocks import is_placeholder
from condense_cli.pi_condense.prune.keys import narrow, occurrence_key

SUMMARY_TYPE = "context-prune-summary"
OWN_TYPES = "context-prune-"
_SYNTHETIC = re.compile(r'<compressed-chain id="([^"]+)"')


class Ref(NamedTuple):
    """A reference that a summary's details hold, as written."""

    call_id: Any
    time: Any


@dataclass(slots=True)
class CallFact:
    """One toolCall block: its place in the content, its id and its tool; copy: an equal one is before it.

    path is the path that its arguments name (None: none that is text).
    """

    part: int
    id: Any
    name: Any = UNDEFINED
    copy: bool = False
    path: str | None = None


@dataclass(slots=True)
class Facts:
    """One message. content is its kind: blocks, holes (a block is null), text, none or other.

    kinds has a letter per block of an assistant message: c call, h thinking, t anything else. skipped: the turn
    failed and is not sent; made_up: the output is one that clients put where none was recorded. key: of a result,
    its occurrence key. images are the parts of the content that are pictures; anchor: a message of another extension,
    at which a chain can start.
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
    block_id: str | None = None  # of the synthetic that is here already
    thinks: bool = False
    kinds: str = ""
    skipped: bool = False
    made_up: bool = False
    key: Any = UNDEFINED
    images: tuple[int, ...] = ()
    anchor: bool = False


_LETTERS = {"toolCall": "c", "thinking": "h"}
_FAILED = ("error", "aborted")


def facts_of(message: dict[str, Any]) -> Facts:
    """Read the facts of a message as pi holds it in memory."""
    role = message.get("role", UNDEFINED)
    read = _READ.get(role) if isinstance(role, str) else None
    facts = read(message) if read else Facts(role)
    content = message.get("content", UNDEFINED)
    facts.time = message.get("timestamp", UNDEFINED)
    facts.content = _kind(content)
    if facts.content in ("blocks", "holes"):
        images = [part for part, block in enumerate(content) if is_image(block)]
        facts.images = tuple(images)
    return facts


def is_image(block: Any) -> bool:
    """Say whether a block of a content is a picture."""
    return isinstance(block, dict) and block.get("type") == "image"


def named(name: Any) -> Any:
    """Return the name of a tool, each of the few kept once."""
    return intern(name) if type(name) is str else name


def arguments_of(block: dict[str, Any]) -> Any:
    """Return the arguments of a call block under any of their three names, else an empty object."""
    return next((block[name] for name in ("input", "args", "arguments") if block.get(name) is not None), {})


def _result(message: dict[str, Any]) -> Facts:
    call_id, tool = message.get("toolCallId", UNDEFINED), named(message.get("toolName", UNDEFINED))
    key = occurrence_key(call_id, narrow(message.get("timestamp", UNDEFINED)))
    made_up = _made_up(message.get("content"))
    return Facts(
        "toolResult", call_id=call_id, tool=tool, error=message.get("isError") is True, made_up=made_up, key=key
    )


def _assistant(message: dict[str, Any]) -> Facts:
    content: Any = message.get("content")
    calls: list[CallFact] = []
    kinds = ""
    for part, block in enumerate(content if isinstance(content, list) else ()):
        block_type = block.get("type") if isinstance(block, dict) else None
        kinds += _LETTERS.get(block_type, "t") if isinstance(block_type, str) else "t"
        if block_type == "toolCall":
            call_id = block.get("id", UNDEFINED)
            copy = bool(calls) and any(content[call.part] == block for call in calls if call.id == call_id)
            calls.append(CallFact(part, call_id, named(block.get("name", UNDEFINED)), copy, _path(block)))
    skipped = message.get("stopReason") in _FAILED
    return Facts("assistant", calls=tuple(calls), thinks="h" in kinds, kinds=kinds, skipped=skipped)


def _path(block: dict[str, Any]) -> str | None:
    arguments = arguments_of(block)
    path = arguments.get("path") if isinstance(arguments, dict) else None
    return path if isinstance(path, str) else None


def _user(message: dict[str, Any]) -> Facts:
    return Facts("user", block_id=_synthetic_id(message.get("content")))


def _custom(message: dict[str, Any]) -> Facts:
    kind = message.get("customType")
    if kind == SUMMARY_TYPE:
        return Facts("custom", summary=True, refs=_refs(message.get("details")))
    return Facts("custom", anchor=kind is None or not string(kind).startswith(OWN_TYPES))


_READ = {"toolResult": _result, "assistant": _assistant, "user": _user, "custom": _custom}


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
