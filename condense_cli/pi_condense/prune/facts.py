"""The facts of one message that the pruning decisions need. No text is kept."""

from __future__ import annotations

import re
from collections.abc import Callable
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
    """One message, whatever its role. content is its kind: blocks, holes (a block is null), text, none or other.

    images are the parts of the content that are pictures. A branch has as many of these as it has messages, so what
    one role alone has is a field of its own class, and here what others say to it.
    """

    role: Any
    time: Any = UNDEFINED
    content: str = "none"
    images: tuple[int, ...] = ()

    @property
    def calls(self) -> tuple[CallFact, ...]:
        """Return the calls of an answer."""
        return ()

    @property
    def kinds(self) -> str:
        """Return a letter per block of an answer: c call, h thinking, t anything else."""
        return ""

    @property
    def thinks(self) -> bool:
        """Say whether an answer has a block of thinking."""
        return "h" in self.kinds

    @property
    def skipped(self) -> bool:
        """Say whether the turn failed and is not sent."""
        return False

    @property
    def call_id(self) -> Any:
        """Return the id that a result has, UNDEFINED where none is."""
        return UNDEFINED

    @property
    def tool(self) -> Any:
        """Return the name of a result's tool, UNDEFINED where none is."""
        return UNDEFINED

    @property
    def error(self) -> bool:
        """Say whether a result is an error."""
        return False

    @property
    def made_up(self) -> bool:
        """Say whether the output is one that clients put where none was recorded."""
        return False

    @property
    def key(self) -> Any:
        """Return the occurrence key of a result, UNDEFINED where none is."""
        return UNDEFINED

    @property
    def block_id(self) -> str | None:
        """Return the block of the synthetic message that a user message is already."""
        return None

    @property
    def summary(self) -> bool:
        """Say whether this is a summary of pi-condense."""
        return False

    @property
    def refs(self) -> tuple[Ref, ...]:
        """Return what a summary refers to."""
        return ()

    @property
    def anchor(self) -> bool:
        """Say whether this is a message of another extension, at which a chain can start."""
        return False


@dataclass(slots=True)
class UserFacts(Facts):
    """What a user said."""

    block_id: str | None = None


@dataclass(slots=True)
class AnswerFacts(Facts):
    """What a model answered."""

    calls: tuple[CallFact, ...] = ()
    kinds: str = ""
    skipped: bool = False


@dataclass(slots=True)
class ResultFacts(Facts):
    """What a tool gave back."""

    call_id: Any = UNDEFINED
    tool: Any = UNDEFINED
    error: bool = False
    made_up: bool = False
    key: Any = UNDEFINED


@dataclass(slots=True)
class CustomFacts(Facts):
    """What an extension said."""

    summary: bool = False
    refs: tuple[Ref, ...] = ()
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


def _result(message: dict[str, Any]) -> ResultFacts:
    call_id, tool = message.get("toolCallId", UNDEFINED), named(message.get("toolName", UNDEFINED))
    key = occurrence_key(call_id, narrow(message.get("timestamp", UNDEFINED)))
    made_up = _made_up(message.get("content"))
    error = message.get("isError") is True
    return ResultFacts("toolResult", call_id=call_id, tool=tool, error=error, made_up=made_up, key=key)


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
    return AnswerFacts("assistant", calls=tuple(calls), kinds=intern(kinds), skipped=skipped)


def _path(block: dict[str, Any]) -> str | None:
    arguments = arguments_of(block)
    path = arguments.get("path") if isinstance(arguments, dict) else None
    return path if isinstance(path, str) else None


def _user(message: dict[str, Any]) -> Facts:
    return UserFacts("user", block_id=_synthetic_id(message.get("content")))


def _custom(message: dict[str, Any]) -> Facts:
    kind = message.get("customType")
    if kind == SUMMARY_TYPE:
        return CustomFacts("custom", summary=True, refs=_refs(message.get("details")))
    return CustomFacts("custom", anchor=kind is None or not string(kind).startswith(OWN_TYPES))


_READ: dict[str, Callable[[dict[str, Any]], Facts]] = {
    "toolResult": _result,
    "assistant": _assistant,
    "user": _user,
    "custom": _custom,
}


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
