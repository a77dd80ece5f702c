"""Code in colours: Pygments makes spans with classes; the style that belongs to them is in style.css."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from condense_cli.output.html.page import Piece

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pygments.formatters.html import HtmlFormatter
    from pygments.lexer import Lexer

MOST = 6_000  # characters of one stretch of code that are coloured; longer ones are shown plain
_FENCE = re.compile(
    r"^(?P<mark>`{3,}|~{3,})[ \t]*(?P<name>[\w+#.-]*)[^\n`]*\n(?P<code>.*?)(?:^(?P=mark)[`~]*[ \t]*$|\Z)",
    re.MULTILINE | re.DOTALL,
)


class Painter:
    """Colours code as long as the page has room for the elements that colours need: `room` is counted in characters."""

    def __init__(self, room: int) -> None:
        self.room = room

    def code(self, text: str, language: str) -> Piece:
        """Return a piece of code, coloured where the language is known and there is room."""
        if not text.strip() or len(text) > min(MOST, self.room) or (lexer := _lexer(language)) is None:
            return Piece(text, code=True)
        self.room -= len(text)
        from pygments import highlight

        return Piece(text, highlight(text, lexer, _formatter()), code=True)

    def prose(self, text: str) -> Iterator[Piece]:
        """Yield a text as plain stretches and the code between fences."""
        at = 0
        for match in _FENCE.finditer(text):
            if before := text[at : match.start()].strip("\n"):
                yield Piece(before)
            yield self.code(match["code"].removesuffix("\n"), match["name"])
            at = match.end()
        if rest := text[at:].strip("\n"):
            yield Piece(rest)


def language_of(path: str) -> str:
    """Return the ending of a file's name, which Pygments takes for the name of a language; "" without one."""
    name = path.replace("\\", "/").rpartition("/")[2]
    return name.rpartition(".")[2].lower() if "." in name else ""


@lru_cache(maxsize=1)
def _formatter() -> HtmlFormatter[str]:
    from pygments.formatters.html import HtmlFormatter

    return HtmlFormatter(nowrap=True)


@lru_cache(maxsize=64)
def _lexer(language: str) -> Lexer | None:
    if not re.fullmatch(r"[\w+#.-]{1,30}", language):
        return None
    from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
    from pygments.util import ClassNotFound

    for find, name in ((get_lexer_by_name, language.lower()), (get_lexer_for_filename, f"x.{language.lower()}")):
        try:
            return find(name, stripnl=False, ensurenl=False)
        except ClassNotFound:
            continue
    return None
