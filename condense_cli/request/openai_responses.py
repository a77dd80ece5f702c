"""The pieces of a thread as items of the Responses API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.jsonbytes import jsonedit
from condense_cli.model.blocks import ANSWER
from condense_cli.request.media import document_of, image_of
from condense_cli.request.names import legal_ids, legal_name, object_of
from condense_cli.request.target import Target, Thinking

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from condense_cli.document.views import Block
    from condense_cli.model.messages import Call
    from condense_cli.request.gather import Gathered, Piece

LONGEST_ID = 64
Json = dict[str, Any]


def write(gathered: Gathered) -> Json:
    """Return `{"instructions"?, "input", "tools"?, "store"?}`: items without ids of their own, each output after its
    call. Reasoning goes back encrypted, which asks for a request that is not stored.
    """
    ids = legal_ids(gathered.pieces, LONGEST_ID)
    items: list[Json] = []
    for piece in gathered.pieces:
        if piece.assistant:
            items += _told(_assistant(piece, ids), gathered)
            items += _results(piece, ids, gathered)
        else:
            content = list(_parts(piece.blocks, gathered))
            items += [{"type": "message", "role": "user", "content": content}] if content else []
    request: Json = {"instructions": "\n\n".join(gathered.system)} if gathered.system else {}
    request["input"] = items
    if gathered.tools:
        # Strict, which is the default, takes no schema that was not written for it.
        request["tools"] = [
            {
                "type": "function",
                "name": tool.name,
                **({"description": tool.description} if tool.description else {}),
                "parameters": tool.schema,
                "strict": False,
            }
            for tool in gathered.tools
        ]
    if any(item["type"] == "reasoning" for item in items):
        request["store"] = False
    return request


def _assistant(piece: Piece, ids: dict[Call, str]) -> Iterator[Json]:
    calls = {id(asked.block): asked.call for asked in piece.calls}
    for block in piece.blocks:
        if id(block) in calls:
            arguments = jsonedit.dump(object_of(block.arguments)).decode()
            ident, name = ids[calls[id(block)]], legal_name(block.name)
            yield {"type": "function_call", "call_id": ident, "name": name, "arguments": arguments}
        elif block.kind == "text" and block.text.strip():
            content = [{"type": "output_text", "text": block.text}]
            yield {"type": "message", "role": "assistant", "content": content}
        elif block.kind == "thinking":
            summary = [{"type": "summary_text", "text": block.text}] if block.text else []
            yield {"type": "reasoning", "summary": summary, "encrypted_content": block.signature}


def _told(items: Iterable[Json], gathered: Gathered) -> list[Json]:
    """Return items without reasoning that no item of its turn follows, and without what cannot be decrypted."""
    found: list[Json] = []
    for item in items:
        if item["type"] == "reasoning" and not item["encrypted_content"]:
            gathered.left_out["thinking"] += 1
        else:
            found.append(item)
    while found and found[-1]["type"] == "reasoning":
        found.pop()
        gathered.left_out["thinking"] += 1
    return found


def _results(piece: Piece, ids: dict[Call, str], gathered: Gathered) -> Iterator[Json]:
    for call, block in piece.results:
        media = any(one.kind in ("image", "document") for one in block.inner)
        output = list(_parts(block.inner, gathered)) if media else block.text
        gathered.left_out["mark of a failed result"] += block.error and block.text != ANSWER
        gathered.left_out["part of a result"] += sum(one.kind == "other" for one in block.inner)
        yield {"type": "function_call_output", "call_id": ids[call], "output": output}


def _parts(blocks: Iterable[Block], gathered: Gathered) -> Iterator[Json]:
    for block in blocks:
        if block.kind == "text" and block.text.strip():
            yield {"type": "input_text", "text": block.text}
        elif block.kind == "image":
            yield _image(block, gathered)
        elif block.kind == "document":
            yield _document(block, gathered)


def _image(block: Block, gathered: Gathered) -> Json:
    image = image_of(block)
    if image.note:
        gathered.left_out["image"] += 1
        return {"type": "input_text", "text": image.note}
    return {"type": "input_image", "image_url": image.url or f"data:{image.media_type};base64,{image.data}"}


def _document(block: Block, gathered: Gathered) -> Json:
    found = document_of(block, urls=True)
    if found.note or not (found.data or found.url):
        gathered.left_out["document"] += bool(found.note)
        return {"type": "input_text", "text": found.note or found.text}
    if found.url:
        return {"type": "input_file", "file_url": found.url}
    name = found.name or "document.pdf"
    return {"type": "input_file", "filename": name, "file_data": f"data:{found.media_type};base64,{found.data}"}


TARGET = Target(
    "openai-responses",
    "openai-responses",
    write,
    "input",
    spoken="openai-responses",
    keeps="openai",
    thinking=Thinking.EACH,
)
