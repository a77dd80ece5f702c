"""Minimise: records, then blocks, then words, each step proved by the finding that must stay."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from condense_cli.document.document import Document
from condense_cli.document.records import Shape
from condense_cli.errors import RefusedError, UsageError
from condense_cli.jsonbytes import jsonread, jsonspan
from condense_cli.minimize.pieces import Pieces, array, arrays, lines
from condense_cli.minimize.reduce import reduce
from condense_cli.minimize.strings import StringSpan, spans
from condense_cli.minimize.target import Target, answers, findings, mark_of, worst
from condense_cli.minimize.words import Words, words_of
from condense_cli.model.findings import Finding

Holds = Callable[[bytes], bool]


class Minimized(NamedTuple):
    """The smallest bytes, the finding in them, and how many strings stayed as they were because the finding is about
    them.
    """

    data: bytes
    finding: Finding
    format: str
    version: str | None
    contract: str
    records: tuple[int, int]  # before, after
    stayed: int
    answers: tuple[tuple[str, str], ...]  # who answers what


def minimize(
    document: Document, data: bytes, path: str, *, contract: str | None = None, rule: str | None = None
) -> Minimized:
    """Minimise a session that was just read. path: the name that the new file gets.

    Raises UsageError where there is no such finding, RefusedError where the proof fails.
    """
    judge = contract or document.format.contract
    shape = document.shape
    version = document.format.version(document)
    finding = worst(findings(document, judge), rule)
    if finding is None:
        raise UsageError(
            f"{document.path}: no finding{f' of {rule}' if rule else ''} to show",
            "`condense check --fail-on info` lists them",
        )
    target = Target(path, document.format.name, judge, mark_of(finding, judge))

    def holds(new: bytes) -> bool:
        return target.found(new) is not None

    if not holds(data):
        raise RefusedError(
            f"{document.path}: the finding is not about this file alone",
            "it depends on the file's name or on files beside it",
        )
    least = _with_fewer_blocks(_with_fewer_records(data, shape, holds), shape, holds)
    least = _with_fewer_records(least, shape, holds)  # what a block referred to may go now
    made, stayed = _in_other_words(least, words_of(data), holds)
    shown = target.found(made)
    if shown is None or len(made) > len(data):
        raise RefusedError(f"{document.path}: the proof failed", "nothing was written; please report it")
    return Minimized(
        made,
        shown,
        target.format,
        version,
        judge,
        (_count(data, shape), _count(made, shape)),
        stayed,
        answers(shown, judge),
    )


def _count(data: bytes, shape: Shape) -> int:
    whole = _whole(data, shape)
    return len(whole.parts) if whole is not None else 1


def _whole(data: bytes, shape: Shape) -> Pieces | None:
    if shape is not Shape.ARRAY:
        return lines(data)
    parsed = jsonread.parse(data)
    if parsed is None:
        return None  # torn: what is a record of it depends on where it breaks
    path: jsonspan.Path = () if isinstance(parsed.value, list) else ("messages",)
    return array(data, path)


# ---------------------------------------------------------------------- records and blocks
def _with_fewer_records(data: bytes, shape: Shape, holds: Holds) -> bytes:
    """Leave out what can be left out: with links that go on past it, then with links as they are."""
    for joined in (Pieces.linked, Pieces.joined):
        whole = _whole(data, shape)
        if whole is not None:
            join = partial(joined, whole)
            data = join(reduce(range(len(whole.parts)), _test(join, holds, len(data))))
    return data


def _test(join: Callable[[Sequence[int]], bytes], holds: Holds, most: int) -> Callable[[list[int]], bool]:
    def test(kept: list[int]) -> bool:
        made = join(kept)
        return len(made) <= most and holds(made)

    return test


def _with_fewer_blocks(data: bytes, shape: Shape, holds: Holds) -> bytes:
    """Leave out elements of the arrays inside each record."""
    if shape is Shape.ARRAY:
        return _inside(data, holds)
    parts = list(lines(data).parts)
    for n, line in enumerate(parts):
        before, after = b"".join(parts[:n]), b"".join(parts[n + 1 :])
        parts[n] = _inside(line, lambda new, before=before, after=after: holds(before + new + after))  # type: ignore[misc]
    return b"".join(parts)


def _inside(raw: bytes, holds: Holds) -> bytes:
    parsed = jsonread.parse(raw)
    if parsed is None:
        return raw
    done: set[jsonspan.Path] = set()
    while True:
        path = next((path for path in arrays(jsonread.loads(raw)) if path not in done), None)
        if path is None:
            return raw
        done.add(path)
        pieces = array(raw, path)
        if pieces is not None:
            kept = reduce(range(len(pieces.parts)), _test(pieces.joined, holds, len(raw)))
            raw = pieces.joined(kept) if len(kept) < len(pieces.parts) else raw


# ---------------------------------------------------------------------- words
def _in_other_words(data: bytes, avoid: frozenset[bytes], holds: Holds) -> tuple[bytes, int]:
    """Replace all words; where the finding is about some strings, those stay. Return how many."""
    where = spans(data)
    words = Words(avoid)
    new = [words.string(data[one.start : one.end], free=one.free) for one in where]

    def written(kept: Sequence[int]) -> bytes:
        return _written(data, where, new, frozenset(kept))

    changed = [n for n, one in enumerate(where) if new[n] != data[one.start : one.end]]
    if holds(written(())):
        return written(()), 0
    stayed = reduce(changed, lambda kept: holds(written(kept)))
    return written(stayed), len(stayed)


def _written(data: bytes, where: Sequence[StringSpan], new: Sequence[bytes], kept: frozenset[int]) -> bytes:
    out: list[bytes] = []
    at = 0
    for n, one in enumerate(where):
        out += (data[at : one.start], data[one.start : one.end] if n in kept else new[n])
        at = one.end
    return b"".join((*out, data[at:]))
