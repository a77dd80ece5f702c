"""What goes with a range: its answers, results and summaries, and summaries elsewhere that it covers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.jsonbytes.javascript import UNDEFINED, string
from condense_cli.pi_condense.prune import diagnostics
from condense_cli.pi_condense.prune.keys import WouldThrowError, bare, occurrence_key, same

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense_cli.pi_condense.prune.diagnostics import Diagnostic
    from condense_cli.pi_condense.prune.facts import Facts
    from condense_cli.pi_condense.prune.ranges import Range


class Dropped(NamedTuple):
    """Positions that go, with the reason; positions of outputs to keep per block, in order; what was noticed."""

    positions: dict[int, str]
    protected: dict[int, tuple[int, ...]]  # start of the range -> positions of outputs moved into its synthetic
    diagnostics: tuple[Diagnostic, ...]


def drop(ranges: Sequence[Range], messages: Sequence[Facts]) -> Dropped:
    """Decide what the ranges take out. User messages and foreign messages inside a range stay."""
    positions: dict[int, str] = {}
    protected: dict[int, tuple[int, ...]] = {}
    by_block: dict[Any, list[int]] = {}
    keys: set[Any] = set()
    ids: set[Any] = set()
    notes: list[Diagnostic] = []
    for chain, start, end in ranges:
        block = by_block.setdefault(same(chain.block_id), [])
        wanted = {same(name) for name in _list(chain.protected)}
        inside: set[Any] = set()
        reason = f"range {string(chain.block_id)}"
        for position in range(start + 1, end):
            facts = messages[position]
            if facts.role == "toolResult":
                call_id = same(facts.call_id)
                inside.add(call_id)
                keys.add(same(facts.key))
                if call_id in wanted:
                    block.append(position)
            elif facts.role == "assistant":
                inside |= _called(facts)
            elif not facts.summary:
                continue
            positions[position] = reason
        ids |= inside
        recorded = {bare(name) for name in _list(chain.call_ids)}
        if recorded != inside:
            notes.append(diagnostics.mismatch(chain.block_id, len(recorded), len(inside)))
        protected[start] = tuple(block)
    for position, facts in enumerate(messages):
        if facts.summary and position not in positions and _covered(facts, keys, ids):
            positions[position] = "summary of dropped calls"
    return Dropped(positions, protected, tuple(notes))


def _called(facts: Facts) -> set[Any]:
    if facts.content in ("holes", "other"):
        raise WouldThrowError("an assistant message has a block that is none")
    return {same(call.id) for call in facts.calls}


def _list(value: Any) -> list[Any]:
    if value is None or value is UNDEFINED:
        return []
    if not isinstance(value, list):
        raise WouldThrowError("a chain's ids are no list")
    return value


def _covered(facts: Facts, keys: set[Any], ids: set[Any]) -> bool:
    for ref in facts.refs:
        if ref.time is UNDEFINED:
            if bare(ref.call_id) in ids:
                return True
        elif same(occurrence_key(ref.call_id, ref.time)) in keys:
            return True
    return False
