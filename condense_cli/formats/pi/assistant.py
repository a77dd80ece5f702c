"""The content of a pi assistant message as facts: its calls, what is wrong with its blocks, whether it says
anything.
"""

from __future__ import annotations

from sys import intern
from typing import Any

from condense_cli.document.records import UNKNOWN
from condense_cli.formats.media import image_flaws, media_of
from condense_cli.model.blocks import SIGNATURE_LENGTH
from condense_cli.model.messages import Call, Flaw, Message, Record, Role

_OTHER_BLOCKS = frozenset({"tool_use", "tool_result"})
SKIPPED = frozenset({"error", "aborted"})
_MOST_ASKED = 100
_ASSISTANT = Role.ASSISTANT


def read_assistant(
    record: Record,
    message: dict[str, Any],
    content: Any,
    asked: dict[str, str],
    call_types: frozenset[str],
    *,
    own_calls: bool,
) -> Message:
    """Read an assistant message. asked: ids of the latest calls, kept once; own_calls: arguments have pi's own name."""
    if len(asked) > _MOST_ASKED:
        asked.clear()
    if "tool_calls" in message:
        record.kind = UNKNOWN
    stop = message.get("stopReason")
    skipped = type(stop) is str and stop in SKIPPED
    if type(content) is str:
        said = bool(content.strip())
        empty = Flaw("empty-message", "blank-assistant" if content else "empty-assistant", 0)
        return Message(record, Role.ASSISTANT, (), (), said, skipped, () if said or skipped else (empty,), False, ())
    if own_calls and type(content) is list and content:
        usual = _read_usual(record, content, asked, skipped=skipped)
        if usual is not None:
            return usual
    found = _Content(record, asked, own_calls=own_calls)
    if type(content) is list:
        _gather(found, content, call_types)
    if not skipped:
        found.judge(content)
    media = media_of(content) if found.shows else ()
    found.flaws.extend(image_flaws(media))
    return Message(
        record, Role.ASSISTANT, tuple(found.calls), (), found.said, skipped, tuple(found.flaws), found.signed, media
    )


def _read_usual(record: Record, content: list[Any], asked: dict[str, str], *, skipped: bool) -> Message | None:
    """Read what nearly all messages are: thinking, a text, then whole calls. None, where it is anything else.

    It is called for every other record of a file, and takes a third of the time of `_Content`, which comes to the same.
    """
    calls: tuple[Call, ...] = ()
    flaws: tuple[Flaw, ...] = ()
    said = signed = False
    weight = 0
    for part, block in enumerate(content):
        kind = block.get("type") if type(block) is dict else None
        if kind == "toolCall":
            ident, name = block.get("id"), block.get("name")
            if type(ident) is not str or type(name) is not str or type(block.get("arguments")) is not dict:
                return None
            asked[ident] = ident
            calls = (*calls, Call(record, part, ident, intern(name)))
        elif kind == "thinking":
            signature = block.get("thinkingSignature")
            if block.get("redacted") or (type(signature) is str and len(signature) >= SIGNATURE_LENGTH):
                signed = True
            else:
                flaws = (*flaws, Flaw("unsigned-thinking", "", part))
        elif kind == "text" and not calls and type(text := block.get("text")) is str and text and not text.isspace():
            said = True
            weight += len(text)
        else:
            return None
    record.weight = weight
    return Message(record, _ASSISTANT, calls, (), said, skipped, flaws, signed, ())


def _gather(found: _Content, content: list[Any], call_types: frozenset[str]) -> None:
    for part, block in enumerate(content):
        if type(block) is not dict:
            continue
        kind = block.get("type")
        if kind == "text":
            found.text(part, block)
        elif type(kind) is str and kind in call_types:
            found.call(part, block)
        elif kind == "thinking":
            found.thinking(part, block)
        elif kind == "image":
            found.shows = found.said = True
        else:
            found.rest(kind)


class _Content:
    """What the blocks of one message come to, while they are read."""

    __slots__ = ("after", "asked", "blank", "calls", "flaws", "other", "own_calls", "record", "said", "shows", "signed")

    def __init__(self, record: Record, asked: dict[str, str], *, own_calls: bool) -> None:
        self.record = record
        self.asked = asked
        self.own_calls = own_calls
        self.calls: list[Call] = []
        self.flaws: list[Flaw] = []
        self.blank: list[int] = []
        self.said = self.after = self.other = self.signed = self.shows = False

    def text(self, part: int, block: dict[str, Any]) -> None:
        text = block.get("text")
        if type(text) is str and text and not text.isspace():
            self.said = True
            self.after = self.after or bool(self.calls)
        else:
            self.blank.append(part)

    def call(self, part: int, block: dict[str, Any]) -> None:
        ident, name = block.get("id"), block.get("name")
        if type(ident) is str:
            self.asked[ident] = ident
        call = Call(
            self.record, part, ident if type(ident) is str else None, intern(name) if type(name) is str else None
        )
        self.calls.append(call)
        # pi sends `arguments` and nothing else; OpenClaw, with more kinds of call, takes an `input` for it.
        key = "arguments" if self.own_calls or "arguments" in block else "input"
        if type(block.get(key)) is not dict:
            self.flaws.append(Flaw("invalid-arguments" if key in block else "missing-arguments", "", part, "", call.id))

    def thinking(self, part: int, block: dict[str, Any]) -> None:
        self.other = True
        signature = block.get("thinkingSignature")
        if block.get("redacted") or (type(signature) is str and len(signature) >= SIGNATURE_LENGTH):
            self.signed = True
        else:
            self.flaws.append(Flaw("unsigned-thinking", "", part))

    def rest(self, kind: Any) -> None:
        self.other = True
        if type(kind) is str and kind in _OTHER_BLOCKS:
            self.record.kind = UNKNOWN

    def judge(self, content: Any) -> None:
        """Add what is wrong with the message as a whole."""
        if self.blank and (self.said or self.calls or self.other):
            self.flaws.extend(Flaw("blank-text", blankness(content[part]), part) for part in self.blank)
        elif self.blank:
            self.flaws.append(Flaw("empty-message", "blank-assistant", 0))
        elif not self.said and not self.calls and not self.other:
            self.flaws.append(Flaw("empty-message", "empty-assistant", 0))
        if self.after:
            self.flaws.append(Flaw("text-after-call", "", self.calls[0].part))


def blankness(block: dict[str, Any]) -> str:
    """Return the variant of a blank text: empty, or nothing but white space."""
    return "white" if block.get("text") else "empty"
