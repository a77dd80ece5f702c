"""Anthropic messages: results are blocks of the user message behind their call; server tools pair inside the answer.

Neighbours of one role are one turn for the API, so they are joined before pairing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from condense_cli.document.format import Block, CallPaths, Head, ResultPaths, Turn, View, Writer
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
from condense_cli.jsonbytes import jsonedit, jsonspan
from condense_cli.model.blocks import ANSWER, SIGNATURE_LENGTH, image_fault, is_placeholder, words
from condense_cli.model.messages import SERVER, Call, Flaw, Message, Paused, Record, Result, Role, unpaused
from condense_cli.model.plan import Change

if TYPE_CHECKING:
    from condense_cli.document.document import Document
    from condense_cli.repair.halves import Context

__all__ = [
    "CONTRACT", "CONVERSATIONS", "HEADERS", "NAME", "ONE_HEADER", "SHARED_RESULTS", "TREE", "add_answer",
    "answer", "array_path", "bad_images", "block_path", "call_paths", "content_path", "detect", "drop_result",
    "find", "header", "is_linear", "is_record", "keep_leaf", "merge", "move_result", "parents",
    "read", "result_paths", "same_owner", "text_block", "threads", "turn", "unlink", "user_note",
    "version", "views",
]  # fmt: skip

NAME = "anthropic"
CONTRACT = "anthropic"
SHARED_RESULTS = True
CONVERSATIONS = True
_WRITER = Writer("anthropic-messages", "anthropic", "")
_SERVER_CALLS = frozenset({"server_tool_use", "mcp_tool_use"})
_ROLES = {"assistant": Role.ASSISTANT, "user": Role.USER, "system": Role.SYSTEM}
_NO_CALL = "[condense] A tool result stood here whose call is not in this conversation."


def detect(head: Head) -> bool:
    """Any block type that only this API has; or a list that could be either without a system message."""
    messages = messages_of(head)
    return bool(messages) and not is_chat(messages) and (is_anthropic(messages) or messages[0].get("role") in ("user", "assistant"))


def read(record: Record, value: dict[str, Any]) -> None:
    """Read one message."""
    role = value.get("role")
    record.kind = role if isinstance(role, str) and role else "?"
    who = _ROLES.get(role, Role.CUSTOM) if isinstance(role, str) else Role.CUSTOM
    content = value.get("content")
    if who is Role.ASSISTANT:
        record.message = read_assistant(record, content)
    elif who is Role.USER:
        record.message = read_user(record, content)
    else:
        record.message = Message(record, who)


def read_assistant(record: Record, content: Any) -> Message:
    """Read the facts of an assistant message's content."""
    if not isinstance(content, list):
        blank = is_blank(content)
        flaws = (Flaw("empty-message", "blank-assistant" if content else "empty-assistant", 0),) if blank else ()
        return Message(record, Role.ASSISTANT, said=not blank, flaws=flaws)
    calls: list[Call] = []
    results: list[Result] = []
    found: list[Flaw] = []
    blanks: list[int] = []
    said = other = signed = behind = False
    for part, block in enumerate(content):
        if not isinstance(block, dict):
            continue
        kind = block.get("type") if isinstance(block.get("type"), str) else ""
        if kind == "text":
            if is_blank(block.get("text")):
                blanks.append(part)
            else:
                said = True
                behind = behind or any(not call.server for call in calls)
        elif kind == "tool_use" or kind in _SERVER_CALLS:
            ident, name = block.get("id"), block.get("name")
            calls.append(Call(record, part, ident if isinstance(ident, str) else None, name if isinstance(name, str) else None, SERVER if kind in _SERVER_CALLS else ""))
            if not isinstance(block.get("input"), dict):
                found.append(Flaw("invalid-arguments" if "input" in block else "missing-arguments", "", part, "", calls[-1].id))
        elif isinstance(kind, str) and kind.endswith("_tool_result"):
            ident = block.get("tool_use_id")
            results.append(Result(record, part, ident if isinstance(ident, str) else None, family=SERVER))
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
    if behind:
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
            mixed = mixed or first_other is not None
        else:
            first_other = part if first_other is None else first_other
            if kind == "text" and is_blank(block.get("text")):
                blanks.append(part)
            else:
                others += 1
    found.extend(Flaw("invalid-image", "", part, fault) for _, part, fault in bad_images({"content": content}))
    if not results and not others:
        found.append(Flaw("empty-message", "user", 0))
    else:
        found.extend(Flaw("blank-text", "white" if content[n].get("text") else "empty", n) for n in blanks)
    if mixed and first_other is not None:
        found.append(Flaw("results-not-first", "", first_other))
    return Message(record, Role.USER, (), tuple(results), bool(others or blanks or not results), False, tuple(found))


def bad_images(value: dict[str, Any]) -> Iterator[tuple[tuple[str | int, ...], int, str]]:
    """Yield (path, part, fault) of each image that cannot be one, inside results too."""
    content = value.get("content")
    for part, block in enumerate(content if isinstance(content, list) else []):
        if not isinstance(block, dict):
            continue
        if block.get("type") == "tool_result" and isinstance(block.get("content"), list):
            for n, inner in enumerate(block["content"]):
                if fault := _image_fault(inner):
                    yield ("content", part, "content", n), part, fault
        elif fault := _image_fault(block):
            yield ("content", part), part, fault


def _image_fault(block: Any) -> str:
    if not isinstance(block, dict) or block.get("type") != "image":
        return ""
    source = block.get("source")
    if not isinstance(source, dict):
        return "no data"
    return image_fault(source.get("media_type"), source.get("data")) if source.get("type", "base64") == "base64" else ""


# ---------------------------------------------------------------------- threads
def views(document: Document, leaf: str | None, every: bool) -> Iterator[View]:
    """Yield each conversation, assistant neighbours joined."""
    for group in conversations(document, leaf):
        yield View(group, list(joined(r.message for r in group if r.message is not None)), _WRITER, group[-1] if group else None)


def joined(messages: Iterator[Message] | Any) -> Iterator[Message]:
    """Join assistant messages that stand side by side; every half keeps its own record."""
    now: Message | None = None
    for message in messages:
        if now is not None and now.role is Role.ASSISTANT and message.role is Role.ASSISTANT:
            flaws = tuple(f._replace(record=f.record or message.record) for f in message.flaws)
            now = replace(
                now,
                calls=unpaused(now.calls) + message.calls,
                results=now.results + message.results,
                said=now.said or message.said,
                signed=now.signed or message.signed,
                flaws=now.flaws + flaws,
            )
            continue
        if now is not None:
            yield now
        now = message
    if now is not None:
        yield now


def turn(document: Document, message: Message) -> Turn:
    """Load one message; of joined ones only the first record's."""
    records = dict.fromkeys([message.record, *(call.record for call in message.calls)])
    parts = [block for record in records for block in content_blocks(document.value(record).get("content"))]
    return Turn(message.record, message.role, tuple(parts))


def content_blocks(content: Any) -> Iterator[Block]:
    """Yield the parts of an Anthropic content."""
    if isinstance(content, str):
        yield Block("text", content)
        return
    for block in content if isinstance(content, list) else []:
        if not isinstance(block, dict):
            continue
        kind = words(block.get("type"))
        if "type" not in block:  # parts of Cline's results
            yield Block("text", jsonedit.dump(block, spaced=True).decode())
        elif kind == "text":
            yield Block("text", words(block.get("text")))
        elif kind == "tool_use":
            yield Block("call", id=block.get("id"), name=block.get("name"), arguments=block.get("input", {}))
        elif kind == "tool_result":
            inner = tuple(content_blocks(block.get("content")))
            text = "\n".join(b.text for b in inner if b.kind == "text")
            yield Block("result", text, block.get("tool_use_id"), error=block.get("is_error") is True, inner=inner)
        elif kind == "thinking":
            yield Block("thinking", words(block.get("thinking")), signature=words(block.get("signature")))
        elif kind == "image":
            source = block.get("source")
            source = source if isinstance(source, dict) else {}
            yield Block("image", media_type=words(source.get("media_type")), data=words(source.get("data")), url=words(source.get("url")))
        elif kind in _SERVER_CALLS:
            yield Block("other", kind, block.get("id"), block.get("name"), block.get("input"))
        else:
            yield Block("other", kind)


# ---------------------------------------------------------------------- repair
def call_paths(call: Call) -> CallPaths:
    """A call is a block of content."""
    block = ("content", call.part)
    return CallPaths(block, (*block, "id"), (*block, "name"), (*block, "input"))


def result_paths(result: Result) -> ResultPaths:
    """A result is a block of content."""
    block = ("content", result.part)
    return ResultPaths(block, (*block, "tool_use_id"))


def _result_block(call: Call, text: str) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call.id, "content": text, "is_error": True}


def answer(document: Document, call: Call, after: Record, text: str) -> dict[str, Any]:
    """Build a user message that answers a call."""
    return {"role": "user", "content": [_result_block(call, text)]}


def user_note(document: Document, before: Record, text: str) -> dict[str, Any]:
    """Build a user message."""
    return {"role": "user", "content": text}


def add_answer(context: Context, call: Call, cycle: int, rule: str) -> bool:
    """Put the answer into the user message behind the call, behind the results that stand there."""
    document = context.document
    at = context.pairing.cycles[cycle].at
    after = context.view.messages[at + 1] if at + 1 < len(context.view.messages) else None
    if after is None or after.role is not Role.USER or after.record.gone:
        return False
    put_block(document, after.record, jsonedit.dump(_result_block(call, ANSWER), spaced=jsonedit.is_spaced(document.raw(after.record))), rule, call.id)
    return True


def put_block(document: Document, record: Record, block: bytes, rule: str, call_id: str | None) -> None:
    """Insert a result block behind the results that a user message begins with; a string content becomes a block."""
    raw = document.raw(record)
    place = jsonspan.span(raw, ("content",))
    if place and raw[place[0] : place[0] + 1] == b'"':
        text = raw[place[0] : place[1]]
        raw = jsonedit.replace(raw, ("content",), b"[" + block + b',{"type":"text","text":' + text + b"}]")
    elif place is None or raw[place[0] : place[0] + 1] != b"[":
        raw = jsonedit.replace(raw, ("content",), b"[" + block + b"]")
    else:
        results = record.message.results if record.message else ()
        first = 0
        for result in results:
            first = result.part + 1 if result.part == first else first
        raw = jsonedit.insert(raw, ("content",), first, block)
    document.rewrite(record, raw, rule, Change.INSERT, call_id=call_id)


def drop_result(context: Context, result: Result, rule: str) -> bool:
    """A user message left empty at the front becomes a short note; elsewhere it goes."""
    document, record = context.document, result.record
    raw = document.raw(record)
    first = next((m for m in context.view.messages if m.role is not Role.SYSTEM), None)
    place = jsonspan.span(raw, ("content",))
    alone = place is not None and len(jsonspan.elements(raw, place[0])) == 1
    if not result.server and alone and first is not None and first.record is record:
        raw = jsonedit.replace(raw, ("content",), [{"type": "text", "text": _NO_CALL}])
        document.rewrite(record, raw, rule, Change.REPLACE, part=result.part, call_id=result.id)
        return True
    return False


def move_result(context: Context, result: Result, anchor: Record, call: Call | None, rule: str) -> bool:
    """Move a message that holds nothing but results of the call's turn; else move the block into the message behind the call."""
    document, record = context.document, result.record
    if call is None:
        return False
    if result.server:
        return True  # it belongs into the message of its call, which is the provider's
    cycle = next((c for c in context.pairing.cycles if any(one is call for one in c.calls)), None)
    if cycle is None:
        return False
    ids = {one.id for one in cycle.calls}
    message = record.message
    beside_text = anchor.message is not None and anchor.message.role is Role.USER and anchor.message.said
    if message is not None and not message.said and not beside_text and all(r.id in ids for r in message.results):
        if not record.gone:
            context.surgery.move(record, anchor, rule, call_id=result.id)
        return True
    raw = document.raw(record)
    place = jsonspan.span(raw, ("content", result.part))
    if place is None:
        return False
    block = raw[place[0] : place[1]]
    target = context.view.messages[cycle.at + 1] if cycle.at + 1 < len(context.view.messages) else None
    left = jsonedit.remove(raw, ("content", result.part))
    if jsonspan.elements(left, (jsonspan.span(left, ("content",)) or (0, 0))[0]):
        document.rewrite(record, left, rule, Change.MOVE, part=result.part, call_id=result.id)
    else:
        context.surgery.drop(record, rule, part=result.part, call_id=result.id)
    if target is not None and target.role is Role.USER and not target.record.gone:
        put_block(document, target.record, block, rule, result.id)
    else:
        new = context.surgery.insert({"role": "user", "content": []}, anchor, rule, call_id=result.id)
        document.rewrite(new, jsonedit.insert(document.raw(new), ("content",), 0, block), rule, Change.MOVE, call_id=result.id)
    return True
