"""What the options of every command are set to (--color, -q, -v), and how a command speaks to people on stderr."""

from __future__ import annotations

import os
import sys
from contextvars import ContextVar
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from condense_cli.storage.files import Replaced


class ColorWhen(StrEnum):
    """When output is coloured."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


class TextOrJson(StrEnum):
    """How an outcome is written: for people, or for programs."""

    TEXT = "text"
    JSON = "json"


class Everywhere(NamedTuple):
    """The options that every command takes, before or after its name."""

    color: ColorWhen = ColorWhen.AUTO
    quiet: bool = False
    verbose: bool = False


_now: ContextVar[Everywhere] = ContextVar("_now", default=Everywhere())  # noqa: B039 - the default is immutable


def remember(*, color: ColorWhen | None = None, quiet: bool = False, verbose: bool = False) -> None:
    """Set the options of every command for the run that starts here."""
    _now.set(Everywhere(color or ColorWhen.AUTO, quiet, verbose))


def add(*, color: ColorWhen | None = None, quiet: bool = False, verbose: bool = False) -> None:
    """Add what was given after the command's name to what was given before it."""
    now = _now.get()
    _now.set(Everywhere(color or now.color, quiet or now.quiet, verbose or now.verbose))


def quiet() -> bool:
    """Say whether notes on stderr are unwanted."""
    return _now.get().quiet


def verbose() -> bool:
    """Say whether more notes are wanted."""
    return _now.get().verbose


def note(text: str) -> None:
    """Print a note for people to stderr, unless --quiet; control characters are made visible."""
    if not quiet():
        from condense_cli.output.plain import visible

        print(visible(text), file=sys.stderr)


def note_replaced(path: str, done: Replaced, how: str) -> None:
    """Note what else went into a session that was replaced, and how to take it back."""
    if done.carried:
        note(f"{path}: kept {done.carried} bytes that were appended meanwhile")
    if done.entry is not None:
        note(f"{path}: {how}; to take it back: condense undo {done.entry.id}")


def coloured(stream: object) -> bool:
    """Decide whether output to this stream is coloured: --color, then NO_COLOR, FORCE_COLOR, TERM=dumb, a terminal."""
    when = _now.get().color
    if when is not ColorWhen.AUTO:
        return when is ColorWhen.ALWAYS
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return os.environ.get("TERM") != "dumb" and bool(getattr(stream, "isatty", lambda: False)())
