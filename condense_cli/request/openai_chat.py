"""The pieces of a thread in the words of OpenAI Chat Completions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.jsonbytes import jsonedit
from condense_cli.model.blocks import ANSWER
from condense_cli.request.media import OF_RESULTS, document_of, image_of
from condense_cli.request.names import legal_ids, legal_name, object_of
from condense_cli.request.target import Target

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.document.views import Block
    from condense_cli.model.messages import Call
    from condense_cli.request.declared import Tool
    from condense_cli.request.gather import Gathered, Piece

LONGEST_ID = 40
Json = dict[str, Any]


def write(gathered: Gathered) -> Json:
    """Return `{"messages", "tools"?}`: system texts first, results right after their calls, images by users only."""
    ids = legal_ids(gathered.pieces, LONGEST_ID)
    messages: list[Json] = []
    if gathered.system:
        messages.append({"role": "system", "content": "\n\n".join(gathered.system)})
    for piece in gathered.pieces:
        messages.extend(_assistant(piece, ids, gathered) if piece.assistant else _user(piece.blocks, gathered))
    tools = [{"type": "function", "function": _tool(tool)} for tool in gathered.tools]
    return {"messages": messages, **({"tools": tools} if tools else {})}


def _tool(tool: Tool) -> Json:
    said = {"description": tool.description} if tool.description else {}
    return {"name": tool.name, **said, "parameters": tool.schema}


def _user(blocks: Sequence[Block], gathered: Gathered, lead: str = "") -> Iterator[Json]:
    parts: list[Json] = [{"type": "text", "text": lead}] if lead else []
    for block in blocks:
        if block.kind == "text" and block.text.strip():
            parts.append({"type": "text", "text": block.text})
        elif block.kind == "image":
            parts.append(_image(block, gathered))
        elif block.kind == "document":
            parts.append(_document(block, gathered))
    if all(part["type"] == "text" for part in parts):
        if parts:
            yield {"role": "user", "content": "\n".join(part["text"] for part in parts)}
    else:
        yield {"role": "user", "content": parts}


def _image(block: Block, gathered: Gathered) -> Json:
    image = image_of(block)
    if image.note:
        gathered.left_out["image"] += 1
        return {"type": "text", "text": image.note}
    return {"type": "image_url", "image_url": {"url": image.url or f"data:{image.media_type};base64,{image.data}"}}


def _document(block: Block, gathered: Gathered) -> Json:
    found = document_of(block)
    if found.note or not found.data:
        gathered.left_out["document"] += bool(found.note)
        return {"type": "text", "text": found.note or found.text}
    held = {"filename": found.name or "document.pdf", "file_data": f"data:{found.media_type};base64,{found.data}"}
    return {"type": "file", "file": held}


def _assistant(piece: Piece, ids: dict[Call, str], gathered: Gathered) -> Iterator[Json]:
    text = "\n".join(block.text for block in piece.blocks if block.kind == "text" and block.text.strip())
    if piece.calls:
        calls = [_call(ids[call], block) for call, block in piece.calls]
        yield {"role": "assistant", "content": text or None, "tool_calls": calls}
    elif text:
        yield {"role": "assistant", "content": text}
    images: list[Block] = []
    for call, block in piece.results:
        yield {"role": "tool", "tool_call_id": ids[call], "content": block.text}
        images += (one for one in block.inner if one.kind in ("image", "document"))
        gathered.left_out["mark of a failed result"] += block.error and block.text != ANSWER
        gathered.left_out["part of a result"] += sum(one.kind == "other" for one in block.inner)
    if images:
        # A tool message holds text; after the whole run they separate no result from its call.
        yield from _user(images, gathered, OF_RESULTS)


def _call(ident: str, block: Block) -> Json:
    arguments = jsonedit.dump(object_of(block.arguments)).decode()
    return {"id": ident, "type": "function", "function": {"name": legal_name(block.name), "arguments": arguments}}


TARGET = Target("openai-chat", "openai-chat", write, spoken="openai-completions")
