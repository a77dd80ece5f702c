"""Values that formats and their readers exchange: the head of a file, threads as views, turns with their texts,
paths.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.document.model_in_use import ModelInUse
from condense_cli.model.messages import Message, Record, Role

if TYPE_CHECKING:
    from condense_cli.jsonbytes.jsonspan import Path


class Head(NamedTuple):
    """The beginning of a file, for detection: its path, first bytes, and up to 20 parsed records or lists of them."""

    path: str
    raw: bytes
    records: tuple[dict[str, Any], ...]
    document: Any = None  # the whole value when the file is one JSON document
    fault: tuple[int, str] | None = None  # where it looks like one and is none: the line, and why
    lists: tuple[list[Any], ...] = ()  # the values of the first lines where each is an array


class Tree(NamedTuple):
    """How a tree format links its records: key of the own id, key of the parent, and fields that name other records."""

    id: str
    parent: str
    references: tuple[Path, ...] = ()


class View(NamedTuple):
    """One thread as the client reads it: its records root to leaf, and its messages after compaction and edits.

    beside: records off the path that the client reads with it, such as results of parallel calls.
    """

    path: Sequence[Record]
    messages: Sequence[Message]
    model_in_use: ModelInUse = ModelInUse()
    leaf: Record | None = None
    beside: Sequence[Record] = ()


class Block(NamedTuple):
    """One part of a turn with its text, for showing and for building requests.

    kind: text, thinking, call, result, image, document, other. arguments of a call are a JSON value; inner holds the
    parts of a result; data of an image or document is base64, or url names it; the text of a document or of another
    part is what its format calls it. signature: of thinking, or of what a model did after thinking.
    """

    kind: str
    text: str = ""
    id: str | None = None
    name: str | None = None
    arguments: Any = None
    error: bool = False
    inner: tuple[Block, ...] = ()
    media_type: str = ""
    data: str = ""
    url: str = ""
    signature: str = ""
    record: Record | None = None  # where a turn is spread over several records, the one it is in


class Turn(NamedTuple):
    """A message of a thread with its content, loaded when it is shown."""

    record: Record
    role: Role
    blocks: tuple[Block, ...]
    skipped: bool = False


class CallPaths(NamedTuple):
    """Paths inside the record: the whole call, its id, its name, its arguments; text says arguments are a string."""

    whole: Path
    id: Path
    name: Path
    arguments: Path
    text: bool = False


class ResultPaths(NamedTuple):
    """Paths inside the record: the whole result (the record itself: empty), its id, and its tool name or None."""

    whole: Path
    id: Path
    name: Path | None = None


class Compacts(Enum):
    """How `compact` writes sessions of a format."""

    NONE = ""
    APPEND = "append"  # entries of pi-condense are appended, in a copy or in place
    REWRITE = "rewrite"  # a new file, with a message in the place of each range
