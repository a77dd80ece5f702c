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
from condense_cli.formats.messages import missing_content, refers_to_tools
from condense_cli.model.blocks import SIGNATURE_LENGTH
from condense_cli.model.messages import SERVER, Call, Flaw, Message, Paused, Record, Result, Role

_ASSISTANT = Role.ASSISTANT
new = tuple.__new__  # half of the cost of a named tuple is its own constructor, and there are three for each record


def read_assistant(record: Record, value: dict[str, Any], message: dict[str, Any], owner: Owner, time: str) -> None:
    """Set the message and facts of one assistant record."""
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
        record.message = Message(
            record,
            Role.ASSISTANT,
            said=False,
            skipped=skipped,
            flaws=() if skipped else (missing_content(Role.ASSISTANT),),
        )
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
            record.weight = len(text)
            return Message(record, _ASSISTANT, (), (), True, False, (), False)
    elif kind == "tool_use":
        ident, name = block.get("id"), block.get("name")
        if type(ident) is str and type(name) is str and type(block.get("input")) is dict:
            record.weight = 0  # what a call is given is short, and not counted
            return Message(record, _ASSISTANT, (Call(record, 0, ident, name),), (), False, False, (), False)
    elif kind == "thinking":
        signature = block.get("signature")
        if type(signature) is str and len(signature) >= SIGNATURE_LENGTH:
            record.weight = len(signature)
            return Message(record, _ASSISTANT, (), (), False, False, (), True)
    return None


def _read_content(record: Record, content: Any, *, skipped: bool) -> Message:
    found = _Content(record)
    if type(content) is list:
        _gather(found, content)
    elif type(content) is str:
        if content and not content.isspace():
            found.said = True
        else:
            found.blank.append((0, BLANK_TEXT if content else EMPTY_TEXT))
    calls = found.calls
    if calls and calls[-1].server and calls[-1].part == len(content) - 1:
        calls[-1] = calls[-1].seen_as(Paused)
    wrong = () if skipped else tuple(found.judged(content))
    return Message(
        record,
        Role.ASSISTANT,
        tuple(calls),
        tuple(found.results),
        found.said or found.other,
        skipped,
        wrong,
        found.signed,
    )


def _gather(found: _Content, content: list[Any]) -> None:
    for part, block in enumerate(content):
        if type(block) is not dict:
            continue
        kind = block.get("type")
        if kind == "text":
            found.text(part, block.get("text"))
        elif kind == "thinking":
            found.thinking(part, block.get("signature"))
        elif kind == "redacted_thinking":
            found.signed = True
        elif type(kind) is str and kind.endswith("tool_use"):
            found.call(part, block, "" if kind == "tool_use" else SERVER)
        elif type(kind) is str and kind.endswith("_tool_result"):
            ident = block.get("tool_use_id")
            found.results.append(Result(found.record, part, ident if type(ident) is str else None, family=SERVER))
            if refers_to_tools(block):
                found.flaws.append(Flaw("unknown-tool-reference", "", part))
        else:
            found.other = True


class _Content:
    """What the blocks of one record come to, while they are read."""

    __slots__ = ("after", "blank", "calls", "flaws", "other", "record", "results", "said", "signed", "unsigned")

    def __init__(self, record: Record) -> None:
        self.record = record
        self.calls: list[Call] = []
        self.results: list[Result] = []
        self.flaws: list[Flaw] = []
        self.blank: list[tuple[int, str]] = []
        self.said = self.other = self.signed = self.unsigned = False
        self.after = -1  # the last call of the client's own before a text

    def text(self, part: int, text: Any) -> None:
        if type(text) is str and text and not text.isspace():
            self.said = True
            if self.calls and not self.calls[-1].server and self.after < 0:
                self.after = self.calls[-1].part
        else:
            self.blank.append((part, BLANK_TEXT if text else EMPTY_TEXT))

    def thinking(self, part: int, signature: Any) -> None:
        if type(signature) is str and len(signature) >= SIGNATURE_LENGTH:
            self.signed = True
        else:
            self.unsigned = True
            self.flaws.append(Flaw("unsigned-thinking", "", part))

    def call(self, part: int, block: dict[str, Any], family: str) -> None:
        ident, name = block.get("id"), block.get("name")
        ident = ident if type(ident) is str else None
        self.calls.append(Call(self.record, part, ident, name if type(name) is str else None, family))
        if type(block.get("input")) is not dict:
            self.flaws.append(
                Flaw("invalid-arguments" if "input" in block else "missing-arguments", "", part, "", ident)
            )

    @property
    def holds_something(self) -> bool:
        return bool(self.said or self.calls or self.results or self.other or self.signed or self.unsigned)

    def judged(self, content: Any) -> list[Flaw]:
        """Return what is wrong with the blocks, and with the record as a whole."""
        flaws = self.flaws
        if self.signed and self.unsigned:
            flaws = [f._replace(variant=MIXED) if f.rule == "unsigned-thinking" else f for f in flaws]
        if self.blank and self.holds_something:
            flaws = [*flaws, *(blank_text(self.record, part, how) for part, how in self.blank)]
        elif self.blank:
            whole = "blank-assistant" if type(content) is list or content else "empty-assistant"
            flaws = [*flaws, Flaw("empty-message", whole, *self.blank[0])]
        elif not self.holds_something:
            flaws = [*flaws, Flaw("empty-message", "empty-assistant", 0)]
        return [*flaws, Flaw("text-after-call", "", self.after)] if self.after >= 0 else flaws
