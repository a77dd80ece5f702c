"""Where a compressed chain is in the messages: by the times of its two ends, or nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.pi_condense.prune import diagnostics
from condense_cli.pi_condense.prune.keys import moment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense_cli.pi_condense.prune.diagnostics import Diagnostic
    from condense_cli.pi_condense.prune.facts import Facts
    from condense_cli.pi_condense.prune.index import Chain


NOT_ONCE = -1  # the position of what is missing, or there twice


class Range(NamedTuple):
    """A chain and the positions of its user message and its closing answer."""

    chain: Chain
    start: int
    end: int


class Resolved(NamedTuple):
    """The ranges that count, disjoint, and what was said about the others."""

    ranges: tuple[Range, ...]
    diagnostics: tuple[Diagnostic, ...]


def resolve(chains: Sequence[Chain], messages: Sequence[Facts]) -> Resolved:
    """Find each chain between exactly one start (user or another extension) and one answer, and leave out nested ones.

    An end that is missing, found twice or before the start makes the chain count for nothing.
    """
    if not chains:
        return Resolved((), ())
    places: dict[Any, dict[Any, int]] = {"user": {}, "assistant": {}}
    for position, facts in enumerate(messages):
        role = "user" if facts.anchor else facts.role
        if role in ("user", "assistant"):
            put_once(places[role], moment(facts.time), position)
    found: list[Range] = []
    notes: list[Diagnostic] = []
    for chain in chains:
        start = places["user"].get(moment(chain.start), NOT_ONCE)
        end = NOT_ONCE if chain.final is None else places["assistant"].get(moment(chain.final), NOT_ONCE)
        if NOT_ONCE < start < end:
            found.append(Range(chain, start, end))
        else:
            notes.append(diagnostics.unresolved(chain.block_id, chain.start, chain.final))
    accepted: list[Range] = []
    suspects = _inside_another(found)
    for candidate in found:
        other = None
        if candidate.start in suspects:
            other = next((r for r in found if r.start < candidate.start < r.end), None)
        if other is None:
            accepted.append(candidate)
        else:
            notes.append(diagnostics.nested(candidate.chain.block_id, other.chain.block_id))
    return Resolved(tuple(accepted), tuple(notes))


def put_once(places: dict[Any, int], key: Any, position: int) -> None:
    """Note the position of a key, or that it is not there once: there are as many keys as messages, so no lists."""
    places[key] = NOT_ONCE if key in places else position


def _inside_another(ranges: Sequence[Range]) -> set[int]:
    """Return the starts that lie inside some range; a session has thousands of ranges and nearly never one of these."""
    inside: set[int] = set()
    reach = -1
    for one in sorted(ranges, key=lambda r: r.start):
        if one.start < reach:
            inside.add(one.start)
        reach = max(reach, one.end)
    return inside
