"""What pruning changes, position by position, and how much of the prompt cache's prefix survives."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from condense_cli.jsonbytes.javascript import string
from condense_cli.pi_condense.prune.decide import emit, gone
from condense_cli.pi_condense.prune.size import message_size
from condense_cli.pi_condense.prune.synthetic import Synthetic

if TYPE_CHECKING:
    from condense_cli.pi_condense.prune.views import Rendering


class Difference(NamedTuple):
    """One change.

    line counts from 1, position from 0; before and after are sizes in UTF-16 units of JSON, pictures at their price.
    """

    change: str  # drop, replace, purge, strip or insert
    line: int
    position: int
    role: str
    before: int
    after: int
    reason: str


class Summary(NamedTuple):
    """All changes, the size before and after, and the first changed position (the number of messages: none)."""

    differences: tuple[Difference, ...]
    messages: int
    before: int
    after: int
    first: int
    prefix: int  # UTF-16 units before the first change


def differences(rendering: Rendering) -> Summary:
    """Compare what went in with what comes out. Sizes are those of each message's compact JSON."""
    pruning = rendering.pruning
    outputs = emit(pruning, rendering.branch.records, rendering.load)
    found: list[Difference] = []
    lengths = [message_size(message) for message in rendering.before()]
    after = 0
    place = 0
    for emitted in outputs:
        step, message = emitted.step, emitted.message
        changed = emitted.changed and message != emitted.before
        size = message_size(message)
        after += size
        if isinstance(step, int):
            if changed or step < place:
                kind, reason = _kind(rendering, step) if changed else ("move", "after its call")
                found.append(
                    Difference(
                        kind, _line(rendering, step), step, string(message.get("role")), lengths[step], size, reason
                    )
                )
            place = max(place, step)
        else:
            reason = (
                f"compressed chain {step.chain.block_id}" if isinstance(step, Synthetic) else "answer to an open call"
            )
            found.append(
                Difference("insert", _line(rendering, place), place, string(message.get("role")), 0, size, reason)
            )
    for position in gone(pruning):
        role, reason = string(pruning.places[position].facts.role), pruning.dropped.get(position, "")
        found.append(Difference("drop", _line(rendering, position), position, role, lengths[position], 0, reason))
    # An insertion comes after the message at its position, so it leaves that one in the prefix.
    found.sort(key=lambda d: (d.position, d.change == "insert"))
    first = min((d.position + (d.change == "insert") for d in found), default=len(lengths))
    return Summary(tuple(found), len(lengths), sum(lengths), after, first, sum(lengths[:first]))


def _line(rendering: Rendering, position: int) -> int:
    return rendering.pruning.places[position].record.line


def _kind(rendering: Rendering, position: int) -> tuple[str, str]:
    pruning = rendering.pruning
    if position in pruning.stubs and position not in pruning.superseded:
        return "replace", f"summarized as {pruning.stubs[position].ref}"
    if position in pruning.superseded:
        return "replace", "its path was read again later"
    if position in pruning.purged:
        return "purge", "arguments of a failed call"
    if position in pruning.capped:
        return "replace", "earlier pictures, over the limit of a request"
    return "strip", "thinking" if position in pruning.stripped else "call without a result"
