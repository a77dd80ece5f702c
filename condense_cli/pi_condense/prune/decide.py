"""All decisions for one branch as a value: what is dropped, replaced, purged, stripped and inserted, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.pi_condense.prune import diagnostics
from condense_cli.pi_condense.prune.cap import capped, capped_images
from condense_cli.pi_condense.prune.context import (
    Brief,
    ContextMessage,
    Load,
    brief_of,
    context,
    message_at,
    seen_at,
    without_system,
)
from condense_cli.pi_condense.prune.drop import drop
from condense_cli.pi_condense.prune.facts import Facts
from condense_cli.pi_condense.prune.index import Index, Rebuild
from condense_cli.pi_condense.prune.keys import WouldThrowError, same
from condense_cli.pi_condense.prune.protect import protection
from condense_cli.pi_condense.prune.purge import purged, purged_arguments
from condense_cli.pi_condense.prune.ranges import resolve
from condense_cli.pi_condense.prune.size import message_size
from condense_cli.pi_condense.prune.stubs import Stub, stubbed, stubs
from condense_cli.pi_condense.prune.supersede import superseded, superseded_results
from condense_cli.pi_condense.prune.sweep import SweepRule, turn
from condense_cli.pi_condense.prune.synthetic import Synthetic, chain_body, synthetic_message

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from condense_cli.model.messages import Record
    from condense_cli.pi_condense.prune.diagnostics import Diagnostic
    from condense_cli.pi_condense.prune.drop import Dropped
    from condense_cli.pi_condense.prune.ranges import Range
    from condense_cli.pi_condense.prune.settings import Settings

_INSERTED = Facts("user")
ORPHAN = "result without its call"


class Branch(NamedTuple):
    """The facts of one branch: the messages of the context, system ones included, and what was persisted.

    failure says why the original could not rebuild its index.
    """

    places: tuple[ContextMessage, ...]
    records: Index
    failure: str = ""


class Added(NamedTuple):
    """A message that a sweep rule put in."""

    message: dict[str, Any]


Step = int | Synthetic | Added


class Pruning(NamedTuple):
    """The decisions over the messages of a context without its system messages, all by position from 0.

    steps is what comes out, in order; capped are the pictures that are left out, superseded the paths of results that
    are out of date, purged the blocks that lose long arguments. pruned says nothing of capped, as in the original.
    A failure means that the original would have left everything as it is.
    """

    places: tuple[ContextMessage, ...]
    steps: Sequence[Step]
    pruned: bool = False
    dropped: Mapping[int, str] = {}
    stubs: Mapping[int, Stub] = {}
    purged: Mapping[int, frozenset[int]] = {}
    stripped: frozenset[int] = frozenset()
    parts: Mapping[int, frozenset[int]] = {}
    diagnostics: tuple[Diagnostic, ...] = ()
    failure: str = ""
    capped: Mapping[int, frozenset[int]] = {}
    superseded: Mapping[int, str] = {}

    @property
    def changed(self) -> bool:
        """Say whether anything comes out that did not go in."""
        return self.pruned or bool(self.capped)


def read_branch(records: Sequence[Record], load: Load, seen: Sequence[ContextMessage | None] = ()) -> Branch:
    """Read the facts of a branch, root to leaf, in one pass; entries that a BriefWatch has seen are not loaded."""
    rebuild = Rebuild()
    briefs: list[Brief | ContextMessage] = []
    for record in records:
        place = seen_at(seen, record)
        if place is not None:
            briefs.append(place)
            continue
        entry = load(record)
        briefs.append(brief_of(record, entry))
        rebuild.add(record, entry)
    rebuild.finish()
    return Branch(tuple(context(briefs, load)), rebuild.index, rebuild.failure)


def prune(branch: Branch, settings: Settings, load: Load, sweep: SweepRule = turn) -> Pruning:
    """Decide what is pruned from a branch. Never raises for what the original fails on: that is in `failure`."""
    places = without_system(branch.places)
    if branch.failure:
        return _unchanged(places, failure=branch.failure)
    cap = capped_images([place.facts for place in places], settings)
    if not settings.enabled:
        return _unchanged(places)._replace(capped=cap)
    try:
        decided = _decide(places, branch.records, settings, load)
        return _swept(decided, sweep)._replace(capped=cap)
    except WouldThrowError as problem:
        return _unchanged(places, failure=problem.problem)


def _unchanged(places: tuple[ContextMessage, ...], failure: str = "") -> Pruning:
    return Pruning(places, range(len(places)), failure=failure)


def _decide(places: tuple[ContextMessage, ...], index: Index, settings: Settings, load: Load) -> Pruning:
    messages = [place.facts for place in places]
    protected = protection(settings)
    replaced = stubs(messages, index, protected, settings.grace_turns)
    outdated = superseded_results(messages, protected)
    arguments: dict[int, frozenset[int]] = {}
    if settings.purge:
        no_failures = replaced.keys() | outdated.keys()
        arguments = purged_arguments(
            messages, no_failures, settings, lambda position: message_at(places[position], load)
        )
    resolved = resolve(index.chains() if settings.compress else [], messages)
    cut = drop(resolved.ranges, messages)
    inserted, stripped = _at_ends(resolved.ranges, cut, messages, index, settings, load)
    return Pruning(
        places,
        _steps(len(messages), cut.positions, inserted),
        bool(replaced or outdated or arguments or resolved.ranges),
        cut.positions,
        replaced,
        arguments,
        stripped,
        diagnostics=diagnostics.told_once([*resolved.diagnostics, *cut.diagnostics]),
        superseded=outdated,
    )


def _steps(count: int, gone: Mapping[int, str], inserted: Mapping[int, Synthetic]) -> Sequence[Step]:
    """Return what comes out of so many messages; where none goes, nobody has to keep their numbers."""
    if not gone and not inserted:
        return range(count)
    steps: list[Step] = []
    for position in range(count):
        if position not in gone:
            steps.append(position)
            if position in inserted:
                steps.append(inserted[position])
    return steps


def _at_ends(
    ranges: Sequence[Range], cut: Dropped, messages: Sequence[Facts], index: Index, settings: Settings, load: Load
) -> tuple[dict[int, Synthetic], frozenset[int]]:
    """Return the messages in place of ranges, by the position that they follow, and the answers without thinking."""
    stripped: set[int] = set()
    inserted: dict[int, Synthetic] = {}
    present = {same(facts.block_id) for facts in messages if facts.block_id is not None}
    for chain, start, end in ranges:
        chain_body(chain, index, load)  # the original builds it here, and fails here
        if settings.strip_final_thinking:
            if messages[end].content not in ("blocks", "holes"):
                raise WouldThrowError("the closing answer of a chain is not a list of blocks")
            if messages[end].content == "holes":
                raise WouldThrowError("an assistant message has a block that is null")
            stripped.add(end)
        if same(chain.block_id) not in present:
            inserted[start] = Synthetic(chain, cut.protected[start])
    return inserted, frozenset(stripped)


def _swept(pruning: Pruning, sweep: SweepRule) -> Pruning:
    """Take out what lost its other half, by a rule that is shown what comes out."""
    steps = pruning.steps
    messages = [pruning.places[step].facts if isinstance(step, int) else _INSERTED for step in steps]
    swept = sweep(messages)
    if not swept.changes(len(steps)):
        return pruning
    kept = set(swept.order)
    orphans = {step: ORPHAN for number, step in enumerate(steps) if number not in kept and isinstance(step, int)}
    ordered: list[Step] = []
    for number in swept.order:
        ordered.append(steps[number])
        ordered.extend(Added(message) for message in swept.added.get(number, ()))
    notes = [*pruning.diagnostics, *((diagnostics.swept(swept.ids),) if swept.ids else ())]
    return pruning._replace(
        steps=ordered,
        pruned=True,
        dropped={**pruning.dropped, **orphans},
        parts={
            step: swept.parts[number]
            for number, step in enumerate(steps)
            if number in swept.parts and isinstance(step, int)
        },
        diagnostics=diagnostics.told_once(notes),
    )


class Emitted(NamedTuple):
    """One message that comes out: the step it is, and what went in there (the same object if nothing changed it)."""

    step: Step
    message: dict[str, Any]
    before: dict[str, Any] | None = None

    @property
    def changed(self) -> bool:
        """Say whether it differs from what went in."""
        return self.message is not self.before


def original(pruning: Pruning, position: int, load: Load) -> dict[str, Any]:
    """Load the message at a position as it went in."""
    return message_at(pruning.places[position], load)


def size_before(pruning: Pruning, position: int, message: dict[str, Any]) -> int:
    """Measure a message that went in, in UTF-16 units: after the cap, as the original does."""
    parts = pruning.capped.get(position)
    return message_size(capped(message, parts) if parts else message)


def gone(pruning: Pruning) -> list[int]:
    """Return the positions that do not come out, ascending."""
    standing = {step for step in pruning.steps if isinstance(step, int)}
    return [position for position in range(len(pruning.places)) if position not in standing]


def rewritten(pruning: Pruning, position: int, message: dict[str, Any], load: Load) -> dict[str, Any]:
    """Apply the decisions to a message that stays; it is the same object when there are none."""
    if position in pruning.capped:
        message = capped(message, pruning.capped[position])
    if position in pruning.stubs:
        message = stubbed(message, pruning.stubs[position], load)
    if position in pruning.superseded:
        message = superseded(message, pruning.superseded[position])
    if position in pruning.purged:
        message = purged(message, pruning.purged[position])
    without = pruning.parts.get(position, frozenset())
    strips = position in pruning.stripped
    if without or strips:
        content = [
            b for part, b in enumerate(message["content"]) if part not in without and not (strips and _thinks(b))
        ]
        message = {**message, "content": content}
    return message


def _thinks(block: Any) -> bool:
    return isinstance(block, dict) and block.get("type") == "thinking"


def emit(pruning: Pruning, index: Index, load: Load) -> Iterator[Emitted]:
    """Yield the messages that come out, each loaded when its turn comes."""

    def output_at(position: int) -> dict[str, Any]:
        # Protected outputs are moved as they are after stubs and purge.
        return rewritten(pruning, position, original(pruning, position, load), load)

    for step in pruning.steps:
        if isinstance(step, int):
            before = original(pruning, step, load)
            after = rewritten(pruning, step, before, load)
            yield Emitted(step, after, before)
        elif isinstance(step, Synthetic):
            yield Emitted(step, synthetic_message(step, index, load, output_at))
        else:
            yield Emitted(step, step.message)
