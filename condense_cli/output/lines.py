"""Lines for people, given as spans of text and style; Rich is loaded only for colour."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TextIO

from condense_cli.output.encoding import writable

Span = tuple[str, str]  # text and its style
Say = Callable[..., None]

DEFAULT_WIDTH = 80


def line_writer(stream: TextIO, *, color: bool) -> Say:
    """Return a function that writes one line, given as (text, style) pairs; nothing in the text is interpreted.

    A character that the stream's encoding does not have is written as its escape.
    """
    if not color:

        def say(*spans: Span) -> None:
            stream.write(writable("".join([text for text, _ in spans]) + "\n", stream))

        return say

    from rich.console import Console
    from rich.text import Text

    console = Console(
        file=stream,
        force_terminal=True,
        color_system="standard",
        no_color=False,
        legacy_windows=False,
        markup=False,
        emoji=False,
        highlight=False,
        soft_wrap=True,
    )
    return lambda *spans: console.print(Text.assemble(*((writable(text, stream), style) for text, style in spans)))


def is_terminal(stream: TextIO) -> bool:
    """Say whether a stream is a terminal."""
    return bool(getattr(stream, "isatty", lambda: False)())


def terminal_width(stream: TextIO) -> int | None:
    """Return the columns of a terminal, None for anything else: in a pipe a line stays one line."""
    if not is_terminal(stream):
        return None
    try:
        return os.get_terminal_size(stream.fileno()).columns or None
    except (OSError, ValueError):
        return DEFAULT_WIDTH
