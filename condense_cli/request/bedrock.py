"""The pieces of a thread in the words of Bedrock Converse."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

from condense_cli.model.blocks import USER_NOTE, image_note
from condense_cli.model.media import PDF
from condense_cli.request.declared import nameless
from condense_cli.request.media import document_of, image_of
from condense_cli.request.names import legal_ids, legal_name, object_of
from condense_cli.request.target import Target, Thinking, merged

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from condense_cli.document.views import Block
    from condense_cli.model.messages import Call
    from condense_cli.request.gather import Gathered, Piece

LONGEST_ID = 64
NO_OUTPUT = "(no output)"
WITH_DOCUMENT = "[condense] A document without a text."
Json = dict[str, Any]
FORMATS = {
    PDF: "pdf",
    "text/csv": "csv",
    "text/html": "html",
    "text/markdown": "md",
    "application/msword": "doc",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
    "application/vnd.ms-excel": "xls",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
}


class _Writer:
    """Writes the blocks of one request; documents are numbered in it, as each needs a name of its own."""

    def __init__(self, gathered: Gathered) -> None:
        self.gathered = gathered
        self.ids: dict[Call, str] = legal_ids(gathered.pieces, LONGEST_ID)
        self._numbers = count(1)

    def assistant(self, piece: Piece) -> Iterator[Json]:
        """Yield what is said, then the calls: text after a call is refused by some."""
        calls = {id(asked.block): asked.call for asked in piece.calls}
        for block in piece.blocks:
            if block.kind == "text" and block.text.strip():
                yield {"text": block.text}
            elif block.kind == "thinking":
                yield {"reasoningContent": {"reasoningText": {"text": block.text, "signature": block.signature}}}
        for block in piece.blocks:
            if id(block) in calls:
                ident, name = self.ids[calls[id(block)]], legal_name(block.name)
                yield {"toolUse": {"toolUseId": ident, "name": name, "input": object_of(block.arguments)}}

    def results(self, piece: Piece) -> Iterator[Json]:
        """Yield the results of a turn; none is empty, and one that failed holds texts only."""
        after: list[Json] = []
        for call, block in piece.results:
            inner = list(self.content(block.inner or (block._replace(kind="text"),)))
            if block.error:
                after += (one for one in inner if "text" not in one)
                inner = [one for one in inner if "text" in one]
            if not inner:
                inner = [{"text": NO_OUTPUT}]
                self.gathered.made_up["note for an empty result"] += 1
            status = "error" if block.error else "success"
            yield {"toolResult": {"toolUseId": self.ids[call], "content": inner, "status": status}}
        yield from after

    def user(self, piece: Piece) -> Iterator[Json]:
        """Yield what a user says; a document does not go without a text."""
        found = list(self.content(piece.blocks))
        yield from found
        if any("document" in one for one in found) and not any("text" in one for one in found):
            self.gathered.made_up["text beside a document"] += 1
            yield {"text": WITH_DOCUMENT}

    def content(self, blocks: Iterable[Block]) -> Iterator[Json]:
        """Yield texts, images and documents."""
        for block in blocks:
            if block.kind == "text" and block.text.strip():
                yield {"text": block.text}
            elif block.kind == "image":
                yield self._image(block)
            elif block.kind == "document":
                yield self._document(block)
            elif block.kind == "other":
                self.gathered.left_out["part of a result"] += 1

    def _image(self, block: Block) -> Json:
        image = image_of(block)
        note = image.note or (
            image_note(image.media_type, "an address, which this API does not take") if image.url else ""
        )
        if note:
            self.gathered.left_out["image"] += 1
            return {"text": note}
        return {"image": {"format": image.media_type.removeprefix("image/"), "source": {"bytes": image.data}}}

    def _document(self, block: Block) -> Json:
        found = document_of(block, frozenset(FORMATS))
        if not found.data:
            self.gathered.left_out["document"] += bool(found.note)
            return {"text": found.note or found.text}
        # What a file is called could tell the model what to do, and not every character is taken.
        name = f"document-{next(self._numbers)}"
        return {"document": {"format": FORMATS[found.media_type], "name": name, "source": {"bytes": found.data}}}


def write(gathered: Gathered) -> Json:
    """Return `{"system"?, "messages", "toolConfig"?}`: roles alternate, a user begins, and results stand first."""
    writer = _Writer(gathered)
    given: list[tuple[str, list[Json]]] = []
    for piece in gathered.pieces:
        if piece.assistant:
            given.append(("assistant", list(writer.assistant(piece))))
            given.append(("user", list(writer.results(piece))))
        else:
            given.append(("user", list(writer.user(piece))))
    messages = merged(given)
    for role, content in messages:
        if role == "assistant" and "reasoningContent" in content[-1]:
            # An answer may not end in reasoning, and reasoning never goes back in part.
            gathered.left_out["thinking"] += sum("reasoningContent" in one for one in content)
            content[:] = [one for one in content if "reasoningContent" not in one]
    messages = merged(messages)
    if messages and messages[0][0] == "assistant":
        messages.insert(0, ("user", [{"text": USER_NOTE}]))
        gathered.made_up["user note at the beginning"] += 1
    if messages and messages[-1][0] == "assistant" and "text" in messages[-1][1][-1]:
        messages[-1][1][-1]["text"] = messages[-1][1][-1]["text"].rstrip()
    request: Json = {"system": [{"text": "\n\n".join(gathered.system)}]} if gathered.system else {}
    request["messages"] = [{"role": role, "content": content} for role, content in messages]
    return request | _tools(gathered)


def _tools(gathered: Gathered) -> Json:
    """Return the declarations of tools, without which no calls are taken: where the session has none, the names."""
    tools = gathered.tools
    called = [legal_name(block.name) for piece in gathered.pieces for _, block in piece.calls]
    if not tools and called:
        tools = nameless(called)
        gathered.made_up["declaration of a tool"] += len(tools)
    listed = [
        {
            "toolSpec": {
                "name": tool.name,
                **({"description": tool.description} if tool.description else {}),
                "inputSchema": {"json": tool.schema},
            }
        }
        for tool in tools
    ]
    return {"toolConfig": {"tools": listed}} if listed else {}


TARGET = Target(
    "bedrock",
    "bedrock",
    write,
    model="modelId",
    spoken="bedrock-converse-stream",
    keeps="anthropic",
    thinking=Thinking.WHOLE,
)
