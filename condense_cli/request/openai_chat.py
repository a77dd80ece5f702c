"""The pieces of a thread in the words of OpenAI Chat Completions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.jsonbytes import jsonedit
from condense_cli.model.blocks import ANSWER
from condense_cli.request.gather import image_of, legal_ids, legal_name, object_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.document.views import Block
    from condense_cli.model.messages import Call
    from condense_cli.request.gather import Gathered, Piece

NAME = "openai-chat"
LONGEST_ID = 40
KEEPS_THINKING = False
OF_RESULTS = "[condense] Images from the tool results above."
Json = dict[str, Any]


def write(gathered: Gathered) -> Json:
    """Return `{"messages"}`: system texts first, tool results right behind their calls, images in user messages
    only.
    """
    ids = legal_ids(gathered.pieces, LONGEST_ID)
    messages: list[Json] = []
    if gathered.system:
        messages.append({"role": "system", "content": "\n\n".join(gathered.system)})
    for piece in gathered.pieces:
        messages.extend(_assistant(piece, ids, gathered) if piece.assistant else _user(piece.blocks, gathered))
    return {"messages": messages}


def _user(blocks: Sequence[Block], gathered: Gathered, lead: str = "") -> Iterator[Json]:
    parts: list[Json] = [{"type": "text", "text": lead}] if lead else []
    for block in blocks:
        if block.kind == "text" and block.text.strip():
            parts.append({"type": "text", "text": block.text})
        elif block.kind == "image":
            parts.append(_image(block, gathered))
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


def _assistant(piece: Piece, ids: dict[Call, str], gathered: Gathered) -> Iterator[Json]:
    text = "\n".join(block.text for block in piece.blocks if block.kind == "text" and block.text.strip())
    gathered.left_out["image of the assistant"] += sum(block.kind == "image" for block in piece.blocks)
    if piece.calls:
        calls = [_call(ids[call], block) for call, block in piece.calls]
        yield {"role": "assistant", "content": text or None, "tool_calls": calls}
    elif text:
        yield {"role": "assistant", "content": text}
    images: list[Block] = []
    for call, block in piece.results:
        yield {"role": "tool", "tool_call_id": ids[call], "content": block.text}
        images += (one for one in block.inner if one.kind == "image")
        gathered.left_out["mark of a failed result"] += block.error and block.text != ANSWER
        gathered.left_out["part of a result"] += sum(one.kind == "other" for one in block.inner)
    if images:
        # A tool message holds text; behind the whole run they separate no result from its call.
        yield from _user(images, gathered, OF_RESULTS)


def _call(ident: str, block: Block) -> Json:
    arguments = jsonedit.dump(object_of(block.arguments)).decode()
    return {"id": ident, "type": "function", "function": {"name": legal_name(block.name), "arguments": arguments}}
