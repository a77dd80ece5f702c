"""The pieces of a thread in the words of Anthropic Messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.model.blocks import USER_NOTE
from condense_cli.request.media import document_of, image_of
from condense_cli.request.names import legal_ids, legal_name, object_of
from condense_cli.request.target import Target, Thinking, merged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense_cli.document.views import Block
    from condense_cli.model.messages import Call
    from condense_cli.request.gather import Gathered, Piece

LONGEST_ID = 64
Json = dict[str, Any]


def write(gathered: Gathered) -> Json:
    """Return `{"system"?, "messages", "tools"?}`: roles alternate, a user begins, results stand first."""
    ids = legal_ids(gathered.pieces, LONGEST_ID)
    given: list[tuple[str, list[Json]]] = []
    for piece in gathered.pieces:
        if piece.assistant:
            given.append(("assistant", list(_assistant(piece, ids))))
            given.append(("user", list(_results(piece, ids, gathered))))
        else:
            given.append(("user", [b for block in piece.blocks for b in _content(block, gathered)]))
    messages = merged(given)
    for message in messages:
        # An answer may not end in thinking, and thinking never goes back in part.
        if message[0] == "assistant" and message[1][-1]["type"] == "thinking":
            thinking = [b for b in message[1] if b["type"] == "thinking"]
            gathered.left_out["thinking"] += len(thinking)
            message[1][:] = [b for b in message[1] if b["type"] != "thinking"]
    messages = merged(messages)
    if messages and messages[0][0] == "assistant":
        messages.insert(0, ("user", [{"type": "text", "text": USER_NOTE}]))
        gathered.made_up["user note at the beginning"] += 1
    if messages and messages[-1][0] == "assistant":
        _trim(messages[-1][1])
    request: Json = {"system": "\n\n".join(gathered.system)} if gathered.system else {}
    request["messages"] = [{"role": role, "content": content} for role, content in messages]
    if gathered.tools:
        request["tools"] = [
            {
                "name": tool.name,
                **({"description": tool.description} if tool.description else {}),
                "input_schema": tool.schema,
            }
            for tool in gathered.tools
        ]
    return request


def _assistant(piece: Piece, ids: dict[Call, str]) -> Iterator[Json]:
    """Yield what is said, then the calls: text after a call is refused by some."""
    calls = {id(asked.block): asked.call for asked in piece.calls}
    for block in piece.blocks:
        if block.kind == "text" and block.text.strip():
            yield {"type": "text", "text": block.text}
        elif block.kind == "thinking":
            yield {"type": "thinking", "thinking": block.text, "signature": block.signature}
    for block in piece.blocks:
        if id(block) in calls:
            call = calls[id(block)]
            yield {
                "type": "tool_use",
                "id": ids[call],
                "name": legal_name(block.name),
                "input": object_of(block.arguments),
            }


def _results(piece: Piece, ids: dict[Call, str], gathered: Gathered) -> Iterator[Json]:
    after: list[Json] = []
    for call, block in piece.results:
        inner = [b for one in block.inner for b in _content(one, gathered)]
        media = [b for b in inner if b["type"] != "text"]
        content: str | list[Json] = block.text if not media and len(inner) <= 1 else inner
        if block.error and media:
            # A failed result may hold text only.
            after += media
            content = [b for b in inner if b["type"] == "text"]
        result: Json = {"type": "tool_result", "tool_use_id": ids[call], "content": content}
        yield {**result, "is_error": True} if block.error else result
    yield from after


def _content(block: Block, gathered: Gathered) -> Iterator[Json]:
    if block.kind == "text":
        if block.text.strip():
            yield {"type": "text", "text": block.text}
    elif block.kind == "image":
        image = image_of(block)
        if image.note:
            gathered.left_out["image"] += 1
            yield {"type": "text", "text": image.note}
        elif image.url:
            yield {"type": "image", "source": {"type": "url", "url": image.url}}
        else:
            yield {"type": "image", "source": {"type": "base64", "media_type": image.media_type, "data": image.data}}
    elif block.kind == "document":
        yield _document(block, gathered)
    elif block.kind == "other":
        gathered.left_out["part of a result"] += 1


def _document(block: Block, gathered: Gathered) -> Json:
    found = document_of(block, urls=True)
    if found.note:
        gathered.left_out["document"] += 1
        return {"type": "text", "text": found.note}
    source: Json = {"type": "base64", "media_type": found.media_type, "data": found.data}
    if found.url:
        source = {"type": "url", "url": found.url}
    elif not found.data:
        source = {"type": "text", "media_type": "text/plain", "data": found.text}
    return {"type": "document", "source": source, **({"title": found.name} if found.name else {})}


def _trim(content: list[Json]) -> None:
    """The last answer may not end in white space."""
    if content[-1]["type"] == "text":
        content[-1]["text"] = content[-1]["text"].rstrip()


TARGET = Target(
    "anthropic", "anthropic", write, spoken="anthropic-messages", keeps="anthropic", thinking=Thinking.WHOLE
)
