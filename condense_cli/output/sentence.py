"""A finding in words: the sentence of its rule, then what is special about the place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.output.plain import one_line
from condense_cli.rules.catalogue import RULES

if TYPE_CHECKING:
    from condense_cli.model.findings import Finding, Report

_LONGEST_ID = 80
_LONGEST_DETAIL = 240
_MOST_RELATED = 8


def sentence(rule: str, detail: str = "") -> str:
    """Return what a broken rule means, and the detail behind it, on one line."""
    known = RULES.get(rule)
    return ": ".join(filter(None, (known.means if known else "", shortened(detail, _LONGEST_DETAIL)))) or rule


def problem(report: Report) -> str:
    """Return why a file could not be checked, without the path that stands in front of it anyway."""
    return one_line((report.error or "").removeprefix(f"{report.path}: "))


def facts(finding: Finding) -> str:
    """Return where exactly a finding is and what it clashes with: `call c1; entry e4; see line 7`. Empty if nothing is known."""
    known = (
        ("see", _lines(finding.related)),
        ("call", _id(finding.call_id)),
        ("entry", _id(finding.entry)),
        ("message", finding.index),
        ("part", finding.part),
    )
    return "; ".join(f"{name} {value}" for name, value in known if value is not None)


def shortened(text: str, most: int) -> str:
    """Return text on one line, at most that many characters of it."""
    return one_line(text if len(text) <= most else text[: most - 1] + "…")


def counted(number: int, noun: str) -> str:
    """Return a number and its noun: `1 error`, `2 errors`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _id(text: str | None) -> str | None:
    # An id that is there but empty is the fault itself, so it must not vanish from the line.
    return None if text is None else shortened(text, _LONGEST_ID) or "(empty)"


def _lines(related: tuple[int, ...]) -> str | None:
    if not related:
        return None
    shown = ", ".join(map(str, related[:_MOST_RELATED]))
    more = len(related) - _MOST_RELATED
    return f"{'line' if len(related) == 1 else 'lines'} {shown}{f' and {more} more' if more > 0 else ''}"
