"""Two versions of a text: which words changed, with what did not change between them folded."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

_TOKEN = re.compile(r"\n|[^\S\n]+|\w+|[^\w\s]")
_SPACE = re.compile(r"\s")
_MOST_TOKENS = 1500  # beyond that many on one side the whole middle counts as changed: comparing takes their product
_FOLD = 160  # characters that do not change are folded if they are more than that
_AROUND = 60  # characters that are kept on each side of a change
_DATA = re.compile(r"[\w+/=-]{400,}|(?:\\x00){40,}")  # base64, or the NUL bytes that a crash left
_SHORTEST_DATA = 160  # characters of either


class Piece(NamedTuple):
    """A part of a text, and whether it is one that changed."""

    text: str
    changed: bool


def compare(old: str, new: str) -> tuple[list[Piece], list[Piece]]:
    """Return both texts as pieces; pieces that are the same in both are folded where they are long."""
    if not _SPACE.search(old + new):  # an id, or its like, changes as a whole
        return [Piece(old, changed=True)], [Piece(new, changed=True)]
    ours, theirs = _tokens(old), _tokens(new)
    head = 0
    while head < min(len(ours), len(theirs)) and ours[head] == theirs[head]:
        head += 1
    tail = 0
    while tail < min(len(ours), len(theirs)) - head and ours[-1 - tail] == theirs[-1 - tail]:
        tail += 1
    left: list[Piece] = [Piece("".join(ours[:head]), changed=False)]
    right = list(left)
    for tag, a, b, c, d in _opcodes(ours[head : len(ours) - tail], theirs[head : len(theirs) - tail]):
        left.append(Piece("".join(ours[head + a : head + b]), changed=tag != "equal"))
        right.append(Piece("".join(theirs[head + c : head + d]), changed=tag != "equal"))
    end = Piece("".join(ours[len(ours) - tail :]) if tail else "", changed=False)
    return _folded([*left, end]), _folded([*right, end])


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text)


def _opcodes(ours: list[str], theirs: list[str]) -> Sequence[tuple[str, int, int, int, int]]:
    if max(len(ours), len(theirs)) > _MOST_TOKENS:
        return [("replace", 0, len(ours), 0, len(theirs))]
    matcher = difflib.SequenceMatcher(None, ours, theirs, autojunk=False)
    opcodes = matcher.get_opcodes()
    same = sum(_words(ours[a:b]) for tag, a, b, _, _ in opcodes if tag == "equal")
    if same * 3 < min(_words(ours), _words(theirs)):  # they have little in common: better one after the other
        return [("replace", 0, len(ours), 0, len(theirs))]
    return opcodes


def _words(tokens: list[str]) -> int:
    return sum(not token.isspace() for token in tokens)


def _folded(pieces: list[Piece]) -> list[Piece]:
    found = [piece for piece in pieces if piece.text]
    return [
        piece if piece.changed else Piece(_fold(piece.text, n > 0, n < len(found) - 1), changed=False)
        for n, piece in enumerate(found)
    ]


def _fold(text: str, before: bool, after: bool) -> str:
    """Leave out the middle of what is the same; before and after say on which sides there is a change."""
    if len(text) <= _FOLD:
        return text
    head = text[:_AROUND] if before else ""
    tail = text[-_AROUND:] if after else ""
    return f"{head}… {len(text) - len(head) - len(tail)} characters …{tail}"


def short_words(text: str) -> str:
    """Return a text in which what nobody reads is cut: the data of an image, a run of NUL bytes."""
    if len(text) < _SHORTEST_DATA:
        return text
    return _DATA.sub(lambda found: f"{found[0][:_AROUND]}… {len(found[0]) - _AROUND} more characters", text)
