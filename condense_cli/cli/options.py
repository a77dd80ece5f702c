"""Options that several commands share, as annotated types, and what the global ones were set to."""

from __future__ import annotations

import os
import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

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


def _version(asked: bool) -> None:
    if asked:
        from condense_cli import __version__

        print(f"condense {__version__}")
        raise typer.Exit


Version = Annotated[bool, typer.Option("--version", help="Print the version and stop.", callback=_version, is_eager=True)]
Color = Annotated[ColorWhen, typer.Option("--color", help="Colour: auto is on a terminal only.")]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="No notes and summaries on stderr.")]
Verbose = Annotated[bool, typer.Option("-v", "--verbose", help="Say more on stderr.")]
Format = Annotated[str, typer.Option("--format", metavar="NAME", help="The session's format; auto looks at its content. `condense formats` lists them.")]
Leaf = Annotated[str | None, typer.Option("--leaf", metavar="ENTRY_ID", help="End the thread at this entry, not at the client's leaf.")]

_state = {"color": ColorWhen.AUTO, "quiet": False, "verbose": False}


def remember(*, color: ColorWhen, quiet: bool, verbose: bool) -> None:
    """Keep the global options for the command that follows."""
    _state.update(color=color, quiet=quiet, verbose=verbose)


def quiet() -> bool:
    """Say whether notes on stderr are unwanted."""
    return bool(_state["quiet"])


def verbose() -> bool:
    """Say whether more notes are wanted."""
    return bool(_state["verbose"])


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
    when = _state["color"]
    if when is not ColorWhen.AUTO:
        return when is ColorWhen.ALWAYS
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return os.environ.get("TERM") != "dumb" and bool(getattr(stream, "isatty", lambda: False)())
