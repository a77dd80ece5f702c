"""The records of one session file with their bytes: what a format may ask of a file. It knows no format.

Records that nobody changed are a span of the source. Lines count from 1, positions in an array from 0.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Container, Hashable, Iterator
from enum import Enum
from operator import add
from typing import Any, NamedTuple, Protocol, Self, TypeVar

from condense_cli.jsonbytes import jsonread
from condense_cli.model.messages import Record

_WINDOW = 1 << 17  # bytes
_Derived = TypeVar("_Derived")
BLANK = "blank"
UNREADABLE = "unreadable"
UNKNOWN = "unknown message"  # kind of a record that is a message in a known format, in words that were not understood


class Shape(Enum):
    """How records stand in the file."""

    LINES = "lines"
    ARRAY = "array"  # the file is one JSON value: an array, or an object that holds one
    CONVERSATIONS = "conversations"  # JSONL of objects that hold an array of messages each


class Body(NamedTuple):
    """One array of messages: the span between its brackets, and its records in their old order."""

    start: int
    end: int
    line: int
    records: tuple[Record, ...]


class Torn(NamedTuple):
    """What comes after the last whole piece of a document that breaks off, and the brackets that close that piece."""

    rest: Record
    closing: bytes


class Passed(NamedTuple):
    """What is counted alone: conversations in which surely nothing is wrong, and messages whose facts are elsewhere."""

    conversations: int = 0
    messages: int = 0
    calls: int = 0
    results: int = 0

    def and_then(self, more: Passed) -> Passed:
        """Return the sums."""
        return Passed(*map(add, self, more))


Look = Callable[[bytes, Any], Passed | None]
"""Counts a conversation, given as the bytes of its line and their value, in which surely nothing is wrong."""


class Bytes(Protocol):
    """Where the bytes of a document come from."""

    size: int

    def read(self, start: int, end: int) -> bytes:
        """Return the bytes from start to end."""

    def lines(self) -> Iterator[bytes]:
        """Yield the lines with their endings."""

    def sha256(self) -> str:
        """Return the digest of all bytes."""


class Records:
    """The records of one file in order, with their bytes and values."""

    def __init__(self, path: str, source: Bytes, shape: Shape) -> None:
        self.path = path
        self.source = source
        self.shape = shape
        self.records: list[Record] = []
        self.bodies: tuple[Body, ...] = ()
        self.unread: tuple[Record, ...] = ()  # lines of a file of conversations that are no JSON: they are no records
        self.passed = Passed()
        self.newline = b"\n"
        self.added = 0  # how many records a draft has added
        self._derived: dict[Callable[[Any], Any], tuple[Hashable, Any]] = {}
        self._window = b""  # records that are asked for one after the other are neighbours in the file
        self._window_start = 0

    @property
    def conversations(self) -> int:
        """Return how many conversations are side by side in the file: 1 for a session, which may have many threads."""
        return max(1, len(self.bodies) + self.passed.conversations)

    def line_around(self, start: int, end: int) -> tuple[int, int]:
        """Return where the line begins and ends, without its newline, that holds the bytes from start to end."""
        first, at = 0, start
        while at > 0:
            found = self.source.read(max(0, at - _WINDOW), at).rfind(b"\n")
            at = max(0, at - _WINDOW)
            if found >= 0:
                first = at + found + 1
                break
        while end < self.source.size:
            found = self.source.read(end, end + _WINDOW).find(b"\n")
            if found >= 0:
                return first, end + found
            end += _WINDOW
        return first, self.source.size

    @property
    def revision(self) -> Hashable:
        """Return a value that is another one after every change of the records."""
        return len(self.records)

    def derived(self, make: Callable[[Self], _Derived], revision: Hashable = None) -> _Derived:
        """Return what `make` says of these records: made once, and again when the revision (default: of all) is
        another one.
        """
        now = self.revision if revision is None else revision
        known = self._derived.get(make)
        if known is None or known[0] != now:
            known = self._derived[make] = (now, make(self))
        found: _Derived = known[1]
        return found

    def raw(self, record: Record) -> bytes:
        """Return the record's bytes as they stand now, with its line ending."""
        if record.data is not None:
            return record.data
        at, end = record.start - self._window_start, record.end - self._window_start
        if at < 0 or end > len(self._window):
            self._window_start, at, end = record.start, 0, record.end - record.start
            self._window = self.source.read(record.start, max(record.end, record.start + _WINDOW))
        return self._window[at:end]

    def value(self, record: Record) -> Any:
        """Return the record's JSON value as it is now."""
        import orjson  # the rules are listed without it

        raw = self.raw(record)
        try:
            return orjson.loads(raw)
        except ValueError:
            return jsonread.loads(raw)

    def readable(self) -> Iterator[Record]:
        """Yield the records that hold a JSON object."""
        return (r for r in self.records if r.kind not in (BLANK, UNREADABLE))

    @property
    def taken(self) -> Container[str]:
        """Return the ids of records that are in use."""
        return self.derived(_ids)

    def unknown(self) -> list[Record]:
        """Return the messages that were not understood: nothing in their file is changed."""
        return [record for record in self.records if record.kind is UNKNOWN]

    def index(self, record: Record) -> int | None:
        """Return the message's number in its array from 0, or None in a file of lines."""
        if self.shape is Shape.LINES:
            return None
        at = bisect_right(self.bodies, record.start, key=lambda body: body.start) - 1
        if at >= 0:
            records = self.bodies[at].records
            n = bisect_left(records, record.start, key=lambda other: other.start)
            if n < len(records) and records[n] is record.as_read:
                return n
        return None

    def groups(self) -> list[list[Record]]:
        """Return the records of each array in their order now; a new record belongs where the one before it does."""
        owner = {record.start: b for b, body in enumerate(self.bodies) for record in body.records}
        found: list[list[Record]] = [[] for _ in self.bodies]
        current = 0
        for n, record in enumerate(self.records):
            if record.end:
                current = owner.get(record.start, current)
            elif n == 0 and len(self.records) > 1:
                current = owner.get(self.records[1].start, 0)
            if found:
                found[current].append(record)
        return found


def _ids(document: Records) -> frozenset[str]:
    return frozenset(record.id for record in document.records if record.id is not None)
