"""Results whose call is not there are taken out, whatever else was decided. The rule is a parameter.

`turn` is pi-condense's: an assistant message replaces the open set, a result consumes, any other role clears it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from operator import ne
from typing import Any, NamedTuple

from condense_cli.pi_condense.prune.facts import Facts
from condense_cli.pi_condense.prune.keys import WouldThrowError, same


class Swept(NamedTuple):
    """What a rule decided over the messages that it was shown, all by their number from 0.

    order holds the survivors as they follow each other; parts are blocks taken out of a message; added are
    messages put after one; ids are those of the results that went.
    """

    order: Sequence[int]
    ids: tuple[Any, ...] = ()
    parts: Mapping[int, frozenset[int]] = {}
    added: Mapping[int, tuple[dict[str, Any], ...]] = {}

    def changes(self, count: int) -> bool:
        """Say whether anything is different from the `count` messages that were shown."""
        return bool(self.parts or self.added) or len(self.order) != count or any(map(ne, self.order, range(count)))


SweepRule = Callable[[Sequence[Facts]], Swept]


def turn(messages: Sequence[Facts]) -> Swept:
    """Keep a result only if the assistant message right before its run of results called it, once per call."""
    open_calls: set[Any] = set()
    order = array("L")  # there are as many as messages, and nearly always all of them
    ids: list[Any] = []
    for number, facts in enumerate(messages):
        if facts.role == "assistant":
            if facts.content == "holes":
                raise WouldThrowError("an assistant message has a block that is null")
            open_calls = {same(call.id) for call in facts.calls}
        elif facts.role == "toolResult":
            if same(facts.call_id) not in open_calls:
                ids.append(facts.call_id)
                continue
            open_calls.remove(same(facts.call_id))
        else:
            open_calls = set()
        order.append(number)
    return Swept(order, tuple(ids))
