"""OpenAI chat messages: an array, an object with `messages`, or JSONL of messages or of conversations."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.document.format import Block, CallPaths, Head, ResultPaths, Turn, View
from condense_cli.formats.messages import (
    HEADERS,
    ONE_HEADER,
    TREE,
    array_path,
    block_path,
    content_path,
    conversations,
    find,
    header,
    image_urls,
    is_anthropic,
    is_blank,
    is_chat,
    is_linear,
    is_record,
    keep_leaf,
    merge,
    messages_of,
    parents,
    placeholder_text,
    same_owner,
    text_block,
    threads,
    unlink,
    version,
)
from condense_cli.jsonbytes import jsonread
from condense_cli.model.blocks import data_url_fault, is_placeholder, words
from condense_cli.model.findings import Finding
from condense_cli.model.messages import Call, Flaw, Message, Record, Result, Role
from condense_cli.pairing.pair import BY_NAME, Pairing

if TYPE_CHECKING:
    from condense_cli.document.document import Document

__all__ = [
    "CONTRACT", "CONVERSATIONS", "HEADERS", "NAME", "ONE_HEADER", "SHARED_RESULTS", "TREE", "answer",
    "array_path", "block_path", "call_paths", "content_path", "detect", "find", "header", "is_linear",
    "is_record", "keep_leaf", "merge", "parents", "read", "result_note", "result_paths", "same_owner",
    "text_block", "thread_findings", "threads", "turn", "unlink", "user_note", "version", "views",
]  # fmt: skip

NAME = "openai-chat"
CONTRACT = "openai-chat"
SHARED_RESULTS = False
CONVERSATIONS = True
_ROLES = {
    "assistant": Role.ASSISTANT,
    "user": Role.USER,
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "tool": Role.RESULT,
    "function": Role.RESULT,
}


class Extra(NamedTuple):
    """reasoning: whether the message carries reasoning_content; custom: parts that are custom tool calls."""

    reasoning: bool = False
    custom: frozenset[int] = frozenset()


_PLAIN = Extra()


def detect(head: Head) -> bool:
    """Anything that only this API has; or a list that could be either and begins with a system message or has only texts."""
    messages = messages_of(head)
    if not messages or (is_anthropic(messages) and not is_chat(messages)):
        return False
    return is_chat(messages) or messages[0].get("role") == "system"


def read(record: Record, value: dict[str, Any]) -> None:
    """Read one message."""
    role = value.get("role")
    record.kind = role if isinstance(role, str) and role else "?"
    record.extra = _PLAIN
    who = _ROLES.get(role) if isinstance(role, str) else None
    if who is Role.ASSISTANT:
        _read_assistant(record, value)
    elif who is Role.RESULT:
        content = value.get("content")
        made_up = is_placeholder(placeholder_text(content))
        if role == "function":
            name = value.get("name")
            result = Result(record, 0, name if isinstance(name, str) else None, made_up, family=BY_NAME)
        else:
            ident = value.get("tool_call_id")
            result = Result(record, 0, ident if isinstance(ident, str) else None, made_up)
        record.message = Message(record, Role.RESULT, (), (result,), False, False, _image_flaws(content))
    elif who is Role.USER:
        record.message = Message(record, Role.USER, flaws=_user_flaws(value.get("content")))
    else:
        record.message = Message(record, who or Role.CUSTOM)


def _read_assistant(record: Record, value: dict[str, Any]) -> None:
    calls: list[Call] = []
    flaws: list[Flaw] = []
    custom: set[int] = set()
    listed = value.get("tool_calls")
    for part, one in enumerate(listed if isinstance(listed, list) else []):
        if not isinstance(one, dict):
            continue
        ident = one.get("id")
        is_custom = one.get("type") == "custom" or ("custom" in one and "function" not in one)
        said = one.get("custom" if is_custom else "function")
        said = said if isinstance(said, dict) else {}
        name = said.get("name")
        calls.append(Call(record, part, ident if isinstance(ident, str) else None, name if isinstance(name, str) else None))
        if is_custom:
            custom.add(part)
        else:
            flaws.extend(_argument_flaws(said, part, calls[-1].id))
    legacy = value.get("function_call")
    if isinstance(legacy, dict):
        name = legacy.get("name")
        name = name if isinstance(name, str) else None
        calls.append(Call(record, 0, name, name, family=BY_NAME))
        flaws.extend(_argument_flaws(legacy, 0, name))
    content = value.get("content")
    blank: list[int] = []
    if isinstance(content, list):
        blank = [n for n, b in enumerate(content) if isinstance(b, dict) and b.get("type") == "text" and is_blank(b.get("text"))]
        said_something = len(blank) < len(content)
    else:
        said_something = not is_blank(content)
    said_something = said_something or bool(value.get("refusal") or value.get("audio"))
    reasoning = isinstance(value.get("reasoning_content"), str)
    if not said_something and not calls:
        flaws.append(Flaw("empty-message", "blank-assistant" if content else "empty-assistant", 0))
    else:
        flaws.extend(Flaw("blank-text", "white" if content and content[n].get("text") else "empty", n) for n in blank)
    flaws.extend(_image_flaws(content))
    if reasoning or custom:
        record.extra = Extra(reasoning, frozenset(custom))
    record.message = Message(record, Role.ASSISTANT, tuple(calls), (), said_something, False, tuple(flaws))


def _argument_flaws(said: dict[str, Any], part: int, ident: str | None) -> Iterator[Flaw]:
    if "arguments" not in said:
        yield Flaw("missing-arguments", "", part, "", ident)
        return
    text = said["arguments"]
    if isinstance(text, str):
        # U+0000 has a rule of its own: an object that is one without it must not be thrown away.
        parsed = jsonread.parse(text.replace("\0", "\ufffd").encode("utf-8", "replace"))
        if parsed is not None and isinstance(parsed.value, dict):
            return
    yield Flaw("invalid-arguments", "", part, "the arguments are no JSON object in a string", ident)


def _user_flaws(content: Any) -> tuple[Flaw, ...]:
    if isinstance(content, list):
        blank = [n for n, b in enumerate(content) if isinstance(b, dict) and b.get("type") == "text" and is_blank(b.get("text"))]
        if len(blank) == len(content):
            return (Flaw("empty-message", "user", 0),)
        return (*(Flaw("blank-text", "white" if content[n].get("text") else "empty", n) for n in blank), *_image_flaws(content))
    return (Flaw("empty-message", "user", 0),) if is_blank(content) else ()


def _image_flaws(content: Any) -> tuple[Flaw, ...]:
    return tuple(Flaw("invalid-image", "", part, fault) for part, url in image_urls(content) if (fault := data_url_fault(url)))


# ---------------------------------------------------------------------- threads
def views(document: Document, leaf: str | None, every: bool) -> Iterator[View]:
    """Yield each conversation."""
    for group in conversations(document, leaf):
        messages = [r.message for r in group if r.message is not None]
        yield View(group, messages, leaf=group[-1] if group else None)


def thread_findings(document: Document, view: View, pairing: Pairing) -> Iterator[Finding]:
    """A call turn without reasoning while other turns of the session have it."""
    spoken = [m for m in view.messages if m.role is Role.ASSISTANT]
    if not any(m.record.extra.reasoning for m in spoken):
        return
    for message in spoken:
        if message.calls and not message.record.extra.reasoning:
            yield Finding("missing-reasoning", message.record.line, message.record)


def turn(document: Document, message: Message) -> Turn:
    """Load one message."""
    value = document.value(message.record)
    content = list(_blocks(value.get("content")))
    if message.role is Role.RESULT:
        text = "\n".join(b.text for b in content if b.kind == "text")
        block = Block("result", text, value.get("tool_call_id", value.get("name")), value.get("name"), inner=tuple(content))
        return Turn(message.record, message.role, (block,))
    reasoning = value.get("reasoning_content")
    if isinstance(reasoning, str) and reasoning:
        content.insert(0, Block("thinking", reasoning))
    listed = value.get("tool_calls")
    for one in listed if isinstance(listed, list) else []:
        if isinstance(one, dict):
            said = one.get("function") or one.get("custom")
            said = said if isinstance(said, dict) else {}
            content.append(Block("call", id=one.get("id"), name=said.get("name"), arguments=_arguments(said.get("arguments", said.get("input")))))
    legacy = value.get("function_call")
    if isinstance(legacy, dict):
        content.append(Block("call", id=legacy.get("name"), name=legacy.get("name"), arguments=_arguments(legacy.get("arguments"))))
    return Turn(message.record, message.role, tuple(content))


def _arguments(text: Any) -> Any:
    if isinstance(text, str):
        try:
            return json.loads(text)
        except ValueError:
            return text
    return text


def _blocks(content: Any) -> Iterator[Block]:
    if isinstance(content, str):
        if content:
            yield Block("text", content)
        return
    for block in content if isinstance(content, list) else []:
        if not isinstance(block, dict):
            continue
        kind = block.get("type")
        if kind == "text":
            yield Block("text", words(block.get("text")))
        elif kind == "image_url":
            url = block.get("image_url")
            url = words(url.get("url") if isinstance(url, dict) else url)
            head, comma, data = url.partition(",")
            if comma and head.startswith("data:"):
                yield Block("image", media_type=head[5:].split(";")[0], data=data)
            else:
                yield Block("image", url=url)
        else:
            yield Block("other", words(kind))


# ---------------------------------------------------------------------- repair
def call_paths(call: Call) -> CallPaths:
    """A call is an element of tool_calls, or function_call."""
    if call.family == BY_NAME:
        return CallPaths(("function_call",), ("function_call", "name"), ("function_call", "name"), ("function_call", "arguments"), text=True)
    block = ("tool_calls", call.part)
    kind = "custom" if call.part in getattr(call.record.extra, "custom", ()) else "function"
    return CallPaths(block, (*block, "id"), (*block, kind, "name"), (*block, kind, "arguments"), text=True)


def result_paths(result: Result) -> ResultPaths:
    """A result is a message of its own."""
    if result.family == BY_NAME:
        return ResultPaths((), ("name",), ("name",))
    return ResultPaths((), ("tool_call_id",), ("name",))


def answer(document: Document, call: Call, after: Record, text: str) -> dict[str, Any]:
    """Build a tool message."""
    if call.family == BY_NAME:
        return {"role": "function", "name": call.name, "content": text}
    return {"role": "tool", "tool_call_id": call.id, "content": text}


def user_note(document: Document, before: Record, text: str) -> dict[str, Any]:
    """Build a user message."""
    return {"role": "user", "content": text}


def result_note(document: Document, result: Result) -> dict[str, Any]:
    """Keep the text of a result without a call as a user message."""
    value = document.value(result.record)
    return {"role": "user", "content": "[condense] Result of a call that is not in this conversation:\n" + placeholder_or_text(value.get("content"))}


def placeholder_or_text(content: Any) -> str:
    """Return the texts of a content, joined by line breaks."""
    return "\n".join(b.text for b in _blocks(content) if b.kind == "text")
