"""Where chains of tool calls begin and end on a branch, and which of them may be compressed now.

A chain goes from a user message, or one of another extension, to the first answer without a call. Positions count the
messages of the branch from 0.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from condense_cli.jsonbytes.javascript import truthy
from condense_cli.pi_condense.prune.keys import parse, same
from condense_cli.pi_condense.prune.stubs import in_grace

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from condense_cli.pi_condense.compact.branch import Said


class ToolChain(NamedTuple):
    """One chain. start and final are times as written; final is None where a user message interrupted it.

    ids are those of its calls and results, keys those of its results' occurrences, both in the order first seen.
    """

    start: Any
    ids: tuple[Any, ...]
    keys: tuple[Any, ...]
    protected: tuple[Any, ...]
    final: Any
    opened: int
    closed: int

    @property
    def lookups(self) -> tuple[Any, ...]:
        """Return the keys that records are looked up by: the bare ids where nothing was answered."""
        return self.keys or self.ids


class Standing(StrEnum):
    """Whether a chain may be compressed, or why not yet."""

    ELIGIBLE = "eligible"
    COMPRESSED = "already-compressed"
    INTERRUPTED = "interrupted"
    TOOLLESS = "no-calls"
    RECENT = "window"
    GRACE = "grace"


class _Open:
    """A chain that is being read. Values are kept by what makes two of them the same in a Set."""

    def __init__(self, start: Any, opened: int) -> None:
        self.start = start
        self.opened = opened
        self.ids: dict[Any, Any] = {}
        self.keys: dict[Any, Any] = {}
        self.protected: dict[Any, Any] = {}

    def add(self, call_id: Any, *, protected: bool) -> None:
        token = same(call_id)
        self.ids.setdefault(token, call_id)
        if protected:
            self.protected.setdefault(token, call_id)

    def asked(self, message: Said) -> None:
        """Add the calls of an answer that have an id and a name."""
        for call in message.calls:
            if truthy(call.id) and truthy(call.name):
                self.add(call.id, protected=call.protected)

    def end(self, final: Any, closed: int) -> ToolChain:
        return ToolChain(
            self.start,
            tuple(self.ids.values()),
            tuple(self.keys.values()),
            tuple(self.protected.values()),
            final,
            self.opened,
            closed,
        )


def detect(said: Sequence[Said]) -> list[ToolChain]:
    """Find the chains in branch order; one that is open at the end is none. Source: pi-condense's detectChains."""
    found: list[ToolChain] = []
    chain: _Open | None = None
    for position, message in enumerate(said):
        facts = message.facts
        if facts.role == "user":
            if message.pasted:
                continue
            if chain is not None:
                found.append(chain.end(None, position))
            chain = _Open(facts.time, position)
        elif chain is None:
            chain = _Open(facts.time, position) if facts.anchor else None
        elif facts.role == "assistant":
            if not facts.calls:
                found.append(chain.end(facts.time, position))
                chain = None
                continue
            chain.asked(message)
        elif facts.role == "toolResult" and truthy(facts.call_id):
            chain.add(facts.call_id, protected=message.calls[0].protected)
            chain.keys.setdefault(same(facts.key), facts.key)
    return found


def grace_keys(said: Sequence[Said], turns: float) -> list[Any]:
    """Return the keys of outputs that the model has just asked for again, in branch order."""
    messages = [message.facts for message in said]
    found = in_grace(messages, turns)
    if not found:
        return []
    keys = (facts.key for facts in messages if facts.role == "toolResult")
    return list({same(key): key for key in keys if same(key) in found}.values())


def standings(
    chains: Sequence[ToolChain], compressed: Collection[Any], grace: Sequence[Any], window: int
) -> list[Standing]:
    """Say of each chain whether it can be compressed. compressed holds the starts of those that have an entry.

    The last `window` candidates are left alone; after that cut those that touch the grace keys, which keep
    their place in the count.
    """
    found = [_standing(chain, compressed) for chain in chains]
    candidates = [n for n, standing in enumerate(found) if standing is Standing.ELIGIBLE]
    for n in candidates[max(0, len(candidates) - window) :]:
        found[n] = Standing.RECENT
    tokens = {same(key) for key in grace}
    bare = {key for key in grace if isinstance(key, str) and parse(key).time is None}
    if tokens:
        for n in candidates:
            if found[n] is Standing.ELIGIBLE and _touches(chains[n], tokens, bare):
                found[n] = Standing.GRACE
    return found


def _standing(chain: ToolChain, compressed: Collection[Any]) -> Standing:
    if chain.final is None:
        return Standing.INTERRUPTED
    if same(chain.start) in compressed:
        return Standing.COMPRESSED
    return Standing.ELIGIBLE if chain.ids else Standing.TOOLLESS


def _touches(chain: ToolChain, tokens: set[Any], bare: set[str]) -> bool:
    return any(
        same(key) in tokens or (bare and isinstance(key, str) and parse(key).id in bare) for key in chain.lookups
    )
