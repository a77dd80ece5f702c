"""What one line, or one element of the list, says."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.formats.gemini.detection import is_head
from condense_cli.formats.gemini.places import Placed, family_of, text_of
from condense_cli.formats.media import image_flaws, media_of
from condense_cli.model.blocks import is_placeholder, words
from condense_cli.model.messages import Call, Flaw, Message, Record, Result, Role, TurnResult

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense_cli.jsonbytes.jsonspan import Path


KINDS = frozenset({"user", "gemini", "info", "warning", "error", "session", "$set", "$rewindTo"})
_NOT_SENT = ("/", "?", "<session_context>", "<hook_context>")
_SHOWN_AS_NAME = frozenset({
    "videoMetadata", "thought", "codeExecutionResult", "executableCode", "fileData", "functionCall", "functionResponse",
    "inlineData",
})  # fmt: skip


class Listed(NamedTuple):
    """One message, by itself on a line or in the list of a `$set`: its id, and where in its record it is."""

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
        _read_list(record, value["$set"].get("messages"), ("$set", "messages"))
    elif "$rewindTo" in value:
        record.kind = "$rewindTo"
        record.extra = text_of(value["$rewindTo"])
    elif is_head(value):
        record.kind = "session"
        if value.get("messages"):
            _read_list(record, value["messages"], ("messages",))
    else:
        kind = value.get("type")
        record.kind = kind if isinstance(kind, str) and kind else "?"
        record.id = text_of(value.get("id"))
        record.message = _message(record, value, ())


def _read_list(record: Record, listed: Any, where: Path) -> None:
    """Read the messages of a list; the client passes over those without an id."""
    if not isinstance(listed, list):
        return
    found: list[Listed] = []
    done = 0  # parts are counted through the record
    for n, value in enumerate(listed):
        if isinstance(value, dict) and isinstance(value.get("id"), str):
            place: Path = (*where, n)
            read_one = _message(record, value, place)
            if read_one is not None:
                # What is wrong with its contents has no place of its own.
                calls = tuple(replace(call, part=call.part + done) for call in read_one.calls)
                results = tuple(replace(result, part=result.part + done) for result in read_one.results)
                read_one = replace(read_one, calls=calls, results=results, flaws=())
                done = max((half.part + 1 for half in read_one.halves), default=done)
            found.append(Listed(value["id"], read_one, record, place))
    record.extra = tuple(found)
    sent = [one.message for one in found if one.message is not None]
    record.message = Message(
        record, Role.ASSISTANT, tuple(c for m in sent for c in m.calls), tuple(r for m in sent for r in m.results)
    )


def _message(record: Record, value: dict[str, Any], place: Path) -> Message | None:
    """Read a message; what the client does not send is None."""
    content = value.get("content")
    if value.get("type") == "user":
        return _of_user(record, content, place)
    if value.get("type") != "gemini":
        return None
    tools = value.get("toolCalls")
    tools = [tool if isinstance(tool, dict) else {} for tool in tools] if isinstance(tools, list) else []
    calls, results, flaws = _halves(record, content, tools, place)
    # Thoughts are sent along, so they make a turn, too.
    other = any(
        isinstance(p, dict) and (p.get("thought") or not p.keys() & {"text", "functionCall"}) for p in parts_of(content)
    )
    spoken = bool(_said(content) or other or value.get("thoughts"))
    if not calls and not results and not spoken:
        return None
    shown = media_of(content)
    wrong = (*flaws, *_content_flaws(content), *image_flaws(shown))
    return Placed(record, Role.ASSISTANT, calls, results, spoken, False, wrong, False, shown, place)


def _of_user(record: Record, content: Any, place: Path) -> Message | None:
    heard = "".join(_heard(part) for part in (content if isinstance(content, list) else [content])).strip()
    if not heard or heard.startswith(_NOT_SENT):
        return None
    answers = [(n, part["functionResponse"]) for n, part in enumerate(parts_of(content)) if is_response(part)]
    whole = () if isinstance(content, list) else (*place, "content")
    results = tuple(
        TurnResult(
            record,
            n,
            text_of(said.get("id")),
            is_placeholder(answer_text(said)),
            place=whole or (*place, "content", n),
        )
        for n, said in answers
    )
    shown = media_of(content)
    flaws = (*_content_flaws(content), *image_flaws(shown))
    said = not results or any(not is_response(part) and _heard(part).strip() for part in parts_of(content))
    return Placed(record, Role.USER, (), results, said, False, flaws, False, shown, place)


def is_response(part: Any) -> bool:
    """Say whether a part of a content is the result of a call."""
    return isinstance(part, dict) and isinstance(part.get("functionResponse"), dict)


def _heard(part: Any) -> str:
    """Return what the client sees of a part of a user message when it decides whether to send it."""
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        return ""
    return "[]" if part.keys() & _SHOWN_AS_NAME else words(part.get("text"))


def _halves(
    record: Record, content: Any, tools: list[dict[str, Any]], place: Path
) -> tuple[tuple[Call, ...], tuple[Result, ...], list[Flaw]]:
    """Read calls and results. Calls that stand in the content are the truth; else each tool call is one."""
    asked = [
        (n, part["functionCall"])
        for n, part in enumerate(parts_of(content))
        if isinstance(part, dict) and isinstance(part.get("functionCall"), dict)
    ]
    # A thought in the content makes the client take the content alone for what was said, calls too.
    whole = any(isinstance(part, dict) and part.get("thought") for part in parts_of(content))
    free = list(range(len(tools)))
    calls: list[Call] = []
    results: list[Result] = []
    flaws: list[Flaw] = []
    family: dict[int, str] = {}
    if not asked and not whole:
        asked = list(enumerate(tools))
        for n in free:
            family[n] = family_of((*place, "toolCalls", n), (*place, "toolCalls", n))
            calls.append(_call(record, n, tools[n], family[n], flaws))
    else:
        for k, (n, said) in enumerate(asked):
            ident = text_of(said.get("id"))
            same = next(
                (m for m in free if ident and tools[m].get("id") == ident), free[0] if free and not ident else None
            )
            own: Path = (*place, "content", n) if isinstance(content, list) else (*place, "content")
            kept: Path = (*place, "toolCalls", same) if same is not None else ()
            if same is not None:
                free.remove(same)
                family[same] = family_of(own, kept)
                ident = ident or text_of(tools[same].get("id"))
            calls.append(_call(record, k, {**said, "id": ident}, family_of(own, kept), flaws))
    for n, tool in enumerate(tools):
        if is_answered(tool.get("result")):
            made_up = is_placeholder(answer_text(tool["result"]))
            place_of = family.get(n) or family_of((), (*place, "toolCalls", n))
            results.append(Result(record, n, text_of(tool.get("id")), made_up, family=place_of))
    return tuple(calls), tuple(results), flaws


def _call(record: Record, part: int, said: dict[str, Any], family: str, flaws: list[Flaw]) -> Call:
    call = Call(record, part, text_of(said.get("id")), text_of(said.get("name")), family=family)
    if not isinstance(said.get("args"), dict):
        flaws.append(Flaw("invalid-arguments" if "args" in said else "missing-arguments", "", part, "", call.id))
    return call


def is_answered(result: Any) -> bool:
    """Say whether a result becomes a response: a list without one is as good as none."""
    if isinstance(result, list):
        return any(isinstance(part, dict) and "functionResponse" in part for part in result)
    return bool(result)


def answer_text(result: Any) -> str:
    """Return the error or output of a result that is no more than that, else ""."""
    part = result[0] if isinstance(result, list) and len(result) == 1 else result
    response = part.get("functionResponse", part) if isinstance(part, dict) else part
    response = response.get("response", response) if isinstance(response, dict) else response
    said = response.get("error", response.get("output")) if isinstance(response, dict) else response
    return said if isinstance(said, str) else ""


def parts_of(content: Any) -> list[Any]:
    """Return the parts of a content."""
    return content if isinstance(content, list) else [content] if isinstance(content, dict) else []


def _said(content: Any) -> str:
    """Return the texts of a content, thoughts left out, without white space around them."""
    if isinstance(content, str):
        return content.strip()
    return "".join(
        p if isinstance(p, str) else words(p.get("text"))
        for p in parts_of(content)
        if isinstance(p, (str, dict)) and not (isinstance(p, dict) and p.get("thought"))
    ).strip()


def _content_flaws(content: Any) -> Iterator[Flaw]:
    for n, part in enumerate(content if isinstance(content, list) else []):
        if not isinstance(part, dict):
            continue
        text = part.get("text")
        if isinstance(text, str) and not text.strip() and not part.get("thought"):
            yield Flaw("blank-text", "white" if text else "empty", n)
