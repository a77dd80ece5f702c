"""A pasted text without what terminals, JSON and quoting did to it, and its letters and digits alone."""

from __future__ import annotations

import html
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import NamedTuple

_ESCAPE = re.compile(r"(?<!\\)\\+(u[0-9a-fA-F]{4}|[nrtbf\"'/])")
_ESCAPED = {"n": "\n", "r": "\n", "t": " ", "b": "", "f": " "}
_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_QUOTES = re.compile("[`\"'\\\\‘’‚‛“”„«»]")
_MARGIN = " \t\r│┃║|>⎿●⏺"  # what terminals and quoting put around a line
_CHUNK = re.compile(r"[^\W_]+")


class Text(NamedTuple):
    """A text on one line, and `squeezed`: its letters and digits in one case, with nothing between them.

    `starts` and `places` map an offset in `squeezed` to one in `text`, run by run.
    """

    text: str
    squeezed: str
    starts: tuple[int, ...]
    places: tuple[int, ...]

    def place(self, offset: int) -> int:
        """Return where a letter of `squeezed` is in `text`."""
        run = bisect_right(self.starts, offset) - 1
        return self.places[run] + offset - self.starts[run]

    def after(self, offset: int) -> int:
        """Return where the text goes on after the letters before this offset."""
        return self.place(offset - 1) + 1 if offset else 0

    def offset(self, place: int) -> int:
        """Return the offset of the first letter that is not before a place of `text`."""
        run = bisect_left(self.places, place)
        if run:
            inside = self.starts[run - 1] + place - self.places[run - 1]
            return min(inside, self.starts[run] if run < len(self.starts) else len(self.squeezed))
        return 0

    def between(self, start: int, end: int) -> str:
        """Return what is written between two runs of letters of `squeezed`."""
        return self.text[self.after(start) : self.place(end) if end < len(self.squeezed) else len(self.text)]


def unescaped(text: str) -> str:
    """Take away colours, entities and JSON escapes."""
    text = html.unescape(_ANSI.sub("", text))

    def character(found: re.Match[str]) -> str:
        return chr(int(found[1][1:], 16)) if found[1][0] == "u" else _ESCAPED.get(found[1], found[1])

    return _ESCAPE.sub(character, text)


def readings(plain: str) -> Iterator[Text]:
    """Yield a text on one line: a terminal breaks lines between words or inside them, and both are tried."""
    for line in dict.fromkeys((_joined(plain, full=" "), _joined(plain, full=""))):
        yield as_text(line)


def as_text(line: str) -> Text:
    """Squeeze one line."""
    pieces: list[str] = []
    starts: list[int] = []
    places: list[int] = []
    length = 0
    for chunk in _CHUNK.finditer(line):
        starts.append(length)
        places.append(chunk.start())
        piece = chunk[0].casefold()
        pieces.append(piece if len(piece) == len(chunk[0]) else chunk[0])
        length += len(chunk[0])
    return Text(line, "".join(pieces), tuple(starts), tuple(places))


def squeezed(text: str) -> str:
    """Return the letters and digits of a text in one case."""
    return as_text(text).squeezed


def _joined(text: str, *, full: str) -> str:
    """Put a text on one line; `full` joins a line that is as long as any to the next one, a blank the others."""
    lines = text.split("\n")
    width = max(len(line.rstrip()) for line in lines)
    joined = "".join(line.strip(_MARGIN) + (full if len(line.rstrip()) == width else " ") for line in lines)
    return re.sub(r"\s+", " ", _QUOTES.sub("", joined))
