"""The words in place of a chain when no model summed it up: seven lines, the same for the same records."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.jsonbytes.javascript import UNDEFINED, is_number, iso, milliseconds, number_text, string, stringify
from condense_cli.pi_condense.compact.collation import collation_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

HEAD = (
    "Deterministic chain compression (no per-batch summary existed for this span; raw outputs recoverable via "
    "context_tree_query)."
)
MOST_ARGUMENTS = 200
"""UTF-16 units of a call's arguments that are shown."""

LATEST = 8_640_000_000_000_000
"""Milliseconds: the last moment that is a date in JavaScript."""


class Brief(NamedTuple):
    """What the text says of one record. time is in milliseconds."""

    call_id: Any
    tool: str
    time: Any
    arguments: Any


def brief_of(record: dict[str, Any]) -> Brief:
    """Read from a record what the text needs: no output."""
    time = record.get("resultTimestamp")
    return Brief(
        record.get("toolCallId", UNDEFINED),
        string(record.get("toolName", UNDEFINED)),
        record.get("timestamp", UNDEFINED) if time is None else time,
        record.get("args", UNDEFINED),
    )


def _shortened(arguments: Any) -> str:
    text = "" if arguments is UNDEFINED else stringify(arguments).decode()
    units = text.encode("utf-16-le", "surrogatepass")
    if len(units) <= 2 * MOST_ARGUMENTS:
        return text
    # A pair may be cut in two, as it is in the original.
    return units[: 2 * MOST_ARGUMENTS].decode("utf-16-le", "surrogatepass") + "..."


def tools_of(names: Iterable[str]) -> str:
    """Count tools by name, the most used first."""
    counts = Counter(names)
    ranked = sorted(counts, key=lambda name: (-counts[name], collation_key(name)))
    return ", ".join(f"{name} x{counts[name]}" for name in ranked)


def has_dates(briefs: Sequence[Brief]) -> bool:
    """Say whether every record has a time that is a date."""
    return all(is_number(brief.time) and abs(brief.time) <= LATEST for brief in briefs)


def _span(first: float, last: float) -> str:
    seconds = math.floor((last - first) / 1000 + 0.5)
    return f"{iso(milliseconds(first))} -> {iso(milliseconds(last))} ({number_text(seconds)}s)"


def body_text(briefs: Sequence[Brief], refs: Sequence[Any], head: str = HEAD) -> str:
    """Write the seven lines; records without dates, as in arrays of messages, count in their order."""
    dated = has_dates(briefs)
    ordered = sorted(briefs, key=lambda brief: brief.time) if dated else briefs
    first, last = ordered[0], ordered[-1]
    named = refs or [brief.call_id for brief in briefs]
    return "\n".join(
        (
            head,
            f"Calls: {len(briefs)}",
            f"Tools: {tools_of(brief.tool for brief in briefs)}",
            f"Span: {_span(first.time, last.time) if dated else 'unknown'}",
            f"First: {first.tool} {_shortened(first.arguments)}",
            f"Last: {last.tool} {_shortened(last.arguments)}",
            f"Refs: {', '.join(string(ref) for ref in named)}",
        )
    )
