"""Lines of styled text that fit a width: broken between words, and inside a word only where it is too long."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense_cli.output.lines import Span

Line = tuple["Span", ...]
_WORD = re.compile(r"\s+|\S+")


def wrap(line: Line, width: int | None, indent: str = "") -> Iterator[Line]:
    """Yield the lines of one line, the following ones after an indent.

    No width: it stays one line; nothing is left out.
    """
    if width is None or cells("".join(part for part, _ in line)) <= width:
        yield line
        return
    room = max(width, cells(indent) + 2)
    out: list[Span] = []
    used = 0
    for word, style in _parts(line, room - cells(indent)):
        size = cells(word)
        if used + size > room and out:
            if word.isspace():
                continue  # the end of the line takes its place
            while out[-1][0].isspace() and len(out) > 1:
                out.pop()
            yield tuple(out)
            out, used = [(indent, "")], cells(indent)
        out.append((word, style))
        used += size
    if out:
        yield tuple(out)


def cells(text: str) -> int:
    """Return how many columns of a terminal a text takes: 2 for a wide character."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _parts(line: Line, most: int) -> Iterator[Span]:
    for text, style in line:
        for word in _WORD.findall(text):
            while cells(word) > most:
                cut = most
                while cut > 1 and cells(word[:cut]) > most:
                    cut -= 1
                yield word[:cut], style
                word = word[cut:]  # noqa: PLW2901 - the rest of it
            yield word, style
