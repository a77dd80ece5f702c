"""Where chains of tool calls begin and end in a thread of any format. Positions count its messages from 0.

The rules are those of chains.py; a format that is not pi's has no entries that say what was compressed
before, but a message in its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from condense_cli.model.messages import Role
from condense_cli.pi_condense.compact.chains import Standing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from condense_cli.model.messages import Message

_OPENS = frozenset({Role.USER, Role.SUMMARY})


class ChainSpan(NamedTuple):
    """One chain: the user message that opens it, the answer that closes it (None: a user message interrupted it).

    middles are the turns with calls and the results between them; stand_in: a message is in their place already.
    """

    opened: int
    closed: int | None
    middles: tuple[int, ...]
    stand_in: bool = False


class _Open:
    def __init__(self, at: int) -> None:
        self.at = at
        self.middles: list[int] = []
        self.stand_in = False

    def end(self, closed: int | None) -> ChainSpan:
        return ChainSpan(self.at, closed, tuple(self.middles), self.stand_in)


def detect(messages: Sequence[Message], is_stand_in: Callable[[int], bool]) -> list[ChainSpan]:
    """Find the chains of a thread in order; one that is open at the end is none."""
    found: list[ChainSpan] = []
    chain: _Open | None = None
    for at, message in enumerate(messages):
        if message.skipped:
            continue
        if message.role in _OPENS and (message.said or not message.results):
            if is_stand_in(at):
                if chain is not None:
                    chain.stand_in = True
                continue
            if chain is not None:
                found.append(chain.end(None))
            chain = _Open(at)
        elif chain is None:
            continue
        elif message.role is Role.ASSISTANT and not any(not call.server for call in message.calls):
            found.append(chain.end(at))
            chain = None
        elif message.role is Role.ASSISTANT or message.results:
            chain.middles.append(at)
    return found


def standings(spans: Sequence[ChainSpan], window: int) -> list[Standing]:
    """Say of each chain whether it can be compressed; of those that can, the last `window` are left alone."""
    found = [_standing(span) for span in spans]
    candidates = [n for n, standing in enumerate(found) if standing is Standing.ELIGIBLE]
    for n in candidates[max(0, len(candidates) - window) :]:
        found[n] = Standing.RECENT
    return found


def _standing(span: ChainSpan) -> Standing:
    if span.closed is None:
        return Standing.INTERRUPTED
    if span.middles:
        return Standing.ELIGIBLE
    return Standing.COMPRESSED if span.stand_in else Standing.TOOLLESS
