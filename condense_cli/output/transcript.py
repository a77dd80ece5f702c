"""A transcript for people: one block per message, whole texts, nothing that could steer a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.jsonbytes.javascript import is_number, iso, string, stringify
from condense_cli.output.plain import one_line, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from condense_cli.output.placed import Placed

Span = tuple[str, str]
Line = tuple[Span, ...]

_STYLES = {
    "user": "bold green",
    "assistant": "bold cyan",
    "toolResult": "bold yellow",
    "tool": "bold yellow",
    "system": "bold magenta",
}
_TEXTS = ("text", "thinking", "summary", "output", "refusal")


def transcript(messages: Iterable[Placed]) -> Iterator[Line]:
    """Yield the lines of a transcript, each as spans of text and style."""
    for number, (_, message) in enumerate(messages, 1):
        if number > 1:
            yield ()
        yield from message_lines(number, message)


def message_lines(number: int, message: Any) -> Iterator[Line]:
    """Yield the head of a message, its number from 1, and the lines of its text."""
    yield _head(number, message)
    yield from _stored_error(message)
    for line, style in text_lines(message):
        yield ((f"  {line}" if line else "", style),)


def text_lines(message: Any) -> Iterator[Span]:
    """Yield the lines of a message's text alone."""
    for text, style in _body(message):
        for line in visible(text).split("\n"):
            yield line, style


def _stored_error(message: Any) -> Iterator[Line]:
    """Yield the error that the client stored with the message."""
    for value in (_inner(message), message if isinstance(message, dict) else {}):
        text = value.get("errorMessage")
        if isinstance(text, str) and text:
            yield ((f"  error: {one_line(text)}", "bold red"),)
            return


def plain_lines(lines: Iterable[Line]) -> Iterator[bytes]:
    """Write lines without colour."""
    for line in lines:
        yield "".join(text for text, _ in line).encode("utf-8", "replace") + b"\n"


def role_of(message: Any) -> str:
    """Return the role of a message, or the type of a record that has none."""
    inner = _inner(message)
    return string(inner.get("role", inner.get("type", "entry")))


def _head(number: int, message: Any) -> Line:
    inner = _inner(message)
    role = role_of(message)
    facts = [f"[{number}]", role]
    names = [
        inner.get("toolName"),
        inner.get("name"),
        inner.get("customType"),
        inner.get("toolCallId"),
        inner.get("tool_call_id"),
    ]
    facts.extend(string(name) for name in names if isinstance(name, str) and name)
    if inner.get("isError") is True:
        facts.append("ERROR")
    if isinstance(inner.get("stopReason"), str) and inner["stopReason"] in ("error", "aborted"):
        facts.append(inner["stopReason"])
    facts.extend(_time(inner.get("timestamp")))
    return ((one_line(" ".join(facts)), _STYLES.get(role, "bold")),)


def _time(time: Any) -> list[str]:
    if isinstance(time, str):
        return [time]
    try:
        return [iso(time)] if is_number(time) else []
    except ValueError:
        return [string(time)]


def _inner(message: Any) -> dict[str, Any]:
    if not isinstance(message, dict):
        return {"type": "value", "content": message}
    # A stored entry carries its message inside.
    nested = message.get("message", message.get("payload"))
    return nested if isinstance(nested, dict) else message


def _body(message: Any) -> Iterator[Span]:
    inner = _inner(message)
    content = inner.get("content")
    if isinstance(content, str):
        yield content, ""
    elif isinstance(content, list):
        for block in content:
            yield from _block(block)
    elif content is not None:
        yield string(content) if not isinstance(content, dict) else _json(content), ""
    if isinstance(inner.get("command"), str):
        yield f"$ {inner['command']}", ""
    for name in _TEXTS:
        if isinstance(inner.get(name), str):
            yield inner[name], ""
    calls = inner.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():
        yield f"-> {_json(call)}", "yellow"
    if content is None and not any(isinstance(inner.get(name), str) for name in (*_TEXTS, "command")) and not calls:
        rest = {
            key: value for key, value in inner.items() if key not in ("type", "role", "timestamp", "id", "parentId")
        }
        yield _json(rest), "dim"


def _block(block: Any) -> Iterator[Span]:
    if not isinstance(block, dict):
        yield string(block), ""
        return
    kind = block.get("type")
    if kind in ("toolCall", "tool_use", "toolUse", "functionCall", "function_call"):
        arguments = block.get("arguments", block.get("input", {}))
        yield f"-> {string(block.get('name', '?'))} {string(block.get('id', ''))} {_json(arguments)}", "yellow"
    elif kind == "thinking":
        yield f"(thinking) {string(block.get('thinking', ''))}", "dim"
    elif kind == "image":
        yield f"(image {string(block.get('mimeType', block.get('media_type', '')))})", "dim"
    elif isinstance(block.get("text"), str):
        yield block["text"], ""
    elif kind == "tool_result":
        yield f"<- {string(block.get('tool_use_id', ''))}", "yellow"
        yield from _body({"content": block.get("content", "")})
    else:
        yield _json(block), "dim"


def _json(value: Any) -> str:
    return stringify(value).decode()
