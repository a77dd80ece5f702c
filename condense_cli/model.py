"""The values that decisions are made on. No transcript text is kept in them.

A record is one entry of the file: a line of a JSONL file or an element of a JSON array. A half is
(record, part), never an id: real sessions use ids again.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, NamedTuple

from condense_cli.rules import Severity


class Role(StrEnum):
    """Who speaks, as pairing sees it."""

    USER = "user"
    ASSISTANT = "assistant"
    RESULT = "result"
    SYSTEM = "system"
    CUSTOM = "custom"  # injected by an extension: breaks a cycle, but is no user turn
    SUMMARY = "summary"


class Record:
    """One entry: where its bytes are, what it is called, and the facts that its format read from it.

    line counts from 1; start and end are byte offsets in the source; data is set when the bytes were
    changed or come from nowhere. id and parent are empty in formats without a tree. extra is the format's own.
    side says that the record stands beside the thread: appending it does not make it the leaf.
    """

    __slots__ = ("data", "end", "extra", "gone", "id", "kind", "line", "message", "parent", "side", "start")

    def __init__(self, line: int, start: int, end: int, data: bytes | None = None) -> None:
        self.line = line
        self.start = start
        self.end = end
        self.data = data
        self.kind = ""
        self.id: str | None = None
        self.parent: str | None = None
        self.message: Message | None = None
        self.extra: Any = None
        self.gone = False
        self.side = False


class Call(NamedTuple):
    """The asking half of a tool use. An id that is no string is None."""

    record: Record
    part: int
    id: str | None
    name: str | None
    server: bool = False  # runs at the provider: its result stands in the same assistant message
    family: str = ""  # formats with several call and result types pair only inside one family


class Result(NamedTuple):
    """The answering half of a tool use."""

    record: Record
    part: int
    id: str | None
    placeholder: bool = False  # known to be made up by some client
    server: bool = False
    family: str = ""


class Flaw(NamedTuple):
    """Something wrong inside one record, seen while it was read. variant narrows the rule for contracts."""

    rule: str
    variant: str
    part: int
    detail: str = ""
    call_id: str | None = None
    record: Record | None = None  # where a message is spread over several records, the one it is in


class Message(NamedTuple):
    """What one record (or one response spread over several) says, without its text."""

    record: Record
    role: Role
    calls: tuple[Call, ...] = ()
    results: tuple[Result, ...] = ()
    said: bool = True  # holds text, images or thinking beside its halves
    skipped: bool = False  # aborted or failed: the client does not send it
    flaws: tuple[Flaw, ...] = ()
    signed: bool = False  # holds signed thinking: while it is the latest turn, none of its calls may go

    @property
    def ids(self) -> set[str]:
        """Return the ids of its halves."""
        return {call.id for call in self.calls if call.id} | {result.id for result in self.results if result.id}


class Finding(NamedTuple):
    """A rule broken at a place. related are physical lines; index counts messages of an array from 0."""

    rule: str
    line: int
    record: Record
    severity: Severity | None = None
    variant: str = ""
    part: int | None = None
    call_id: str | None = None
    related: tuple[int, ...] = ()
    detail: str = ""
    index: int | None = None  # type: ignore[assignment]  # messages of an array, from 0
    entry: str | None = None
    fixable: bool = False
    contract: str | None = None
    provider_error: str | None = None


class Report(NamedTuple):
    """What a check found in one file: the value that every writer shows."""

    path: str
    format: str
    client_version: str | None
    threads: int
    messages: int
    calls: int
    results: int
    findings: tuple[Finding, ...]
    error: str | None = None
    advice: str = ""
    own_contract: str = ""
    notice: str = ""  # what the format's user should know whatever was found
