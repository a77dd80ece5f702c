"""What a result of the AI SDK says, and messages loaded to be shown or sent."""

from __future__ import annotations

from typing import Any

from condense_cli.document.views import Block
from condense_cli.formats.files import document
from condense_cli.jsonbytes import jsonedit
from condense_cli.model.blocks import words


def text_of(part: dict[str, Any]) -> str:
    """Return the text of a result: a text as it is, parts of text joined, any other value as JSON."""
    output = part.get("output", part.get("result"))
    value = output.get("value", output.get("reason")) if isinstance(output, dict) and "type" in output else output
    if isinstance(value, list) and isinstance(output, dict) and output.get("type") == "content":
        return "\n".join(words(one.get("text")) for one in value if isinstance(one, dict) and one.get("type") == "text")
    return said(value)


def said(value: Any) -> str:
    """Return a value as a text."""
    return value if isinstance(value, str) else "" if value is None else jsonedit.dump(value).decode()


def is_error(part: dict[str, Any]) -> bool:
    """Say whether a result is an error."""
    output = part.get("output")
    kind = words(output.get("type")) if isinstance(output, dict) else ""
    return kind.startswith("error") or kind == "execution-denied" or part.get("isError") is True


def block_of(part: dict[str, Any], *, call: bool, result: bool) -> Block:
    """Load one part; call and result say whether it is a half of a tool use that counts."""
    kind = words(part.get("type"))
    ident, name = part.get("toolCallId"), part.get("toolName")
    ident, name = (one if isinstance(one, str) else None for one in (ident, name))
    if call:
        return Block("call", id=ident, name=name, arguments=part.get("input", part.get("args")))
    if result:
        text = text_of(part)
        return Block("result", text, ident, name, error=is_error(part), inner=(Block("text", text),) if text else ())
    if kind == "text":
        return Block("text", words(part.get("text")))
    if kind == "reasoning":
        return Block("thinking", words(part.get("text")))
    return _medium(part) if kind in ("image", "file") else Block("other", kind)


def _medium(part: dict[str, Any]) -> Block:
    """Load an image: a URL, a data URL, or base64; another file is none."""
    kind = words(part.get("mediaType", part.get("mimeType")))
    held = part.get("image", part.get("data", part.get("url")))
    if not isinstance(held, str):
        return Block("other", words(part.get("type")))
    if part.get("type") == "file" and not kind.startswith("image/"):
        return _file(kind, held, part.get("filename"))
    head, comma, data = held.partition(",")
    if comma and head.startswith("data:"):
        return Block("image", media_type=head[5:].split(";", 1)[0], data=data)
    if held.startswith(("http://", "https://")):
        return Block("image", media_type=kind, url=held)
    return Block("image", media_type=kind or "image/png", data=held)


def _file(kind: str, held: str, name: Any) -> Block:
    if kind != "application/pdf" and not kind.startswith("text/"):
        return Block("other", "file")
    web = held.startswith(("http://", "https://"))
    return document("file", kind, "" if web else held, url=held if web else "", name=name)
