"""The page as values: what the template shows, in the order in which it shows it. No value knows a format or a file."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple


class Seen(StrEnum):
    """The views of a page; the value is the letter that marks a message in the page."""

    STORED = "s"
    CONTEXT = "c"
    RENDERED = "r"
    REPAIRED = "p"


class Fate(StrEnum):
    """Why a message is not in every view; the value is the word in the page."""

    SENT = ""
    COMPACTED = "compacted"
    PRUNED = "pruned"
    OTHER_THREAD = "branch"
    OTHER_AGENT = "agent"
    REPLACEMENT = "replacement"  # takes the place of what was pruned
    ADDED = "added"  # only in the repaired session
    REMOVED = "removed"  # not in the repaired session
    MOVED = "moved"  # at another place in the repaired session
    SKIPPED = "skipped"  # aborted or failed: the client does not send it


class Piece(NamedTuple):
    """A stretch of text; markup is trusted HTML of the same text (highlighted code), or "" for plain text."""

    text: str
    markup: str = ""
    code: bool = False


class Part(NamedTuple):
    """One part of a message. title and summary are one line each; more says how to get what was cut."""

    kind: str  # text, thinking, call, result, image, other, raw
    title: str = ""
    summary: str = ""
    pieces: tuple[Piece, ...] = ()
    error: bool = False
    picture: str = ""  # a data: URL of a checked image
    more: str = ""


class Remark(NamedTuple):
    """A finding at its place. number counts from 1 over the whole page; facts say where exactly it is."""

    number: int
    rule: str
    severity: str
    sentence: str
    facts: str = ""
    repair: str = ""
    line: int = 0


class Shown(NamedTuple):
    """One message (or run of the client's own records) in the order of the page. views: letters of Seen."""

    number: int
    role: str
    views: str
    line: int
    fate: Fate = Fate.SENT
    why: str = ""
    band: str = ""  # a heading before it: the run of messages with one fate that starts here
    parts: tuple[Part, ...] = ()
    remarks: tuple[Remark, ...] = ()
    edits: tuple[str, ...] = ()


class Mark(NamedTuple):
    """What the timeline knows of one message."""

    role: str
    fate: Fate
    severity: str = ""


class PageView(NamedTuple):
    """A view that the reader can choose."""

    letter: str
    name: str
    meaning: str
    messages: int


class Thread(NamedTuple):
    """One thread of the session: the id of its last record, how many messages it has, and how to open it."""

    leaf: str
    messages: int
    command: str
    active: bool = False


class Page(NamedTuple):
    """The whole page; `messages` is gone through once, and each is made when its turn comes."""

    title: str
    path: str
    format: str
    facts: tuple[tuple[str, str], ...]
    verdict: str
    severity: str
    command: str
    command_says: str
    choices: tuple[PageView, ...]
    threads: tuple[Thread, ...]
    more_threads: int
    marks: tuple[Mark, ...]
    remarks: tuple[tuple[int, Remark], ...]  # with the number of the message that each is at; 0: the file itself
    unplaced: tuple[Remark, ...]
    messages: Iterable[Shown]
    notice: str = ""
