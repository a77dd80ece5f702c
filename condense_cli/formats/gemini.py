"""Gemini CLI sessions: one JSON document with `messages`, or JSONL in which later lines replace earlier messages.

A call and its result stand in one tool call of one message, so both halves carry, as their family, the place
where that is: ids are ignored by the provider and do not decide. A line that repeats a message's id takes that
message's place; `$set` may replace the whole list, and `$rewindTo` cuts its end off.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.document.format import Block, CallPaths, ResultPaths, Turn, View, unknown_leaf
from condense_cli.document.records import Shape
from condense_cli.formats import messages
from condense_cli.jsonbytes import jsonedit, jsonread, jsonspan
from condense_cli.model.blocks import ANSWER, USER_NOTE, image_fault, is_placeholder, words
from condense_cli.model.messages import Call, Flaw, Message, Record, Result, Role
from condense_cli.model.plan import Change, Edit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense_cli.document.document import Document
    from condense_cli.document.format import Head, Tree
    from condense_cli.jsonbytes.jsonspan import Path
    from condense_cli.model.findings import Finding
    from condense_cli.repair.halves import Context

NAME = "gemini"
CONTRACT = "gemini"
SHARED_RESULTS = True
CONVERSATIONS = False
TREE: Tree | None = None
HEADERS, ONE_HEADER = messages.HEADERS, messages.ONE_HEADER
is_linear, parents, same_owner, find = messages.is_linear, messages.parents, messages.same_owner, messages.find
header, unlink, keep_leaf, version = messages.header, messages.unlink, messages.keep_leaf, messages.version

_TYPES = frozenset({"user", "gemini", "info", "warning", "error"})
_NOT_SENT = ("/", "?", "<session_context>", "<hook_context>")
_SENT_AS_THEY_ARE = frozenset({"image/heic", "image/heif"})  # images that this provider takes, and others do not


# ---------------------------------------------------------------------- detection
def detect(head: Head) -> bool:
    """An object with the session's id and its project's hash; or lines that only this client writes."""
    if isinstance(head.document, dict):
        return _is_head(head.document) and isinstance(head.document.get("messages"), list)
    return any(_is_head(value) or _is_event(value) or (value.get("type") == "gemini" and is_record(value)) for value in head.records)


def _is_head(value: dict[str, Any]) -> bool:
    return isinstance(value.get("sessionId"), str) and isinstance(value.get("projectHash"), str)


def _is_event(value: dict[str, Any]) -> bool:
    return isinstance(value.get("$set"), dict) or isinstance(value.get("$rewindTo"), str)


def is_record(value: dict[str, Any]) -> bool:
    """The session's own object, an event, or a message."""
    return _is_head(value) or _is_event(value) or (_text(value.get("type")) in _TYPES and isinstance(value.get("id"), str) and "content" in value)


# ---------------------------------------------------------------------- reading
class Listed(NamedTuple):
    """One message, by itself on a line or in the list of a `$set`: its id, and where in its record it stands."""

    id: str | None
    message: Message | None
    record: Record
    place: Path = ()
    origin: Record | None = None  # the line that first had this id: it decides the place among the messages
    nth: int = 0  # of the list that the origin holds


def read(record: Record, value: dict[str, Any]) -> None:
    """Read one line, or one element of the document's list."""
    record.id = record.parent = record.message = record.extra = None
    if isinstance(value.get("$set"), dict):
        record.kind = "$set"
        listed = value["$set"].get("messages")
        if isinstance(listed, list):
            _read_list(record, listed)
    elif "$rewindTo" in value:
        record.kind = "$rewindTo"
        record.extra = _text(value["$rewindTo"])
    elif _is_head(value):
        record.kind = "session"
    else:
        kind = value.get("type")
        record.kind = kind if isinstance(kind, str) and kind else "?"
        record.id = _text(value.get("id"))
        record.message = _message(record, value, ())


def _read_list(record: Record, listed: list[Any]) -> None:
    found: list[Listed] = []
    for n, value in enumerate(listed):
        if isinstance(value, dict):
            place: Path = ("$set", "messages", n)
            read_one = _message(record, value, place)
            if read_one is not None:
                # Parts are counted through the record, and what is wrong with its contents has no place of its own.
                done = sum(len(one.message.calls) for one in found if one.message is not None)
                calls = tuple(replace(call, part=call.part + done) for call in read_one.calls)
                results = tuple(replace(result, part=result.part + done) for result in read_one.results)
                read_one = replace(read_one, calls=calls, results=results, flaws=())
            found.append(Listed(_text(value.get("id")), read_one, record, place))
    record.extra = tuple(found)
    sent = [one.message for one in found if one.message is not None]
    record.message = Message(record, Role.ASSISTANT, tuple(c for m in sent for c in m.calls), tuple(r for m in sent for r in m.results))


def _message(record: Record, value: dict[str, Any], place: Path) -> Message | None:
    """Read a message; what the client does not send is None."""
    content = value.get("content")
    if value.get("type") == "user":
        said = _said(content)
        media = any(isinstance(part, dict) and "text" not in part for part in _parts(content))
        if (not said and not media) or said.startswith(_NOT_SENT):
            return None
        return Message(record, Role.USER, flaws=tuple(_content_flaws(content)))
    if value.get("type") != "gemini":
        return None
    tools = value.get("toolCalls")
    tools = [tool if isinstance(tool, dict) else {} for tool in tools] if isinstance(tools, list) else []
    calls, results, flaws = _halves(record, content, tools, place)
    # Thoughts are sent along, so they make a turn, too.
    other = any(isinstance(p, dict) and (p.get("thought") or not p.keys() & {"text", "functionCall"}) for p in _parts(content))
    spoken = bool(_said(content) or other or value.get("thoughts"))
    if not calls and not results and not spoken:
        return None
    return Message(record, Role.ASSISTANT, calls, results, spoken, False, (*flaws, *_content_flaws(content)))


def _halves(record: Record, content: Any, tools: list[dict[str, Any]], place: Path) -> tuple[tuple[Call, ...], tuple[Result, ...], list[Flaw]]:
    """Read calls and results. Calls that stand in the content are the truth; else each tool call is one."""
    asked = [(n, part["functionCall"]) for n, part in enumerate(_parts(content)) if isinstance(part, dict) and isinstance(part.get("functionCall"), dict)]
    free = list(range(len(tools)))
    calls: list[Call] = []
    results: list[Result] = []
    flaws: list[Flaw] = []
    family: dict[int, str] = {}
    if not asked:
        asked = list(enumerate(tools))
        for n in free:
            family[n] = _family((*place, "toolCalls", n), (*place, "toolCalls", n))
            calls.append(_call(record, n, tools[n], family[n], flaws))
    else:
        for k, (n, said) in enumerate(asked):
            ident = _text(said.get("id"))
            same = next((m for m in free if ident and tools[m].get("id") == ident), free[0] if free and not ident else None)
            own: Path = (*place, "content", n) if isinstance(content, list) else (*place, "content")
            kept: Path = (*place, "toolCalls", same) if same is not None else ()
            if same is not None:
                free.remove(same)
                family[same] = _family(own, kept)
                ident = ident or _text(tools[same].get("id"))
            calls.append(_call(record, k, {**said, "id": ident}, _family(own, kept), flaws))
    for n, tool in enumerate(tools):
        if _is_answered(tool.get("result")):
            made_up = is_placeholder(_answer_text(tool["result"]))
            place_of = family.get(n) or _family((), (*place, "toolCalls", n))
            results.append(Result(record, n, _text(tool.get("id")), made_up, family=place_of))
    return tuple(calls), tuple(results), flaws


def _call(record: Record, part: int, said: dict[str, Any], family: str, flaws: list[Flaw]) -> Call:
    call = Call(record, part, _text(said.get("id")), _text(said.get("name")), family=family)
    if not isinstance(said.get("args"), dict):
        flaws.append(Flaw("invalid-arguments" if "args" in said else "missing-arguments", "", part, "", call.id))
    return call


def _family(call: Path, tool: Path) -> str:
    return "/".join(map(str, call)) + "+" + "/".join(map(str, tool))


def _paths(family: str) -> tuple[Path, Path]:
    """Return where the call stands, and the tool call that holds its result; either may be empty."""
    call, _, tool = family.partition("+")
    return _path(call), _path(tool)


def _path(text: str) -> Path:
    return tuple(int(step) if step.isdecimal() else step for step in text.split("/")) if text else ()


def _is_answered(result: Any) -> bool:
    """Say whether a result becomes a response: a list without one is as good as none."""
    if isinstance(result, list):
        return any(isinstance(part, dict) and "functionResponse" in part for part in result)
    return bool(result)


def _answer_text(result: Any) -> str:
    """Return the error or output of a result that is no more than that, else ""."""
    part = result[0] if isinstance(result, list) and len(result) == 1 else result
    response = part.get("functionResponse", part) if isinstance(part, dict) else part
    response = response.get("response", response) if isinstance(response, dict) else response
    said = response.get("error", response.get("output")) if isinstance(response, dict) else response
    return said if isinstance(said, str) else ""


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _parts(content: Any) -> list[Any]:
    return content if isinstance(content, list) else [content] if isinstance(content, dict) else []


def _said(content: Any) -> str:
    """Return the texts of a content, thoughts left out, without white space around them."""
    if isinstance(content, str):
        return content.strip()
    return "".join(p if isinstance(p, str) else words(p.get("text")) for p in _parts(content) if isinstance(p, (str, dict)) and not (isinstance(p, dict) and p.get("thought"))).strip()


def _content_flaws(content: Any) -> Iterator[Flaw]:
    for n, part in enumerate(content if isinstance(content, list) else []):
        if not isinstance(part, dict):
            continue
        text, inline = part.get("text"), part.get("inlineData")
        if isinstance(text, str) and not text.strip() and not part.get("thought"):
            yield Flaw("blank-text", "white" if text else "empty", n)
        if isinstance(inline, dict):
            kind = inline.get("mimeType")
            if isinstance(kind, str) and kind.startswith("image/") and kind not in _SENT_AS_THEY_ARE:
                fault = image_fault(kind, inline.get("data"))
                if fault:
                    yield Flaw("invalid-image", "", n, fault)


# ---------------------------------------------------------------------- threads
def listed(document: Document) -> list[Listed]:
    """Return the messages as the client has them after the last line, in their order."""
    found: dict[object, Listed] = {}
    for number, record in enumerate(document.readable()):
        if record.kind == "$set":
            if record.extra is not None:
                found = {one.id if one.id is not None else (number, n): one._replace(origin=record, nth=n) for n, one in enumerate(record.extra)}
        elif record.kind == "$rewindTo":
            keys = list(found)
            for key in keys[keys.index(record.extra) if record.extra in found else 0 :]:
                del found[key]
        elif record.kind in _TYPES:
            key = record.id if record.id is not None and document.shape is Shape.LINES else (number,)
            before = found.get(key)
            found[key] = Listed(record.id, record.message, record, (), *((before.origin, before.nth) if before else (record, 0)))
    return list(found.values())


def views(document: Document, leaf: str | None = None, every: bool = False) -> Iterator[View]:
    """Yield the one thread; a leaf ends it there."""
    found = listed(document)
    if leaf is not None:
        end = next((n for n, one in enumerate(found) if one.id == leaf), None)
        if end is None:
            raise unknown_leaf(document, leaf, "message", "records")
        found = found[: end + 1]
    path = list(dict.fromkeys(one.record for one in found))
    yield View(path, [one.message for one in found if one.message is not None], leaf=path[-1] if path else None)


def threads(document: Document) -> int:
    """Every session is one thread."""
    return 1


def array_path(value: Any) -> tuple[str | int, ...]:
    """The list of messages of a whole-file session."""
    return ("messages",)


def turn(document: Document, message: Message) -> Turn:
    """Load one message: thoughts, content, and each tool call with its result."""
    value = document.value(message.record)
    for step in getattr(message, "place", ()):
        value = value[step]
    content = value.get("content")
    thoughts, tools = (value.get(key) for key in ("thoughts", "toolCalls"))
    blocks = [Block("thinking", _thought(t)) for t in _parts(thoughts) if isinstance(t, dict)]
    blocks += [Block("text", content)] if isinstance(content, str) and content else [_block(part) for part in _parts(content)]
    tools = [tool for tool in tools if isinstance(tool, dict)] if isinstance(tools, list) else []
    if not any(block.kind == "call" for block in blocks):
        blocks += [Block("call", id=_text(t.get("id")), name=_text(t.get("name")), arguments=t.get("args")) for t in tools]
    blocks += [_result(tool) for tool in tools if _is_answered(tool.get("result"))]
    return Turn(message.record, message.role, tuple(blocks))


def _thought(thought: dict[str, Any]) -> str:
    return ": ".join(filter(None, (words(thought.get(key)) for key in ("subject", "description"))))


def _block(part: Any) -> Block:
    if isinstance(part, str):
        return Block("text", part)
    if not isinstance(part, dict):
        return Block("other", type(part).__name__)
    asked, inline = part.get("functionCall"), part.get("inlineData")
    if isinstance(asked, dict):
        return Block("call", id=_text(asked.get("id")), name=_text(asked.get("name")), arguments=asked.get("args"))
    if isinstance(inline, dict):
        return Block("image", media_type=words(inline.get("mimeType")), data=words(inline.get("data")))
    if isinstance(part.get("text"), str):
        return Block("thinking" if part.get("thought") is True else "text", part["text"])
    return Block("other", next(iter(part), ""))


def _result(tool: dict[str, Any]) -> Block:
    result = tool["result"]
    inner = tuple(Block("text", _answer_text(part)) for part in (result if isinstance(result, list) else [result]) if _answer_text(part))
    text = "\n".join(block.text for block in inner)
    return Block("result", text, _text(tool.get("id")), _text(tool.get("name")), error=tool.get("status") == "error", inner=inner)


# ---------------------------------------------------------------------- repair
def call_paths(call: Call) -> CallPaths:
    """A call is a tool call of the message, or a part of its content."""
    whole, _ = _paths(call.family)
    inside: Path = (*whole, "functionCall") if "content" in whole else whole
    return CallPaths(whole, (*inside, "id"), (*inside, "name"), (*inside, "args"))


def result_paths(result: Result) -> ResultPaths:
    """A result stands in a tool call, which also has its id; the response repeats the tool's name."""
    _, tool = _paths(result.family)
    return ResultPaths(tool, (*tool, "id"), (*tool, "result", 0, "functionResponse", "name"))


def block_path(record: Record, part: int) -> tuple[str | int, ...]:
    """A part of the content."""
    return ("content", part)


def content_path(record: Record) -> tuple[str | int, ...]:
    """The content."""
    return ("content",)


def text_block(record: Record, part: int, text: str) -> dict[str, Any]:
    """Build a text part."""
    return {"text": text}


def answer(document: Document, call: Call, after: Record, text: str) -> dict[str, Any]:
    """Build the response that stands in for a result; `add_answer` puts it where it belongs."""
    named = {"id": call.id} if call.id else {}
    return {"functionResponse": {**named, "name": call.name or "unknown_tool", "response": {"error": text}}}


def user_note(document: Document, before: Record, text: str) -> dict[str, Any]:
    """Build a user message in front of another one, with an id that derives from it."""
    from condense_cli.model.ids import fresh_id

    old = document.value(before)
    taken: set[str | None] = {record.id for record in document.records}
    ident = fresh_id(before.id or "note", f"note {before.id}".encode(), taken)
    return {"id": ident, "timestamp": old.get("timestamp", "1970-01-01T00:00:00.000Z"), "type": "user", "content": [{"text": text}]}


def add_first_user(context: Context, finding: Finding) -> bool:
    """Put a user note in front of the line, or into the list, that decides where the first message stands."""
    document = context.document
    first = next((one for one in listed(document) if one.message is not None and one.record is finding.record), None)
    if first is None or first.origin is None or (first.origin is finding.record and first.origin.kind != "$set"):
        return False
    value = user_note(document, finding.record, USER_NOTE)
    if first.origin.kind == "$set":
        raw = jsonedit.insert(document.raw(first.origin), ("$set", "messages"), first.nth, value)
        document.rewrite(first.origin, raw, finding.rule, Change.INSERT)
    else:
        context.surgery.insert_before(value, first.origin, finding.rule)
    return True


def add_answer(context: Context, call: Call, cycle: int, rule: str) -> bool:
    """Write a marked error into each tool call of the message that lacks a result; of a line the message is appended again."""
    mine = _of_one_message(context, call, rule)
    if call is mine[-1]:
        document = context.document
        raw = _raw(document, call)
        for one in mine:
            raw = _answered(raw, one, answer(document, one, call.record, ANSWER), _depth(one))
        _put(document, mine, raw, rule)
    return True


def _answered(raw: bytes, call: Call, response: dict[str, Any], depth: int) -> bytes:
    _, tool = _paths(call.family)
    if tool:
        return jsonedit.replace(raw, (*tool[depth:], "result"), [response])
    # The call stands in the content only: the tool call that goes with it is added.
    asked = {key: value for key, value in (("id", call.id), ("name", call.name or "unknown_tool")) if value}
    made = {**asked, "args": {}, "status": "error", "result": [response]}
    if jsonspan.span(raw, ("toolCalls",)):
        return jsonedit.insert(raw, ("toolCalls",), 1 << 30, made)
    return jsonedit.replace(raw, ("toolCalls",), [made])


def drop_call(context: Context, call: Call, rule: str) -> bool:
    """Take tool calls out of their message, with what the content says of them."""
    mine = sorted(_of_one_message(context, call, rule), key=lambda one: -one.part)
    if call is mine[-1]:
        raw = _raw(context.document, call)
        for one in mine:
            for path in dict.fromkeys(_paths(one.family)):
                if path:
                    raw = jsonedit.remove(raw, path[_depth(one) :])
        _put(context.document, mine, raw, rule)
    return True


def drop_result(context: Context, result: Result, rule: str) -> bool:
    """Take the result of a tool call that no call in the content goes with."""
    _, tool = _paths(result.family)
    document, record = context.document, result.record
    document.rewrite(record, jsonedit.remove(document.raw(record), (*tool, "result")), rule, Change.STRIP, part=result.part, call_id=result.id)
    return True


def move_result(context: Context, result: Result, anchor: Record, call: Call | None, rule: str) -> bool:
    """Nothing can be displaced: a result stands in its tool call."""
    return True


def follow_rename(document: Document, call: Call, result: Result | None, new: str, rule: str) -> None:
    """Let the response repeat the new id of its call."""
    if result is None:
        return
    path = (*_paths(result.family)[1], "result", 0, "functionResponse", "id")
    raw = document.raw(result.record)
    if jsonspan.span(raw, path):
        document.rewrite(result.record, jsonedit.replace(raw, path, new), rule, Change.REPLACE, part=result.part, call_id=result.id)


def _of_one_message(context: Context, call: Call, rule: str) -> list[Call]:
    """Return the calls of the same message that this rule is to mend: they are mended at once, with the last of them."""
    place = _place(call)
    return [f.call for f in context.faults(rule) if f.call is not None and f.call.record is call.record and _place(f.call) == place]


def _place(call: Call) -> Path:
    return _paths(call.family)[0][: _depth(call)]


def _depth(call: Call) -> int:
    return 3 if call.family.startswith("$set/") else 0


def _raw(document: Document, call: Call) -> bytes:
    """Return the bytes of the message that a call stands in, without a line ending."""
    raw = document.raw(call.record).strip()
    place = jsonspan.span(raw, _place(call))
    assert place is not None
    return raw[place[0] : place[1]]


def _put(document: Document, calls: list[Call], message: bytes, rule: str) -> None:
    """Write a changed message: as a new line with the same id, which takes its place, or where it stands."""
    record = calls[0].record
    value = jsonread.loads(message)
    if document.shape is Shape.LINES and record.end and isinstance(value.get("id"), str):
        last = document.records[-1]
        new = Record(last.line, 0, 0, message + document.newline)
        read(new, value)
        document.place(new, last)
        document.edits.extend(Edit(Change.INSERT, rule, record.line, target=last.line, part=c.part, call_id=c.id, detail="the message is appended again") for c in calls)
        return
    raw = document.raw(record)
    place = jsonspan.span(raw, _place(calls[0]), jsonspan.space_end(raw, 0))
    assert place is not None
    for call in calls[1:]:
        document.note(Change.REPLACE, rule, record, part=call.part, call_id=call.id)
    document.rewrite(record, raw[: place[0]] + message + raw[place[1] :], rule, Change.REPLACE, part=calls[0].part, call_id=calls[0].id)
