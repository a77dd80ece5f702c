"""A finding in words: the sentence of its rule, then what is special about the place."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from condense_cli.output.plain import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense_cli.model.findings import Finding, Report

_LONGEST_ID = 80
_LONGEST_DETAIL = 240
_MOST_RELATED = 8
_MOST_IDS = 3


@lru_cache
def sentence(rule: str, detail: str = "") -> str:
    """Return what a broken rule means, and after it the detail, on one line."""
    from condense_cli.rules.catalogue import RULES  # start-up: who only counts needs no rule

    known = RULES.get(rule)
    return ": ".join(filter(None, (known.means if known else "", shortened(detail, _LONGEST_DETAIL)))) or rule


def problem(report: Report) -> str:
    """Return why a file could not be checked, without the path that is before it anyway."""
    return one_line((report.error or "").removeprefix(f"{report.path}: "))


def facts(finding: Finding) -> str:
    """Return where exactly a finding is and what it clashes with: `call c1; entry e4; see line 7`.

    Empty if nothing is known.
    """
    known = (
        ("see", _lines(finding.related)),
        ("call", _id(finding.call_id)),
        ("entry", _id(finding.entry)),
        ("message", finding.index),
        ("part", finding.part),
    )
    return "; ".join(f"{name} {value}" for name, value in known if value is not None)


def evidence(findings: Sequence[Finding]) -> str:
    """Return what equal findings have of their own: `calls c1, c2, c3 and 13 more`. Empty if they have no ids."""
    calls = [
        shortened(finding.call_id, _LONGEST_ID) or "(empty)" for finding in findings if finding.call_id is not None
    ]
    entries = [shortened(finding.entry, _LONGEST_ID) or "(empty)" for finding in findings if finding.entry is not None]
    # The entries of calls are on the lines that the finding names already.
    name, ids = ("call", calls) if calls else ("entry", entries)
    shown = list(dict.fromkeys(ids))
    more = len(shown) - _MOST_IDS
    word = name if len(shown) == 1 else {"call": "calls", "entry": "entries"}[name]
    return f"{word} {', '.join(shown[:_MOST_IDS])}{f' and {more} more' if more > 0 else ''}" if shown else ""


def shortened(text: str, most: int) -> str:
    """Return text on one line, at most that many characters of it."""
    return one_line(text if len(text) <= most else text[: most - 1] + "…")


def counted(number: int, noun: str) -> str:
    """Return a number and its noun: `1 error`, `2 errors`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _id(text: str | None) -> str | None:
    # An id that is there but empty is the fault itself, so it must not vanish from the line.
    return None if text is None else shortened(text, _LONGEST_ID) or "(empty)"


def lines_of(numbers: tuple[int, ...]) -> str:
    """Return where something is: `line 4`, `lines 4, 9 and 3 more`."""
    return _lines(numbers) or ""


def _lines(related: tuple[int, ...]) -> str | None:
    if not related:
        return None
    shown = ", ".join(map(str, related[:_MOST_RELATED]))
    more = len(related) - _MOST_RELATED
    return f"{'line' if len(related) == 1 else 'lines'} {shown}{f' and {more} more' if more > 0 else ''}"
