"""The pieces of a thread in the words of Anthropic Messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.model.blocks import USER_NOTE
from condense_cli.request.gather import image_of, legal_ids, legal_name, object_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from condense_cli.document.views import Block
    from condense_cli.model.messages import Call
    from condense_cli.request.gather import Gathered, Piece

NAME = "anthropic"
LONGEST_ID = 64
KEEPS_THINKING = True
Json = dict[str, Any]


def write(gathered: Gathered) -> Json:
    """Return `{"system"?, "messages"}`: roles alternate, a user begins, and results stand first in their message."""
    ids = legal_ids(gathered.pieces, LONGEST_ID)
    given: list[tuple[str, list[Json]]] = []
    for piece in gathered.pieces:
        if piece.assistant:
            given.append(("assistant", list(_assistant(piece, ids))))
            given.append(("user", list(_results(piece, ids, gathered))))
        else:
            given.append(("user", [b for block in piece.blocks for b in _content(block, gathered)]))
    messages = _merged(given)
    for message in messages:
        # An answer may not end in thinking, and thinking never goes back in part.
        if message[0] == "assistant" and message[1][-1]["type"] == "thinking":
            thinking = [b for b in message[1] if b["type"] == "thinking"]
            gathered.left_out["thinking"] += len(thinking)
            message[1][:] = [b for b in message[1] if b["type"] != "thinking"]
    messages = _merged(messages)
    if messages and messages[0][0] == "assistant":
        messages.insert(0, ("user", [{"type": "text", "text": USER_NOTE}]))
        gathered.made_up["user note at the beginning"] += 1
    if messages and messages[-1][0] == "assistant":
        _trim(messages[-1][1])
    request: Json = {"system": "\n\n".join(gathered.system)} if gathered.system else {}
    return {**request, "messages": [{"role": role, "content": content} for role, content in messages]}


def _merged(given: Iterable[tuple[str, list[Json]]]) -> list[tuple[str, list[Json]]]:
    found: list[tuple[str, list[Json]]] = []
    for role, content in given:
        if not content:
            continue
        if found and found[-1][0] == role:
            found[-1][1].extend(content)
        else:
            found.append((role, content))
    return found


def _assistant(piece: Piece, ids: dict[Call, str]) -> Iterator[Json]:
    """Yield what is said, then the calls: text behind a call is refused by some."""
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
    behind: list[Json] = []
    for call, block in piece.results:
        inner = [b for one in block.inner for b in _content(one, gathered)]
        images = [b for b in inner if b["type"] == "image"]
        content: str | list[Json] = block.text if not images and len(inner) <= 1 else inner
        if block.error and images:
            # A failed result may hold text only.
            behind += images
            content = [b for b in inner if b["type"] == "text"]
        result: Json = {"type": "tool_result", "tool_use_id": ids[call], "content": content}
        yield {**result, "is_error": True} if block.error else result
    yield from behind


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
    elif block.kind == "other":
        gathered.left_out["part of a result"] += 1


def _trim(content: list[Json]) -> None:
    """The last answer may not end in white space."""
    if content[-1]["type"] == "text":
        content[-1]["text"] = content[-1]["text"].rstrip()
