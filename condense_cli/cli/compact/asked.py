"""What is asked of `compact`, as values that its two ways of writing share."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple, TextIO

from condense_cli.cli.options import TextOrJson


class Asked(NamedTuple):
    """What is asked for, beside the session."""

    output: str | None
    in_place: bool
    window: int | None
    settings: str | None
    now: int | None
    only_gain: bool
    force: bool
    backup: bool
    report: TextOrJson
    format: str
    sidecar: str | None = None
    with_text: bool = False
    target: int | None = None  # tokens that the request may have

    @property
    def words(self) -> tuple[str, ...]:
        """Return the options of the command line that ask for the same outcome, wherever it is written."""
        given = (
            ("--target-tokens", self.target),
            ("--window", self.window),
            ("--settings", self.settings),
            ("--now", self.now),
        )
        words = [word for name, value in given if value is not None for word in (name, str(value))]
        words += ["--only-gain"] if self.only_gain else []
        words += ["--format", self.format] if self.format != "auto" else []
        return tuple(words)

    @property
    def stream(self) -> TextIO:
        """Return where the outcome is told: stderr where stdout gets the session."""
        return sys.stderr if self.output == "-" else sys.stdout


class EffectiveSettings(NamedTuple):
    """The settings that count: those of pruning, and three that only compaction reads."""

    settings: Any
    window: int
    batching: str
    dedup: bool
