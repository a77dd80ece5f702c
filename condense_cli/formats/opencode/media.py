"""Images and files of a message, and the note that takes the place of one.

A file is a part of its own, or it is attached to the output of a tool, where nothing but files may be.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from condense_cli.formats.media import media_of
from condense_cli.jsonbytes import jsonedit, jsonread, jsonspan
from condense_cli.model.medium import Medium

if TYPE_CHECKING:
    from condense_cli.jsonbytes.jsonspan import Path

_OF_THE_ROW = ("id", "sessionID", "messageID", "row")  # they say which row the part is


def media_of_parts(parts: list[dict[str, Any]]) -> Iterator[Medium]:
    """Yield the images and files of a message: its own parts, and what its tools gave back beside their text."""
    yield from media_of(parts)
    for n, part in enumerate(parts):
        state = part.get("state")
        attached = state.get("attachments") if isinstance(state, dict) else None
        for medium in media_of(attached, in_result=True):
            yield medium._replace(path=(n, "state", "attachments", *medium.path))


def note_instead(raw: bytes, path: Path, text: str) -> bytes:
    """Put a text part in the place of a file part; an attached file is taken out, and the output ends with the note."""
    if "attachments" in path:
        output = (*path[: path.index("attachments")], "output")
        said = _value(raw, output)
        words = f"{said}\n{text}" if isinstance(said, str) and said else text
        return jsonedit.replace(jsonedit.remove(raw, path), output, words)
    part = _value(raw, path)
    own = {key: part[key] for key in _OF_THE_ROW if key in part} if isinstance(part, dict) else {}
    return jsonedit.replace(raw, path, {**own, "type": "text", "text": text})


def _value(raw: bytes, path: Path) -> Any:
    place = jsonspan.span(raw, path)
    return None if place is None else jsonread.loads(raw[place[0] : place[1]])
