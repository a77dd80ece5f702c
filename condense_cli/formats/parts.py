"""Parts of Gemini's content (`text`, `functionCall`, `functionResponse`, `inlineData`), as several clients keep
them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from condense_cli.document.views import Block
from condense_cli.formats.files import document
from condense_cli.jsonbytes import jsonedit
from condense_cli.model.blocks import image_fault, is_placeholder, words
from condense_cli.model.messages import Call, Flaw, Record, Result

KINDS = frozenset({
    "text", "functionCall", "functionResponse", "inlineData", "fileData", "executableCode", "codeExecutionResult",
})  # fmt: skip
SNAKE = {
    "function_call": "functionCall", "function_response": "functionResponse",
    "inline_data": "inlineData", "file_data": "fileData", "thought_signature": "thoughtSignature",
    "executable_code": "executableCode", "code_execution_result": "codeExecutionResult",
}  # fmt: skip
"""How Python's client writes the keys of a part."""
_SENT_AS_THEY_ARE = frozenset({"image/heic", "image/heif"})  # images that this provider takes, and others do not


class Parts(NamedTuple):
    """What the parts of one message say. said: there is text, thought or media beside the halves."""

    calls: tuple[Call, ...]
    results: tuple[Result, ...]
    flaws: tuple[Flaw, ...]
    said: bool
    blank: bool  # it says only white space


def is_snake(part: Any) -> bool:
    """Say whether the half in a part, or its data, is under a key as Python's client writes it."""
    return isinstance(part, dict) and any(part.get(key) is not None for key in SNAKE)


def camel(part: Any) -> Any:
    """Return a part with its keys as the API writes them."""
    if not isinstance(part, dict) or SNAKE.keys().isdisjoint(part):
        return part
    found = {SNAKE.get(key, key): value for key, value in part.items() if key not in SNAKE or value is not None}
    inline = found.get("inlineData")
    if isinstance(inline, dict) and "mime_type" in inline:
        found["inlineData"] = {**inline, "mimeType": inline["mime_type"]}
    return found


def is_understood(part: Any) -> bool:
    """Say whether a part is one of Gemini's: text or one of the kinds."""
    return isinstance(part, str) or (isinstance(part, dict) and not KINDS.isdisjoint(part))


def read_parts(record: Record, parts: list[Any]) -> Parts:
    """Read the halves and flaws of a message's parts; part numbers count from 0.

    Parts of another kind only count as said.
    """
    calls: list[Call] = []
    results: list[Result] = []
    flaws: list[Flaw] = []
    said = spoken = False
    for n, part in enumerate(parts):
        if not isinstance(part, dict):
            said = spoken = True
            continue
        asked, answered = part.get("functionCall"), part.get("functionResponse")
        if isinstance(asked, dict):
            calls.append(Call(record, n, _text(asked.get("id")), _text(asked.get("name"))))
            if not isinstance(asked.get("args"), dict):
                flaws.append(
                    Flaw("invalid-arguments" if "args" in asked else "missing-arguments", "", n, "", calls[-1].id)
                )
        elif isinstance(answered, dict):
            results.append(Result(record, n, _text(answered.get("id")), is_placeholder(response_text(answered))))
        else:
            said = True
            spoken = spoken or not isinstance(part.get("text"), str) or bool(part["text"].strip())
            flaws += _flaws(n, part)
    return Parts(tuple(calls), tuple(results), tuple(flaws), said, said and not spoken)


def _flaws(n: int, part: dict[str, Any]) -> Iterator[Flaw]:
    text, inline = part.get("text"), part.get("inlineData")
    if isinstance(text, str) and not text.strip() and not part.get("thought"):
        yield Flaw("blank-text", "white" if text else "empty", n)
    if isinstance(inline, dict):
        kind = inline.get("mimeType")
        if isinstance(kind, str) and kind.startswith("image/") and kind not in _SENT_AS_THEY_ARE:
            fault = image_fault(kind, inline.get("data"))
            if fault:
                yield Flaw("invalid-image", "", n, fault)


def blocks_of(parts: list[Any]) -> tuple[Block, ...]:
    """Load parts to be shown or sent."""
    return tuple(_block(part) for part in parts)


def _block(part: Any) -> Block:  # noqa: PLR0911 - one answer for each kind
    if isinstance(part, str):
        return Block("text", part)
    if not isinstance(part, dict):
        return Block("other", type(part).__name__)
    asked, answered, inline = part.get("functionCall"), part.get("functionResponse"), part.get("inlineData")
    if isinstance(asked, dict):
        ident, name = _text(asked.get("id")), _text(asked.get("name"))
        return Block("call", id=ident, name=name, arguments=asked.get("args"), signature=_signature(part))
    if isinstance(answered, dict):
        response = answered.get("response")
        text = response_text(answered) or (jsonedit.dump(response).decode() if response else "")
        error = isinstance(response, dict) and "error" in response
        name = _text(answered.get("name"))
        return Block(
            "result", text, _text(answered.get("id")), name, error=error, inner=(Block("text", text),) if text else ()
        )
    if isinstance(inline, dict):
        return inline_block(inline)
    if isinstance(part.get("text"), str):
        return Block("thinking" if part.get("thought") is True else "text", part["text"], signature=_signature(part))
    return Block("other", next(iter(part), ""))


def _signature(part: dict[str, Any]) -> str:
    return words(part.get("thoughtSignature"))


def inline_block(inline: dict[str, Any]) -> Block:
    """Load what is inside a part as data: a document, or an image."""
    kind, data = words(inline.get("mimeType")), words(inline.get("data"))
    if kind == "application/pdf" or kind.startswith("text/"):
        return document("inlineData", kind, data, name=inline.get("displayName"))
    return Block("image", media_type=kind, data=data)


def response_text(answered: dict[str, Any]) -> str:
    """Return the output or error of a function response, else ""."""
    response = answered.get("response")
    said = response.get("error", response.get("output")) if isinstance(response, dict) else response
    return said if isinstance(said, str) else ""


def _text(value: Any) -> str | None:
    return value if type(value) is str else None
