"""A pattern of the user's, searched in lines; whatever it is, the search ends."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from condense_cli.errors import UsageError

if TYPE_CHECKING:
    import regex

SECONDS = 10.0
"""Seconds that all searches of one command may take."""


class LinePattern:
    """A compiled pattern with a time limit that all its searches share. Raises UsageError for what is no pattern."""

    def __init__(self, pattern: str, *, seconds: float = SECONDS) -> None:
        import regex

        try:
            self._pattern: regex.Pattern[str] = regex.compile(pattern)
        except (regex.error, RecursionError, OverflowError) as problem:
            raise UsageError(f"--grep: {problem}", "it takes a regular expression in Python's syntax") from problem
        self._seconds = seconds
        self._end = time.monotonic() + seconds

    def search(self, line: str) -> bool:
        """Say whether the pattern is in the line; raise UsageError when the time is over."""
        left = self._end - time.monotonic()
        try:
            return self._pattern.search(line, timeout=max(left, 0.001)) is not None
        except TimeoutError:
            raise UsageError(
                f"--grep: the search takes more than {self._seconds:g} s", "use a simpler pattern"
            ) from None
