"""A refusal as what is looked for: runs of letters, and gaps where texts differ."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from condense_cli.rules.refusals.pasted import Text, squeezed
from condense_cli.rules.refusals.row import PLACEHOLDER, Refusal
from condense_cli.rules.refusals.table import REFUSALS

_GAP = 200  # letters that a gap may have
_ABSENT = -1
_UNFIT = -2
_TRIES = 5  # places at which the words after a gap are looked for
_EATEN = 12  # letters that must be left of a text whose words in backticks were run by a shell
_BACKTICKS = re.compile(r"`[^`]*`")
_NO_ID = r"\s,;(){}<>\[\]"
_KINDS = {
    "id": re.compile(rf"[^{_NO_ID}]+"),
    "ids": re.compile(rf"[^{_NO_ID}]+(?: ?, ?(?:and )?[^{_NO_ID}]+)*"),
    "name": re.compile(r"[\w.:-]{1,200}"),
    "any": re.compile(r".*", re.DOTALL),
} | dict.fromkeys(("n", "m", "line", "length"), re.compile(r"\d+"))
_AT_END = {
    "id": re.compile(rf"[\s:(=]*([^{_NO_ID}:(=][^{_NO_ID}]*[^{_NO_ID}.:…]|[^{_NO_ID}.:…(=])"),
    "ids": re.compile(rf"[\s:(=]*([^{_NO_ID}]*[^{_NO_ID}.:…](?: ?, ?(?:and )?[^{_NO_ID}]*[^{_NO_ID}.:…])*)"),
    "name": re.compile(r"[\s:(=]*([\w.:-]*\w)"),
    "any": re.compile(r"()"),
} | dict.fromkeys(("n", "m", "line", "length"), re.compile(r"[\s:(\[.]*(\d+)"))
_AROUND = " :.,;()[]{}<>=#!?-|*"


class Gap(NamedTuple):
    """A place where texts differ; kind is the placeholder's name."""

    kind: str


class Template(NamedTuple):
    """A refusal in pieces; `eaten`: without the words in backticks. Each part is runs of letters and gaps in turn."""

    refusal: Refusal
    before: tuple[str | Gap, ...]
    core: tuple[str | Gap, ...]
    after: tuple[str | Gap, ...]
    eaten: bool

    @property
    def letters(self) -> int:
        """Return how many letters identify it."""
        return sum(len(piece) for piece in self.core if isinstance(piece, str))

    @property
    def landmark(self) -> str:
        """Return the longest run of letters that any match has."""
        return max((piece for piece in self.core if isinstance(piece, str)), key=len)


class Walk(NamedTuple):
    """How far pieces were followed: where it ended in `squeezed`, letters that were the template's, what is in gaps."""

    end: int
    letters: int
    captures: tuple[tuple[str, str], ...]


@cache
def templates() -> tuple[Template, ...]:
    """Return every refusal as a template, and a second one where a shell can have taken words out of it."""
    whole = [_template(refusal, refusal.text, eaten=False) for refusal in REFUSALS]
    eaten = [
        _template(refusal, _BACKTICKS.sub("", refusal.text), eaten=True) for refusal in REFUSALS if "`" in refusal.text
    ]
    return (*whole, *(one for one in eaten if one.letters >= _EATEN))


def follow(text: Text, at: int, pieces: Sequence[str | Gap], *, whole: bool) -> Walk | None:
    """Follow pieces from an offset on; whole: None unless all of them are there, else as far as they go."""
    letters = 0
    gap = ""
    captures: list[tuple[str, str]] = []
    for piece in pieces:
        if isinstance(piece, Gap):
            gap = piece.kind
            continue
        found = _next(text, at, piece, gap)
        if found < 0:
            if whole:
                return None
            gap = gap if found == _ABSENT else ""
            break
        if gap:
            captures.append((gap, inner(text, at, found)))
        at, letters, gap = found + len(piece), letters + len(piece), ""
    if gap and (last := _AT_END[gap].match(text.text, text.after(at))) and last[1]:
        captures.append((gap, last[1]))
        at = max(at, text.offset(last.end()))
    return Walk(at, letters, tuple(captures))


def fits(kind: str, value: str) -> bool:
    """Say whether what is in a gap can be what its placeholder means."""
    return _KINDS[kind].fullmatch(value) is not None


def inner(text: Text, start: int, end: int) -> str:
    """Return what is written in a gap, without what is around it."""
    return text.between(start, end).strip(_AROUND)


def _next(text: Text, at: int, piece: str, gap: str) -> int:
    """Return the offset of the next run of letters; negative: it is not there, or what is before it does not fit."""
    if not gap:
        return at if text.squeezed.startswith(piece, at) else _ABSENT
    found = text.squeezed.find(piece, at, at + _GAP + len(piece))
    for _ in range(_TRIES):
        if found < 0 or fits(gap, inner(text, at, found)):
            return found
        found = text.squeezed.find(piece, found + 1, at + _GAP + len(piece))
    return _UNFIT


def _template(refusal: Refusal, text: str, *, eaten: bool) -> Template:
    before, _, rest = text.partition("[[")
    core, _, after = rest.rpartition("]]")
    inside = _pieces(core)
    trailing = [piece for piece in inside[-1:] if isinstance(piece, Gap)]
    inside = inside[: len(inside) - len(trailing)]
    while inside and isinstance(inside[0], Gap):
        inside = inside[1:]
    return Template(refusal, tuple(_pieces(before)), tuple(inside), (*trailing, *_pieces(after)), eaten)


def _pieces(text: str) -> list[str | Gap]:
    """Split a text into runs of letters and gaps; of two gaps with no letter between them the later one is kept."""
    found: list[str | Gap] = []
    for token in re.split(r"(\{(?:n|m|ids?|name|length|line|any)\})", text):
        placeholder = PLACEHOLDER.fullmatch(token)
        piece = Gap(placeholder[1]) if placeholder else squeezed(token)
        if isinstance(piece, Gap) and found and isinstance(found[-1], Gap):
            found[-1] = Gap("any")
        elif piece:
            found.append(piece)
    return found
