"""What a chain record of Claude Code says beside its message: whose it is, when, and what it is for the thread."""

from __future__ import annotations

from typing import NamedTuple

from condense_cli.model.messages import Flaw, Record

LIVE = 1  # a user, assistant or system record: what leaves are chosen from


PROMPT = 2  # the user (or a compaction summary) said something


BOUNDARY = 4  # a compaction: the client reads on from here


ERROR = 8  # says that a request failed


OTHER_HOST = 32  # an answer of a model that is not Anthropic's, after a host that speaks its API
SYNTHETIC = 16  # written by the client in the model's name; never sent


BLANK_TEXT = "only white space"


EMPTY_TEXT = "an empty text"


MIXED = "mixed"  # unsigned thinking in a response that has signed thinking, too: no part of it may go


class Owner(NamedTuple):
    """The session and agent that a record belongs to."""

    session: str | None
    agent: str | None
    sidechain: bool


class Facts(NamedTuple):
    """What a chain record says beside its message. time is ISO 8601."""

    owner: Owner
    time: str
    flags: int = 0
    response: str | None = None

    @property
    def provider(self) -> str:
        """Name the provider that wrote the record; the client sends all thinking back to it."""
        return "anthropic"

    @property
    def model(self) -> str:
        """All models of the provider count as one."""
        return ""


def facts(record: Record) -> Facts:
    """Return the facts of a chain record."""
    extra = record.extra
    assert isinstance(extra, Facts)
    return extra


def blank_text(record: Record, part: int, how: str) -> Flaw:
    """Word the flaw of a blank text block that is beside other content."""
    return Flaw("blank-text", "white" if how == BLANK_TEXT else "empty", part, record=record)
