"""SESSION on the command line: a path, an id or the start of one, @last, or nothing."""

from __future__ import annotations

import os

from condense_cli.cli import options
from condense_cli.errors import UsageError
from condense_cli.session import named


def session_of(word: str | None, *, writes: bool = False) -> str:
    """Return the path of the session that is meant; stderr says which one where it was not named by a path.

    Nothing means @last where nothing is written. Raises UsageError and UnreadableError as named.find.
    """
    if word is None:
        if writes:
            raise UsageError("what is to be written has to be named", "give a path, an id, or @last")
        word = named.LAST
    found = named.find(word, os.getcwd(), os.environ)
    if found.how:
        options.note(f"condense: session {found.path} ({found.client}, {found.how})")
    return found.path


def sessions_of(words: list[str] | None, *, writes: bool = False) -> list[str]:
    """Return the paths of several sessions; none at all means @last where nothing is written."""
    return [session_of(word) for word in words] if words else [session_of(None, writes=writes)]
