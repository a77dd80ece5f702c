"""The content of a message of an export, loaded to be shown or sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.document.views import Block, Turn
from condense_cli.formats.files import document
from condense_cli.formats.opencode.reading import RUNNING, text_of
from condense_cli.model.blocks import words
from condense_cli.model.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense_cli.document.records import Records


def turn(document: Records, message: Message) -> Turn:
    """Load one message with its texts, thoughts, files, calls and results."""
    parts = document.value(message.record).get("parts")
    blocks = tuple(
        block
        for part in (parts if isinstance(parts, list) else ())
        if isinstance(part, dict)
        for block in _blocks(part)
    )
    return Turn(message.record, message.role, blocks, message.skipped)


def _blocks(part: dict[str, Any]) -> Iterator[Block]:
    kind = part.get("type")
    if kind == "text":
        if not part.get("ignored"):
            yield Block("text", words(part.get("text")))
    elif kind == "reasoning":
        yield Block("thinking", words(part.get("text")))
    elif kind == "file":
        yield _file(part)
    elif kind == "tool":
        state = part.get("state")
        state = state if isinstance(state, dict) else {}
        ident, name, status = text_of(part.get("callID")), text_of(part.get("tool")), text_of(state.get("status"))
        yield Block("call", id=ident, name=name, arguments=state.get("input"))
        said = state.get("output" if status == "completed" else "error")
        if status not in RUNNING and isinstance(said, str):
            attached = state.get("attachments")
            files = tuple(
                _file(file) for file in (attached if isinstance(attached, list) else ()) if isinstance(file, dict)
            )
            yield Block("result", said, ident, name, error=status == "error", inner=(Block("text", said), *files))
    elif kind in ("agent", "subtask", "compaction", "patch", "retry", "snapshot"):
        yield Block("other", kind)


def _file(part: dict[str, Any]) -> Block:
    url, kind = words(part.get("url")), words(part.get("mime"))
    name, comma, data = url.partition(",")
    if kind == "application/pdf":
        web = url.startswith(("http://", "https://"))
        return document(kind, kind, "" if web else url, url=url if web else "", name=part.get("filename"))
    if not kind.startswith("image/"):
        return Block("other", kind or "file")
    return (
        Block("image", media_type=kind, data=data)
        if comma and name.startswith("data:")
        else Block("image", media_type=kind, url=url)
    )
