"""Which session a word on the command line means: a path, an id or the start of one, or @last."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import NamedTuple

from condense_cli.errors import UnreadableError, UsageError
from condense_cli.storage.clients.client import stem
from condense_cli.storage.clients.folders import Environment, modified
from condense_cli.storage.clients.newest import newest
from condense_cli.storage.clients.table import session_id, stores

LAST = "@last"
_MOST_NAMED = 10
_LEAST_OF_ID = 4
_ENDS_AS_FILE = re.compile(r"\.(?:jsonl?|zst|gz|xz|bz2)$")
_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]*")


class Named(NamedTuple):
    """A session that was found: its path, and its client and how it was found where that was not by a path."""

    path: str
    client: str = ""
    how: str = ""


def is_id(word: str) -> bool:
    """Say whether a word can be an id: no file of that name exists, and it has no separator and no ending."""
    return _ID.fullmatch(word) is not None and not os.path.lexists(word)


def names_session(word: str, environment: Environment) -> bool:
    """Say whether a word among others names a session: @last, a path, or an id that a session has.

    A few characters that an id starts with are no name here: they may be the start of something else.
    """
    if word in (LAST, "-") or os.path.lexists(word) or os.sep in word or _ENDS_AS_FILE.search(word):
        return True
    return len(word) >= _LEAST_OF_ID and is_id(word) and bool(_with_id(word, environment))


def find(word: str, folder: str, environment: Environment) -> Named:
    """Return the session that is meant. Raises UsageError for a start that several ids have, UnreadableError for none.

    A word that is neither @last nor an id is a path, whatever is there. folder: the working folder that @last is of.
    """
    if word == LAST:
        return last(folder, environment)
    if not is_id(word):
        return Named(word)
    found = _with_id(word, environment)
    if len(found) == 1:
        return found[0]
    if not found:
        raise UnreadableError(
            f"{word}: no file has this name, and no session of a known client has an id that starts so",
            "`condense doctor` lists the sessions of this machine",
        )
    named = ", ".join(f"{session_id(one.path, one.client)} ({one.client})" for one in found[:_MOST_NAMED])
    more = len(found) - _MOST_NAMED
    raise UsageError(
        f"{word}: {len(found)} sessions have an id that starts so",
        f"give more of it: {named}" + (f", and {more} more" if more > 0 else ""),
    )


def last(folder: str, environment: Environment) -> Named:
    """Return the newest session of a folder. Raises UnreadableError where there is none."""
    found = newest(folder, environment)
    if found is None:
        raise UnreadableError(
            "no session of this folder was found",
            "name one: a path, or an id; `condense doctor` lists all of this machine",
        )
    return Named(found.path, found.client, "the newest of this folder")


def _with_id(word: str, environment: Environment) -> list[Named]:
    """Return the sessions whose id starts with a word; one whose id is the word is the only one."""
    start = word.lower()
    found: list[Named] = []
    exact: list[Named] = []
    for store in stores(environment):
        for path in store.sessions:
            ids = {session_id(path, store.client).lower(), stem(path).lower()}
            if start in ids:
                exact.append(Named(path, store.client, "by its id"))
            elif any(one.startswith(start) for one in ids):
                found.append(Named(path, store.client, "by the start of its id"))
    return _one_each(exact or found)


def _one_each(found: Iterable[Named]) -> list[Named]:
    """Keep the newest file of each session: a client goes on in another one, or several names are one file."""
    kept: dict[tuple[str, str], Named] = {}
    for one in sorted(found, key=lambda one: _modified(one.path)):
        kept[one.client, session_id(one.path, one.client)] = one
    return list(kept.values())


def _modified(path: str) -> float:
    try:
        return modified(path)
    except OSError:
        return 0.0
