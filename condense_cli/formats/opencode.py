"""What `opencode export` writes: one document of messages with parts. It is read, and never repaired.

A call and its result are one part, so both halves carry, as their family, the place of that part.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.document.format import Block, CallPaths, ResultPaths, Turn, View, Writer, unknown_leaf
from condense_cli.formats import messages
from condense_cli.formats.pi.format import writer
from condense_cli.jsonbytes import jsonread, jsonspan
from condense_cli.model.blocks import SIGNATURE_LENGTH, data_url_fault, is_placeholder, words
from condense_cli.model.messages import Call, Flaw, Message, Record, Result, Role

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense_cli.document.document import Document
    from condense_cli.document.format import Head, Tree

NAME = "opencode"
CONTRACT = "openai-chat"
SHARED_RESULTS = False
CONVERSATIONS = False
TREE: Tree | None = None
HEADERS, ONE_HEADER = messages.HEADERS, messages.ONE_HEADER
is_linear, parents, same_owner, find = messages.is_linear, messages.parents, messages.same_owner, messages.find
header, unlink, keep_leaf = messages.header, messages.unlink, messages.keep_leaf

_MESSAGES = ("messages",)
_RUNNING = frozenset({"pending", "running"})
_ABORTED = "MessageAbortedError"
_REFUSAL = (
    "an OpenCode export is only read: `opencode import` ignores changed content of messages that its store has",
    "OpenCode itself answers interrupted calls when the session goes on; `condense render` shows the export",
)


class Facts(NamedTuple):
    """What decides which messages count: the user message that is answered, a finished summary, a compaction's tail."""

    answers: str | None = None
    summary: bool = False
    compaction: bool = False
    tail: str | None = None
    written: Writer = Writer()

    @property
    def provider(self) -> str:
        """Return the provider that wrote the message, as the check of thinking asks for it."""
        return self.written.provider

    @property
    def model(self) -> str:
        """Return its model."""
        return self.written.model


# ---------------------------------------------------------------------- detection
def detect(head: Head) -> bool:
    """A document whose `info.id` starts with `ses_`, with a list of messages."""
    value = head.document
    return isinstance(value, dict) and isinstance(value.get("messages"), list) and _ident(value).startswith("ses_")


def _ident(value: dict[str, Any]) -> str:
    info = value.get("info")
    found = info.get("id") if isinstance(info, dict) else None
    return found if isinstance(found, str) else ""


def is_record(value: dict[str, Any]) -> bool:
    """A message: its info and its parts."""
    return isinstance(value.get("info"), dict) and isinstance(value.get("parts"), list)


def array_path(value: Any) -> tuple[str | int, ...]:
    """The list of messages."""
    return _MESSAGES


# ---------------------------------------------------------------------- reading
def read(record: Record, value: dict[str, Any]) -> None:
    """Read one message."""
    info = value.get("info")
    info = info if isinstance(info, dict) else {}
    parts = value.get("parts")
    parts = [part if isinstance(part, dict) else {} for part in parts] if isinstance(parts, list) else []
    role = info.get("role")
    record.kind = role if isinstance(role, str) and role else "?"
    record.id = _text(info.get("id"))
    if role == "assistant":
        finished = bool(info.get("finish")) or (isinstance(info.get("time"), dict) and info["time"].get("completed") is not None)
        record.extra = Facts(_text(info.get("parentID")), bool(info.get("summary")) and finished, written=writer("", info.get("providerID"), info.get("modelID")))
        record.message = _assistant(record, info, parts)
    else:
        compaction = next((part for part in parts if part.get("type") == "compaction"), None)
        record.extra = Facts(compaction=compaction is not None, tail=_text(compaction.get("tail_start_id")) if compaction else None)
        record.message = Message(record, Role.USER, flaws=tuple(_user_flaws(parts))) if role == "user" else None


def _assistant(record: Record, info: dict[str, Any], parts: list[dict[str, Any]]) -> Message:
    calls: list[Call] = []
    results: list[Result] = []
    flaws: list[Flaw] = []
    blank: list[int] = []
    spoken = other = False
    for n, part in enumerate(parts):
        kind = part.get("type")
        if kind == "tool":
            _tool(record, n, part, calls, results, flaws)
        elif kind == "text":
            if _is_blank(part):
                blank.append(n)
            else:
                spoken = True
        elif kind == "reasoning":
            other = True
            if not _is_signed(part):
                flaws.append(Flaw("unsigned-thinking", "", n))
        elif kind == "file":
            spoken = True
            flaws.extend(_file_flaws(part, n))
    error = info.get("error")
    aborted = isinstance(error, dict) and error.get("name") == _ABORTED
    skipped = error is not None and not (aborted and (spoken or calls))
    if not skipped and not spoken and not calls and not other:
        flaws.append(Flaw("empty-message", "blank-assistant" if blank else "empty-assistant", 0))
    else:
        flaws.extend(Flaw("blank-text", "white" if parts[n].get("text") else "empty", n) for n in blank)
    return Message(record, Role.ASSISTANT, tuple(calls), tuple(results), spoken, skipped, tuple(flaws))


def _tool(record: Record, n: int, part: dict[str, Any], calls: list[Call], results: list[Result], flaws: list[Flaw]) -> None:
    state = part.get("state")
    state = state if isinstance(state, dict) else {}
    ident, family = _text(part.get("callID")), f"part {n}"
    calls.append(Call(record, n, ident, _text(part.get("tool")), family=family))
    if not isinstance(state.get("input"), dict):
        flaws.append(Flaw("invalid-arguments" if "input" in state else "missing-arguments", "", n, "", ident))
    said = state.get("output" if state.get("status") == "completed" else "error")
    if _text(state.get("status")) not in _RUNNING and isinstance(said, str):
        results.append(Result(record, n, ident, is_placeholder(said), family=family))
    attached = state.get("attachments")
    for file in attached if isinstance(attached, list) else ():
        flaws.extend(_file_flaws(file, n))


def _user_flaws(parts: list[dict[str, Any]]) -> Iterator[Flaw]:
    blank = [n for n, part in enumerate(parts) if part.get("type") == "text" and not part.get("ignored") and _is_blank(part)]
    sent = [n for n, part in enumerate(parts) if part.get("type") in ("text", "file", "agent", "subtask", "compaction") and not part.get("ignored")]
    if len(blank) == len(sent):
        yield Flaw("empty-message", "user", 0)
        return
    for n in blank:
        yield Flaw("blank-text", "white" if parts[n].get("text") else "empty", n)
    for n, part in enumerate(parts):
        if part.get("type") == "file":
            yield from _file_flaws(part, n)


def _file_flaws(file: Any, n: int) -> Iterator[Flaw]:
    if isinstance(file, dict) and isinstance(file.get("mime"), str) and file["mime"].startswith("image/"):
        fault = data_url_fault(file.get("url"))
        if fault:
            yield Flaw("invalid-image", "", n, fault)


def _is_signed(part: dict[str, Any]) -> bool:
    data = part.get("metadata")
    own = data.get("anthropic") if isinstance(data, dict) else None
    if not isinstance(own, dict):
        return False
    signature = own.get("signature")
    return bool(own.get("redactedData")) or (isinstance(signature, str) and len(signature) >= SIGNATURE_LENGTH)


def _is_blank(part: dict[str, Any]) -> bool:
    text = part.get("text")
    return not isinstance(text, str) or not text.strip()


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


# ---------------------------------------------------------------------- threads
def views(document: Document, leaf: str | None = None, every: bool = False) -> Iterator[View]:
    """Yield the one thread from its last finished compaction on; a leaf ends it there."""
    path = [record for record in document.readable() if isinstance(record.extra, Facts)]
    if leaf is not None:
        end = next((n for n, record in enumerate(path) if record.id == leaf), None)
        if end is None:
            raise unknown_leaf(document, leaf, "message", "messages")
        path = path[: end + 1]
    kept = select(path)
    found = [_sent(record.message) for record in kept if record.message is not None]
    now = next((r.extra.written for r in reversed(path) if r.kind == "assistant"), Writer())
    yield View(path, found, now, path[-1] if path else None)


def select(path: list[Record]) -> list[Record]:
    """Return the messages from the last finished compaction on, with the tail that it kept."""
    place = {record.id: n for n, record in enumerate(path)}
    for record in reversed(path):
        asked = place.get(record.extra.answers) if record.extra.summary else None
        if asked is not None and path[asked].extra.compaction:
            return path[min(asked, place.get(path[asked].extra.tail, asked)) :]
    return path


def _sent(message: Message) -> Message:
    """A message that is left out takes its calls and results with it."""
    return replace(message, calls=(), results=()) if message.skipped else message


def threads(document: Document) -> int:
    """An export is one thread."""
    return 1


def turn(document: Document, message: Message) -> Turn:
    """Load one message with its texts, thoughts, files, calls and results."""
    parts = document.value(message.record).get("parts")
    blocks = tuple(block for part in (parts if isinstance(parts, list) else ()) if isinstance(part, dict) for block in _blocks(part))
    return Turn(message.record, message.role, blocks, message.skipped)


def _blocks(part: dict[str, Any]) -> Iterator[Block]:
    kind = part.get("type")
    if kind == "text":
        if not part.get("ignored"):
            yield Block("text", words(part.get("text")))
    elif kind == "reasoning":
        yield Block("thinking", words(part.get("text")))
    elif kind == "file":
        yield _file(part)
    elif kind == "tool":
        state = part.get("state")
        state = state if isinstance(state, dict) else {}
        ident, name, status = _text(part.get("callID")), _text(part.get("tool")), _text(state.get("status"))
        yield Block("call", id=ident, name=name, arguments=state.get("input"))
        said = state.get("output" if status == "completed" else "error")
        if status not in _RUNNING and isinstance(said, str):
            attached = state.get("attachments")
            files = tuple(_file(file) for file in (attached if isinstance(attached, list) else ()) if isinstance(file, dict))
            yield Block("result", said, ident, name, error=status == "error", inner=(Block("text", said), *files))
    elif kind in ("agent", "subtask", "compaction", "patch", "retry", "snapshot"):
        yield Block("other", kind)


def _file(part: dict[str, Any]) -> Block:
    url, kind = words(part.get("url")), words(part.get("mime"))
    name, comma, data = url.partition(",")
    if not kind.startswith("image/"):
        return Block("other", kind or "file")
    return Block("image", media_type=kind, data=data) if comma and name.startswith("data:") else Block("image", media_type=kind, url=url)


def version(document: Document) -> str | None:
    """Return the version of OpenCode that the session was made with."""
    raw = document.source.read(0, document.source.size)
    place = jsonspan.span(raw, ("info", "version"), jsonspan.space_end(raw, 3 if raw.startswith(b"\xef\xbb\xbf") else 0))
    return _text(jsonread.loads(raw[place[0] : place[1]])) if place else None


# ---------------------------------------------------------------------- repair: refused, but places can be named
def refuse_repair(document: Document) -> tuple[str, str] | None:
    """Say why a changed export would change nothing, and what to do instead."""
    return _REFUSAL


def call_paths(call: Call) -> CallPaths:
    """A call is a tool part."""
    whole = ("parts", call.part)
    return CallPaths(whole, (*whole, "callID"), (*whole, "tool"), (*whole, "state", "input"))


def result_paths(result: Result) -> ResultPaths:
    """A result is the state of a tool part."""
    whole = ("parts", result.part)
    return ResultPaths((*whole, "state"), (*whole, "callID"), (*whole, "tool"))


def block_path(record: Record, part: int) -> tuple[str | int, ...]:
    """A part."""
    return ("parts", part)


def content_path(record: Record) -> tuple[str | int, ...]:
    """The parts."""
    return ("parts",)


def text_block(record: Record, part: int, text: str) -> dict[str, Any]:
    """Build a text part."""
    return {"type": "text", "text": text}


def answer(document: Document, call: Call, after: Record, text: str) -> dict[str, Any]:
    """Build the state of a tool part that failed."""
    return {"status": "error", "error": text}


def user_note(document: Document, before: Record, text: str) -> dict[str, Any]:
    """Build a user message."""
    return {"info": {"role": "user"}, "parts": [text_block(before, 0, text)]}
