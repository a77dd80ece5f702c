"""What compaction saves: the rendered messages before and after it, measured, chain by chain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.pi_condense.compact.branch import Said
from condense_cli.pi_condense.prune.decide import original, prune, rewritten
from condense_cli.pi_condense.prune.keys import occurrence_key, same
from condense_cli.pi_condense.prune.size import message_size
from condense_cli.pi_condense.prune.synthetic import Synthetic, synthetic_message

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from condense_cli.pi_condense.compact.branch import Reading
    from condense_cli.pi_condense.compact.run import Run
    from condense_cli.pi_condense.prune.decide import Pruning
    from condense_cli.pi_condense.prune.index import Index
    from condense_cli.pi_condense.prune.settings import Settings

_RANGE = "range "  # how the reasons of pruning begin for what a block drops


class Gain(NamedTuple):
    """UTF-16 units of the rendered messages before and after, and what each new block saves (below 0: it grows).

    failure says why pi-condense would leave the session unpruned afterwards, although it does not now.
    """

    before: int
    after: int
    saved: Mapping[str, int]
    failure: str = ""


class _Sizes:
    """The sizes of single messages as they come out."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    def plain(self, pruning: Pruning, position: int) -> int:
        place = pruning.places[position]
        known = place.size if isinstance(place, Said) else None
        return message_size(original(pruning, position, self._reading.load)) if known is None else known

    def at(self, pruning: Pruning, position: int, state: tuple[Any, ...]) -> int:
        if not state:
            return 0
        if not any(state[1:]):
            return self.plain(pruning, position)
        load = self._reading.load
        return message_size(rewritten(pruning, position, original(pruning, position, load), load))


def _states(pruning: Pruning) -> Iterator[tuple[Any, ...]]:
    """Yield what is decided on each position; nothing where the message does not come out."""
    comes_out = bytearray(len(pruning.places))
    for step in pruning.steps:
        if isinstance(step, int):
            comes_out[step] = True
    decided = (pruning.capped, pruning.stubs, pruning.superseded, pruning.purged, pruning.parts)
    for position, out in enumerate(comes_out):
        strips = position in pruning.stripped and pruning.places[position].facts.thinks
        yield (True, strips, *(one.get(position) for one in decided)) if out else ()


def measure(reading: Reading, run: Run, settings: Settings) -> Gain:
    """Compare the rendering with and without what a run appends."""
    settings = settings._replace(enabled=True)
    before = prune(reading.branch, settings, reading.load)
    after = prune(reading.branch._replace(records=run.records), settings, reading.load)
    sizes = _Sizes(reading)
    owners = _Owners(after, run)
    saved = {row.block_id: 0 for row in run.compressed}
    total = change = 0
    for position, (old, new) in enumerate(zip(_states(before), _states(after), strict=True)):
        size = sizes.at(before, position, old)
        total += size
        owner = owners.of(position)
        if old != new:
            less = size - sizes.at(after, position, new)
            change -= less
            if owner is not None:
                saved[owner] += less
    old_blocks = _synthetics(reading, before, reading.branch.records)
    new_blocks = _synthetics(reading, after, run.records)
    total += sum(old_blocks.values())
    for block in old_blocks.keys() | new_blocks.keys():
        more = new_blocks.get(block, 0) - old_blocks.get(block, 0)
        change += more
        if block in saved:
            saved[block] -= more
    return Gain(total, total + change, saved, after.failure if not before.failure else "")


def _synthetics(reading: Reading, pruning: Pruning, index: Index) -> dict[Any, int]:
    """Return the size of each message in place of a chain, by block."""

    def output_at(position: int) -> dict[str, Any]:
        return rewritten(pruning, position, original(pruning, position, reading.load), reading.load)

    found: dict[Any, int] = {}
    for step in pruning.steps:
        if isinstance(step, Synthetic):
            block = same(step.chain.block_id)
            found[block] = found.get(block, 0) + message_size(synthetic_message(step, index, reading.load, output_at))
    return found


class _Owners:
    """Says which new block a position belongs to.

    It does if the block's range drops or strips it, or if it is a result or a summary of what the block recorded or
    dropped.
    """

    def __init__(self, pruning: Pruning, run: Run) -> None:
        self._pruning = pruning
        self._names = {row.block_id: row.block_id for row in run.compressed}
        self._dropped = {
            same(name): row.block_id for row in run.compressed for name in (*row.chain.ids, *row.chain.keys)
        }
        self._last: str | None = None

    def of(self, position: int) -> str | None:
        """Return the block of a position; ask for all of them, in ascending order."""
        reason = self._pruning.dropped.get(position)
        if reason is not None and reason.startswith(_RANGE):
            self._last = self._names.get(reason[len(_RANGE) :])
            return self._last
        if position in self._pruning.stripped:
            return self._last  # ranges are disjoint, and each of them drops something
        facts = self._pruning.places[position].facts
        if facts.role == "toolResult":
            return self._dropped.get(same(facts.key))
        return next(
            filter(None, (self._dropped.get(same(occurrence_key(ref.call_id, ref.time))) for ref in facts.refs)), None
        )
