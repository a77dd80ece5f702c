"""What the options of every command are set to (--color, -q, -v), and how a command speaks to people on stderr."""

from __future__ import annotations

import contextlib
import os
import sys
from contextvars import ContextVar
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from condense_cli.errors import UsageError

if TYPE_CHECKING:
    from condense_cli.storage.files import Replaced
    from condense_cli.storage.source import Source


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

        complain(visible(text))


def complain(text: str) -> None:
    """Print to stderr; one that is full or closed changes nothing of what the command does."""
    with contextlib.suppress(OSError, ValueError):
        print(text, file=sys.stderr, flush=True)


def before_replacing(source: Source, *, force: bool) -> None:
    """Note what the replacement of a session in place does to others: a client at work, its other names."""
    from condense_cli.storage.files import guard, other_names

    if (count := other_names(source)) > 0:
        note(f"{source.path}: has {count} other names (hard links); they keep the old content")
    if force and (reason := guard(source, force=True)):
        note(f"{source.path}: a client seems to be at work on it: {reason}; --force goes on")


def note_replaced(path: str, done: Replaced, how: str) -> None:
    """Note what else went into a session that was replaced, and how to take it back."""
    if done.carried:
        note(f"{path}: kept {done.carried} bytes that were appended meanwhile")
    if done.writer is not None:
        there = f"; lines written since are in {done.old}" if done.old else "; what it writes since is lost"
        note(f"{path}: the old file is still open by {done.writer}{there}")
    if done.entry is not None:
        note(f"{path}: {how}; to take it back: condense undo {done.entry.id}")


_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def size_of(option: str, text: str) -> int:
    """Return the bytes that a size means, as 4096, 500M or 2G; raise UsageError for what is none."""
    digits, unit = (text[:-1], text[-1:].upper()) if text[-1:].isalpha() else (text, "")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 15 and unit in _UNITS):
        raise UsageError(f"{option}: {text!r} is no size", "write bytes, or a number with K, M, G or T")
    return int(digits) * _UNITS[unit]


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
