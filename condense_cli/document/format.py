"""What a session format is: a module with these members. Registry and order: formats/__init__.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from condense_cli.errors import UsageError
from condense_cli.model.messages import Call, Message, Record, Result, Role

if TYPE_CHECKING:
    from condense_cli.document.document import Document
    from condense_cli.jsonbytes.jsonspan import Path


class Head(NamedTuple):
    """The beginning of a file, for detection: its path, first bytes, and up to 20 parsed records."""

    path: str
    raw: bytes
    records: tuple[dict[str, Any], ...]
    document: Any = None  # the whole value when the file is one JSON document
    fault: tuple[int, str] | None = None  # where it looks like one and is none: the line, and why


class Tree(NamedTuple):
    """How a tree format links its records: key of the own id, key of the parent, and fields that name other records."""

    id: str
    parent: str
    references: tuple[Path, ...] = ()


class Writer(NamedTuple):
    """The model that the thread uses now: it decides what several rules cost."""

    api: str = ""
    provider: str = ""
    model: str = ""

    @property
    def anthropic(self) -> bool:
        """Say whether requests go to Anthropic itself."""
        return self.provider == "anthropic"

    @property
    def speaks_anthropic(self) -> bool:
        """Say whether requests are Anthropic messages, there or at Bedrock."""
        return self.api in ("anthropic-messages", "bedrock-converse-stream") or self.provider in ("anthropic", "amazon-bedrock")


class View(NamedTuple):
    """One thread as the client reads it: its records root to leaf, and its messages after compaction and edits.

    beside: records off the path that the client reads with it, such as results of parallel calls.
    """

    path: Sequence[Record]
    messages: Sequence[Message]
    writer: Writer = Writer()
    leaf: Record | None = None
    beside: Sequence[Record] = ()


class Block(NamedTuple):
    """One part of a turn with its text, for showing and for building requests.

    kind: text, thinking, call, result, image, other. arguments of a call are a JSON value; inner holds the parts
    of a result; data of an image is base64, or url names it; signature belongs to thinking.
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


class Format(Protocol):
    """A session format. `pi.py` is the fullest example; CONTRIBUTING.md explains each member."""

    NAME: str
    CONTRACT: str  # the contract that its own client (or API) stands for
    TREE: Tree | None
    SHARED_RESULTS: bool  # all results of a turn stand in one message
    CONVERSATIONS: bool  # a line may hold a whole conversation
    ONE_HEADER: bool  # a second header is a fault
    HEADERS: frozenset[str]  # kinds of record that are headers; empty: none is needed

    def detect(self, head: Head) -> bool:
        """Say whether this is a file of this format."""

    def is_record(self, value: dict[str, Any]) -> bool:
        """Say whether an object found inside a damaged line is a whole record of this format."""

    def read(self, record: Record, value: dict[str, Any]) -> None:
        """Set the record's kind, id, parent, message and extra from its value. Called once per record: be quick."""

    def views(self, document: Document, leaf: str | None, every: bool) -> Iterator[View]:
        """Yield the active thread, or all of them; raise UsageError for a leaf that is not there."""

    def threads(self, document: Document) -> int:
        """Return the number of leaves."""

    def turn(self, document: Document, message: Message) -> Turn:
        """Load a message of a view with its texts, calls, results and images."""

    def version(self, document: Document) -> str | None:
        """Return the client's version where the file says it."""

    def is_linear(self, document: Document) -> bool:
        """Say whether this file has no tree although the format has one."""

    def array_path(self, value: Any) -> Path:
        """Say where the array of messages stands in a file that is one JSON document."""

    def parents(self, document: Document) -> dict[str, Record | None]:
        """Name parents that are no entry ids but known all the same: None is a root, a record is who is meant."""

    def same_owner(self, record: Record, other: Record) -> bool:
        """Say whether two records belong to the same session and agent, so that one may hang on the other."""

    def find(self, document: Document, wanted: Callable[[str], bool]) -> None:
        """Find and mend what only this format can have wrong on the tree layer."""

    # ---- repair
    def header(self, document: Document) -> dict[str, Any] | None:
        """Build a header for a file that has none, or return None."""

    def call_paths(self, call: Call) -> CallPaths:
        """Say where a call and its parts stand in its record."""

    def result_paths(self, result: Result) -> ResultPaths:
        """Say where a result and its parts stand in its record."""

    def block_path(self, record: Record, part: int) -> Path:
        """Say where a content block stands in its record."""

    def content_path(self, record: Record) -> Path:
        """Say where the content of a message stands in its record."""

    def text_block(self, record: Record, part: int, text: str) -> dict[str, Any]:
        """Build a block that says a text, of the kind that belongs at this place."""

    def unlink(self, document: Document, gone: Record, heir: Record | None) -> list[Record]:
        """Mend references to a record that goes (heir: the next one on the thread); return records that go with it."""

    def keep_leaf(self, document: Document, leaf: Record) -> dict[str, Any] | None:
        """Build what must be appended so that `leaf` stays the end of the thread, or return None."""

    def answer(self, document: Document, call: Call, after: Record, text: str) -> dict[str, Any]:
        """Build the record that answers a call with a marked error; ids and times derive from the call."""

    def user_note(self, document: Document, before: Record, text: str) -> dict[str, Any]:
        """Build a marked user message that goes in front of a record."""


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


def unknown_leaf(document: Document, leaf: str, what: str, listed: str) -> UsageError:
    """Return the error for a leaf that no record is; what: one of them, listed: how `render` calls all of them."""
    return UsageError(f"{document.path}: no {what} has the id {leaf}", f"`condense render --view stored` lists the {listed}")
