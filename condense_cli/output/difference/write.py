"""A difference for people: what happens to each record and why, its old text, its new text, marked where they
differ.
"""

from __future__ import annotations

from itertools import groupby, islice, zip_longest
from typing import TYPE_CHECKING, NamedTuple

from condense_cli.output.difference.align import align
from condense_cli.output.difference.described import Described, Pair, Text, describe
from condense_cli.output.plain import one_line
from condense_cli.output.sentence import counted, sentence
from condense_cli.output.wrapped import Line, cells, wrap

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from condense_cli.document.document import Document
    from condense_cli.model.plan import Edit, Plan

_MOST_PLACES = 8
_NARROWEST = 40
_OLD, _NEW, _SAME = "red", "green", "dim"


class Look(NamedTuple):
    """How a difference is shown. width in columns wraps lines (None: not at all); most: how many records are shown."""

    color: bool = False
    width: int | None = None
    side_by_side: bool = False
    most: int | None = None


def lines(plan: Plan, old: Document, new: Document, look: Look) -> Iterator[Line]:
    """Yield the lines of a difference, from the top of the new file to its end, then the edits that no record shows."""
    aligned = align(plan, old, new)
    shown = aligned.changed[: look.most]
    write = _side_by_side if look.side_by_side else _one_by_one
    said: set[str] = set()  # a reason is given once for neighbours
    for linked, group in groupby((describe(one, old, new) for one in shown), key=lambda one: one.linked):
        if linked:
            yield from _links(list(group), said, look)
            continue
        for one in group:
            yield from _head(one, said, look)
            for pair in one.pairs:
                yield from write(pair, look)
    if len(shown) < len(aligned.changed):
        yield ((f"and {counted(len(aligned.changed) - len(shown), 'more record')}: `condense diff` shows all", "bold"),)
    for edit in islice(aligned.others, look.most):
        yield from _wrapped(_edit(edit), look, "    ")


def edit_lines(plan: Plan, width: int | None) -> Iterator[Line]:
    """Yield a line per place that a plan changes: what is done there, and why."""
    for edit in sorted(plan.edits, key=lambda edit: edit.line):
        yield from _wrapped(_edit(edit), Look(width=width), "    ")


def _edit(edit: Edit) -> Line:
    return (
        (f"line {edit.line}", "bold"),
        (f" {edit.change.value} ", "magenta"),
        (f"{edit.rule}: {sentence(edit.rule, edit.detail)}", ""),
    )


def _head(one: Described, said: set[str], look: Look) -> Iterator[Line]:
    yield from _wrapped(((one.place, "bold"), (f" {one.who} ", "cyan"), (one.what, "magenta")), look, "  ")
    if not said.issuperset(one.reasons):
        said.clear()
    yield from _reasons(one.reasons, said, look)


def _reasons(reasons: Iterable[str], said: set[str], look: Look) -> Iterator[Line]:
    for reason in reasons:
        if reason not in said:
            said.add(reason)
            yield from _wrapped((("  ", ""), (reason, "dim")), look, "    ")


def _links(group: list[Described], said: set[str], look: Look) -> Iterator[Line]:
    """Yield one line for neighbours of which only the parent changes, because of what happens around them."""
    places = [one.place.removeprefix("line ") for one in group]
    more = len(places) - _MOST_PLACES
    listed = ", ".join(places[:_MOST_PLACES]) + (f" and {more} more" if more > 0 else "")
    text = f"{'line' if len(places) == 1 else 'lines'} {listed}"
    verb = "is only linked to another parent" if len(places) == 1 else "are only linked to other parents"
    yield from _wrapped(((text, "bold"), (f" {verb}", "dim")), look, "  ")
    yield from _reasons(dict.fromkeys(reason for one in group for reason in one.reasons), said, look)


def _one_by_one(pair: Pair, look: Look) -> Iterator[Line]:
    if pair.label:
        yield from _wrapped((("  ", ""), (pair.label, "bold")), look, "    ")
    for sign, text, style in (
        ("-", pair.old, _OLD),
        (" " if pair.same else "+", pair.new, _SAME if pair.same else _NEW),
    ):
        marked = pair.old is not None and pair.new is not None
        for spans in _spans(text or [], style, look, marked=marked, sign=sign):
            yield from _wrapped((("  ", ""), (f"{sign} ", style), *spans), look, "    ")


def _side_by_side(pair: Pair, look: Look) -> Iterator[Line]:
    """Yield the old text on the left and the new one on the right."""
    if pair.label:
        yield from _wrapped((("  ", ""), (pair.label, "bold")), look, "    ")
    half = (max(look.width or 80, _NARROWEST) - 3) // 2
    marked = pair.old is not None and pair.new is not None
    left = [line for spans in _spans(pair.old or [], _OLD, look, marked=marked, sign="-") for line in wrap(spans, half)]
    new = _spans(pair.new or [], _SAME if pair.same else _NEW, look, marked=marked, sign="+")
    right = [line for spans in new for line in wrap(spans, half)]
    for one, two in zip_longest(left, right, fillvalue=()):
        room = half - sum(cells(text) for text, _ in one)
        yield (*one, (f"{' ' * room} │ ", "dim"), *two)


def _spans(text: Text, style: str, look: Look, *, marked: bool, sign: str) -> Iterator[Line]:
    """Yield lines in which what changed is marked: by style, or without colour as [-old-] and {+new+}."""
    opening, closing = ("[-", "-]") if sign == "-" else ("{+", "+}")
    for pieces in text:
        line = [(piece.text, (f"bold {style}" if marked else style) if piece.changed else "dim") for piece in pieces]
        if marked and not look.color and any(not piece.changed for piece in pieces if piece.text):
            line = [(f"{opening}{p.text}{closing}" if p.changed and p.text else p.text, "") for p in pieces]
        yield tuple(line)


def _wrapped(line: Iterable[tuple[str, str]], look: Look, indent: str) -> Iterable[Line]:
    one: Line = tuple([(one_line(text), style) for text, style in line])
    return (one,) if look.width is None else wrap(one, max(look.width, _NARROWEST), indent)
