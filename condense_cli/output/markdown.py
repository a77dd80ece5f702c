"""Markdown as a terminal shows it, made by Rich; nothing in the text is a link or steers the terminal."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from condense_cli.output.plain import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense_cli.output.lines import Span

_LONGEST = 100_000  # characters; more than that is shown as it is


def markdown_lines(text: str, width: int) -> Iterator[tuple[Span, ...]]:
    """Yield the lines of a text, each as spans of text and style."""
    if len(text) > _LONGEST:
        yield from (((line, ""),) for line in visible(text).split("\n"))
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console(
        file=io.StringIO(), width=width, color_system="standard", force_terminal=True, legacy_windows=False, emoji=False
    )
    shown = Markdown(visible(text), hyperlinks=False, code_theme="ansi_dark")
    for line in console.render_lines(shown, pad=False):
        spans = [(segment.text, str(segment.style or "")) for segment in line if segment.text]
        yield tuple(
            (part.rstrip() if n == len(spans) - 1 else part, _plain(style)) for n, (part, style) in enumerate(spans)
        )


def _plain(style: str) -> str:
    return "" if style == "none" else style
