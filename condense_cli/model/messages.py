"""The values that decisions are made on. No transcript text is kept in them.

A record is one entry of the file: a line of a JSONL file or an element of a JSON array. A half is
(record, part), never an id: real sessions use ids again.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from condense_cli.model.medium import Medium


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
    origin is the record as it was read, where this is a later version of it. damaged: its bytes are no strict JSON.
    weight: characters of its texts, none of which takes less than a byte when it is sent; -1 where nobody counted them.
    """

    __slots__ = (
        "damaged", "data", "end", "extra", "id", "kind", "line", "message", "origin", "parent", "start", "weight",
    )  # fmt: skip

    def __init__(
        self, line: int, start: int, end: int, data: bytes | None = None, origin: Record | None = None
    ) -> None:
        self.line = line
        self.start = start
        self.end = end
        self.data = data
        self.kind = ""
        self.id: str | None = None
        self.parent: str | None = None
        self.message: Message | None = None
        self.extra: Any = None
        self.damaged = False
        self.weight = -1
        self.origin = origin

    @property
    def as_read(self) -> Record:
        """Return the record of the file that this is a changed version of, or the record itself."""
        return self if self.origin is None else self.origin


SERVER = (
    "server"  # the family of tools that run at the provider: their results stand in the assistant message of the calls
)


# Halves and messages are made by the million and live as long as the document: a class with slots is a sixth
# smaller than a named tuple and made in two thirds of the time. Nobody sets their fields.
@dataclass(slots=True, eq=False)
class Call:
    """The asking half of a tool use. An id that is no string is None. Two are equal that are at the same place."""

    record: Record
    part: int
    id: str | None
    name: str | None
    family: str = ""  # formats with several call and result types pair only inside one family

    @property
    def server(self) -> bool:
        """Say whether the tool runs at the provider."""
        return self.family == SERVER

    def seen_as(self, kind: type[Call]) -> Call:
        """Return the same call as one of another kind, for what is after it."""
        return kind(self.record, self.part, self.id, self.name, self.family)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Call)
            and self.record is other.record
            and self.part == other.part
            and self.family == other.family
        )

    def __hash__(self) -> int:
        return hash((self.record, self.part, self.family))


@dataclass(slots=True, eq=False)
class Paused(Call):
    """A call at the provider that ends its message: the provider goes on with it when the message ends the session."""


@dataclass(slots=True, eq=False)
class FollowedCall(Call):
    """A call after which its turn went on with a message of its own: it is not running any more."""


def unpaused(calls: tuple[Call, ...]) -> tuple[Call, ...]:
    """Return the calls of a message after which more is said."""
    return (*calls[:-1], calls[-1].seen_as(Call)) if calls and isinstance(calls[-1], Paused) else calls


@dataclass(slots=True, eq=False)
class Result:
    """The answering half of a tool use. Two are equal that are at the same place."""

    record: Record
    part: int
    id: str | None
    placeholder: bool = False  # known to be made up by some client
    family: str = ""

    @property
    def server(self) -> bool:
        """Say whether the tool ran at the provider."""
        return self.family == SERVER

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Result)
            and self.record is other.record
            and self.part == other.part
            and self.family == other.family
        )

    def __hash__(self) -> int:
        return hash((self.record, self.part, self.family))


@dataclass(slots=True, eq=False)
class TurnResult(Result):
    """A result in a turn of its own, in a format whose calls may hold their results, too; place: where it is in its
    record.
    """

    place: tuple[str | int, ...] = ()


Half = Call | Result


class Flaw(NamedTuple):
    """Something wrong inside one record, seen while it was read. variant narrows the rule for contracts."""

    rule: str
    variant: str
    part: int
    detail: str = ""
    call_id: str | None = None
    record: Record | None = None  # where a message is spread over several records, the one it is in


@dataclass(slots=True, eq=False)
class Message:
    """What one record (or one response spread over several) says, without its text."""

    record: Record
    role: Role
    calls: tuple[Call, ...] = ()
    results: tuple[Result, ...] = ()
    said: bool = True  # holds text, images or thinking beside its halves
    skipped: bool = False  # aborted or failed: the client does not send it
    flaws: tuple[Flaw, ...] = ()
    signed: bool = False  # holds signed thinking: while it is the latest turn, none of its calls may go
    media: tuple[Medium, ...] = ()  # its images and documents, those in results too

    @property
    def inside(self) -> tuple[str | int, ...]:
        """Return where it is in its record, which holds several; () is the record itself."""
        return ()

    @property
    def halves(self) -> tuple[Half, ...]:
        """Return its calls, then its results."""
        return (*self.calls, *self.results)

    @property
    def ids(self) -> set[str]:
        """Return the ids of its halves."""
        return {half.id for half in self.halves if half.id}
