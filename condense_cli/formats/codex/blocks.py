"""An item of a Codex history with its texts, for showing and for building requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.document.views import Block
from condense_cli.formats.codex.items import SEARCH_NAME, SHELL_NAME
from condense_cli.formats.files import openai_file
from condense_cli.jsonbytes import jsonedit, jsonread
from condense_cli.model.blocks import words

if TYPE_CHECKING:
    from collections.abc import Iterator


def blocks_of(payload: dict[str, Any]) -> Iterator[Block]:
    """Yield the blocks of one item."""
    kind = words(payload.get("type", "message"))
    if kind == "message":
        yield from _content(payload.get("content"))
    elif kind == "reasoning":
        texts = (_texts(payload.get("summary")), _texts(payload.get("content")))
        yield Block("thinking", "\n".join(filter(None, texts)), signature=words(payload.get("encrypted_content")))
    elif kind == "function_call":
        yield Block(
            "call",
            id=payload.get("call_id"),
            name=payload.get("name"),
            arguments=jsonread.of_text(payload.get("arguments")),
        )
    elif kind == "custom_tool_call":
        said = payload["input"] if "input" in payload else jsonread.of_text(payload.get("arguments"))
        yield Block(
            "call",
            id=payload.get("call_id"),
            name=payload.get("name"),
            arguments=said if isinstance(said, dict) else {"input": said},
        )
    elif kind == "local_shell_call":
        yield Block(
            "call", id=payload.get("call_id", payload.get("id")), name=SHELL_NAME, arguments=payload.get("action")
        )
    elif kind == "tool_search_call" and payload.get("execution") != "server":
        yield Block("call", id=payload.get("call_id"), name=SEARCH_NAME, arguments=payload.get("arguments"))
    elif kind == "tool_search_output" and payload.get("execution") != "server":
        yield Block("result", _json(payload.get("tools")), payload.get("call_id"))
    elif kind in ("function_call_output", "custom_tool_call_output"):
        yield _output(payload)
    else:
        yield Block("other", kind)


def _output(payload: dict[str, Any]) -> Block:
    output = payload.get("output")
    failed = isinstance(output, dict) and output.get("success") is False
    inner = tuple(_content(output.get("content") if isinstance(output, dict) else output))
    return Block(
        "result",
        "\n".join(b.text for b in inner if b.kind == "text"),
        payload.get("call_id"),
        error=failed,
        inner=inner,
    )


def _content(content: Any) -> Iterator[Block]:
    if isinstance(content, str):
        yield Block("text", content)
    for part in content if isinstance(content, list) else ():
        if not isinstance(part, dict):
            continue
        if isinstance(part.get("text"), str):
            yield Block("text", part["text"])
        elif isinstance(part.get("refusal"), str):
            yield Block("text", part["refusal"])
        elif part.get("type") == "input_image":
            yield _image(part.get("image_url"))
        elif part.get("type") == "input_file":
            yield openai_file(part)
        else:
            yield Block("other", words(part.get("type")))


def _image(url: Any) -> Block:
    url = url.get("url") if isinstance(url, dict) else url
    if not isinstance(url, str):
        return Block("image")
    head, comma, data = url.partition(",")
    if comma and head[:5].lower() == "data:" and head.lower().endswith(";base64"):
        return Block("image", media_type=head[5:].split(";", 1)[0], data=data)
    return Block("image", url=url)


def _texts(parts: Any) -> str:
    if isinstance(parts, str):
        return parts
    return "\n".join(
        part["text"]
        for part in (parts if isinstance(parts, list) else ())
        if isinstance(part, dict) and isinstance(part.get("text"), str)
    )


def _json(value: Any) -> str:
    return jsonedit.dump(value).decode()
