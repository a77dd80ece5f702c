"""What is asked of `compact`, as values that its two ways of writing share."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, NamedTuple


class Report(StrEnum):
    """How the outcome is shown."""

    TEXT = "text"
    JSON = "json"


class Wishes(NamedTuple):
    """What is asked for, beside the session."""

    output: str | None
    in_place: bool
    window: int | None
    settings: str | None
    now: int | None
    only_gain: bool
    force: bool
    backup: bool
    report: Report
    format: str
    sidecar: str | None = None


class Choice(NamedTuple):
    """The settings that count: those of pruning, and three that only compaction reads."""

    settings: Any
    window: int
    batching: str
    dedup: bool
