"""What one entry of a pi session says: its kind, its links, its message with its halves and flaws."""

from __future__ import annotations

from sys import intern
from typing import Any

from condense_cli.document.format import Writer
from condense_cli.document.records import UNKNOWN
from condense_cli.formats.media import image_flaws, media_of
from condense_cli.formats.messages import missing_content
from condense_cli.model.blocks import SIGNATURE_LENGTH, is_placeholder
from condense_cli.model.medium import Medium
from condense_cli.model.messages import Call, Flaw, Message, Record, Result, Role

ENTRY_TYPES = frozenset({
    "message", "model_change", "thinking_level_change", "compaction", "context_edit", "branch_summary",
    "custom", "custom_message", "label", "session_info", "usage",
})  # fmt: skip


_CALLS = frozenset({"toolCall"})


_OTHER_BLOCKS = frozenset({"tool_use", "tool_result"})
_SKIPPED = frozenset({"error", "aborted"})
_HAVE_CONTENT = {"user": Role.USER, "assistant": Role.ASSISTANT, "toolResult": Role.RESULT}




_MOST_ASKED = 100




class Shared:
    """What the entries of one file share, so that it is kept once: ids of the latest calls, and the models."""

    __slots__ = ("asked", "writers")

    def __init__(self) -> None:
        self.asked: dict[str, str] = {}
        self.writers: dict[tuple[Any, Any, Any], Writer] = {}

    def writer(self, api: Any, provider: Any, model: Any) -> Writer:
        """Return the one value for a model, so that a million messages share it."""
        key = (api, provider, model)
        try:
            return self.writers[key]
        except KeyError:
            return self.writers.setdefault(key, writer(*key))
        except TypeError:
            return Writer()


def is_record(value: dict[str, Any]) -> bool:
    """A header, an entry of a tree, or an entry of a version 1 file."""
    kind = value.get("type")
    if not isinstance(kind, str):
        return False
    if kind == "session":
        return isinstance(value.get("id"), str)
    return ("id" in value and "parentId" in value) or (kind in ENTRY_TYPES and "timestamp" in value)


def read(record: Record, value: dict[str, Any], shared: Shared, call_types: frozenset[str] = _CALLS) -> None:
    """Set the facts of one entry; call_types are the block types that ask for a tool."""
    kind = value.get("type")
    record.kind = intern(kind) if type(kind) is str and kind else "?"
    if kind == "session":
        record.extra = value.get("version")
        record.id = record.parent = None
        return
    ident = value.get("id")
    record.id = ident if type(ident) is str and ident else None
    parent = value.get("parentId")
    record.parent = parent if type(parent) is str and parent else None
    if kind == "message":
        message = value.get("message")
        if type(message) is dict:
            record.message = read_message(record, message, shared, call_types)
            if record.kind is UNKNOWN:
                record.message = None
                return
            if message.get("role") == "assistant":
                record.extra = shared.writer(message.get("api"), message.get("provider"), message.get("model"))
        else:
            record.message = None
            if "role" in value:
                record.kind = UNKNOWN
    elif kind == "custom_message":
        record.message = Message(record, Role.CUSTOM)
        record.extra = value.get("customType")
    elif kind == "custom":
        record.extra = value.get("customType")
    elif kind == "branch_summary":
        record.message = Message(record, Role.SUMMARY) if value.get("summary") else None
        record.extra = value.get("fromId")
    elif kind == "compaction":
        record.message = Message(record, Role.SUMMARY)
        record.extra = value.get("firstKeptEntryId", value.get("firstKeptEntryIndex"))
    elif kind == "context_edit":
        target = value.get("targetId")
        record.extra = (target if type(target) is str else "", value.get("replacement") is None)
    elif kind == "model_change":
        record.extra = shared.writer("", value.get("provider"), value.get("modelId"))
    elif kind == "label":
        target = value.get("targetId")
        record.extra = target if type(target) is str else ""


def writer(api: Any, provider: Any, model: Any) -> Writer:
    """Return the model that an entry names."""
    return Writer(*(part if isinstance(part, str) else "" for part in (api, provider, model)))


def read_message(record: Record, message: dict[str, Any], shared: Shared, call_types: frozenset[str] = _CALLS) -> Message | None:
    """Read the facts of a pi-shaped message; a role that never reaches a provider gives None."""
    role = message.get("role")
    content = message.get("content")
    silent: tuple[Flaw, ...] = ()
    who = _HAVE_CONTENT.get(role) if content is None and type(role) is str else None
    if who is not None:
        silent = (missing_content(who),)
    if role == "toolResult":
        ident = message.get("toolCallId", message.get("toolUseId"))
        media: tuple[Medium, ...] = ()
        made_up = False
        if type(content) is list and content:
            first = content[0]
            if type(first) is dict and len(content) == 1 and first.get("type") == "text":
                text = first.get("text")
                made_up = type(text) is str and len(text) < 300 and is_placeholder(text)
            else:
                media = media_of(content, in_result=True)
        elif type(content) is str:
            made_up = is_placeholder(content)
        result = Result(record, 0, shared.asked.pop(ident, ident) if type(ident) is str else None, made_up)
        return Message(record, Role.RESULT, (), (result,), False, False, silent or image_flaws(media), False, media)
    if who is not None:
        stop = message.get("stopReason")
        return Message(record, who, (), (), role == "user", type(stop) is str and stop in _SKIPPED, silent)
    if role == "assistant":
        return _read_assistant(record, message, content, shared, call_types)
    if role == "user":
        if type(content) is list and any(type(block) is dict and block.get("type") in ("tool_use", "tool_result") for block in content):
            record.kind = UNKNOWN
        flaws, media = _read_user(content)
        return Message(record, Role.USER, (), (), True, False, flaws, False, media)
    if role in ("custom", "hookMessage"):
        return Message(record, Role.CUSTOM)
    if role == "bashExecution":
        return None if message.get("excludeFromContext") else Message(record, Role.USER)
    if role == "tool":
        record.kind = UNKNOWN
    return None


def _read_assistant(record: Record, message: dict[str, Any], content: Any, shared: Shared, call_types: frozenset[str]) -> Message:
    calls: list[Call] = []
    flaws: list[Flaw] = []
    blank: list[int] = []
    said = behind = other = signed = shows = False
    if len(shared.asked) > _MOST_ASKED:
        shared.asked.clear()
    if "tool_calls" in message:
        record.kind = UNKNOWN
    stop = message.get("stopReason")
    skipped = type(stop) is str and stop in _SKIPPED
    if type(content) is list:
        for part, block in enumerate(content):
            if type(block) is not dict:
                continue
            kind = block.get("type")
            if kind == "text":
                text = block.get("text")
                if type(text) is str and text and not text.isspace():
                    said = True
                    behind = behind or bool(calls)
                else:
                    blank.append(part)
            elif type(kind) is str and kind in call_types:
                ident, name = block.get("id"), block.get("name")
                if type(ident) is str:
                    shared.asked[ident] = ident
                calls.append(Call(record, part, ident if type(ident) is str else None, intern(name) if type(name) is str else None))
                # pi sends `arguments` and nothing else; OpenClaw, with more kinds of call, takes an `input` for it.
                key = "arguments" if call_types is _CALLS or "arguments" in block else "input"
                if type(block.get(key)) is not dict:
                    missing = key not in block
                    flaws.append(Flaw("missing-arguments" if missing else "invalid-arguments", "", part, "", calls[-1].id))
            elif kind == "thinking":
                other = True
                signature = block.get("thinkingSignature")
                if block.get("redacted") or (type(signature) is str and len(signature) >= SIGNATURE_LENGTH):
                    signed = True
                else:
                    flaws.append(Flaw("unsigned-thinking", "", part))
            elif kind == "image":
                shows = said = True
            else:
                other = True
                if type(kind) is str and kind in _OTHER_BLOCKS:
                    record.kind = UNKNOWN
    elif type(content) is str:
        said = bool(content.strip())
        if not said and not skipped:
            flaws.append(Flaw("empty-message", "blank-assistant" if content else "empty-assistant", 0))
    if type(content) is not str and not skipped:
        if blank:
            if said or calls or other:
                flaws.extend(Flaw("blank-text", _blankness(content[part]), part) for part in blank)
            else:
                flaws.append(Flaw("empty-message", "blank-assistant", 0))
        elif not said and not calls and not other:
            flaws.append(Flaw("empty-message", "empty-assistant", 0))
        if behind:
            flaws.append(Flaw("text-after-call", "", calls[0].part))
    media = media_of(content) if shows else ()
    flaws.extend(image_flaws(media))
    return Message(record, Role.ASSISTANT, tuple(calls), (), said, skipped, tuple(flaws), signed, media)


def _blankness(block: dict[str, Any]) -> str:
    return "white" if block.get("text") else "empty"


def _is_blank(text: Any) -> bool:
    return not text or (isinstance(text, str) and text.isspace())


def _read_user(content: Any) -> tuple[tuple[Flaw, ...], tuple[Medium, ...]]:
    if type(content) is str and content and not content.isspace():
        return (), ()
    if type(content) is not list:
        return (Flaw("empty-message", "user", 0),), ()
    blank = [
        part
        for part, block in enumerate(content)
        if type(block) is dict and block.get("type") == "text" and _is_blank(block.get("text"))
    ]
    if len(blank) == len(content):
        return (Flaw("empty-message", "user", 0),), ()
    media: tuple[Medium, ...] = ()
    flaws = [Flaw("blank-text", _blankness(content[part]), part) for part in blank]
    if len(content) > 1 or (type(content[0]) is dict and content[0].get("type") != "text"):
        media = media_of(content)
        flaws.extend(image_flaws(media))
    return tuple(flaws), media
