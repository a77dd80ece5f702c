"""The four views of a pi session as messages: stored, context, rendered, wire. Each is loaded as it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.pi_condense.prune.context import message_at
from condense_cli.pi_condense.prune.decide import Branch, Pruning, emit, original, prune, read_branch
from condense_cli.pi_condense.prune.sweep import SweepRule, turn
from condense_cli.pi_condense.prune.wire import folded_system, for_anthropic

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.model.messages import Record
    from condense_cli.pi_condense.prune.context import ContextMessage, Load
    from condense_cli.pi_condense.prune.settings import Settings

Message = dict[str, Any]


class Rendering(NamedTuple):
    """One branch with the decisions on it, and how to load its entries."""

    branch: Branch
    pruning: Pruning
    load: Load

    def context(self) -> Iterator[Message]:
        """Yield what pi reads from the branch, system messages included."""
        return (message_at(place, self.load) for place in self.branch.places)

    def before(self) -> Iterator[Message]:
        """Yield what pruning is shown: the context without system messages."""
        return (original(self.pruning, position, self.load) for position in range(len(self.pruning.places)))

    def rendered(self) -> Iterator[Message]:
        """Yield the messages after pruning."""
        return (emitted.message for emitted in emit(self.pruning, self.branch.records, self.load))

    def wire(self) -> Iterator[Message]:
        """Yield what pi hands to an Anthropic model. After pruning, one folded system message is before it."""
        return for_anthropic(self._request())

    def _request(self) -> Iterator[Message]:
        if not self.pruning.changed:
            yield from self.context()
            return
        system = (place for place in self.branch.places if place.facts.role == "system")
        yield from folded_system([message_at(place, self.load) for place in system])
        yield from self.rendered()


def render(
    records: Sequence[Record],
    load: Load,
    settings: Settings,
    sweep: SweepRule = turn,
    seen: Sequence[ContextMessage | None] = (),
) -> Rendering:
    """Read a branch, root to leaf, and decide what is pruned from it; seen is what a BriefWatch has taken."""
    branch = read_branch(records, load, seen)
    return Rendering(branch, prune(branch, settings, load, sweep), load)
