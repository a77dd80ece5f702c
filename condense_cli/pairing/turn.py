"""The turn rule, for formats other than pi's: a result stays only if the turn right before it asked for it, once.

An assistant message replaces the open ids, a result consumes one, anything else that is said clears them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.model.messages import Half, Result, Role
from condense_cli.pairing.decision import Decision, MessageOutline, emptied, in_order

if TYPE_CHECKING:
    from collections.abc import Sequence


def turn(outlines: Sequence[MessageOutline]) -> Decision:
    """Take out results that their own turn did not ask for. Calls are left alone."""
    open_ids: set[tuple[str | None, str]] = set()
    gone: set[Half] = set()
    for message, _, _ in outlines:
        if message.role is Role.ASSISTANT:
            open_ids = {(call.id, call.family) for call in message.calls}
        for result in message.results:
            _consume(result, open_ids, gone)
        if message.role is not Role.ASSISTANT and (message.said or not message.results):
            open_ids = set()
    decision = Decision(frozenset(gone), reasons=dict.fromkeys(in_order(gone), "orphan-result"))
    return decision._replace(dropped=emptied(outlines, decision))


def _consume(result: Result, open_ids: set[tuple[str | None, str]], gone: set[Half]) -> None:
    key = (result.id, result.family)
    if key in open_ids:
        open_ids.remove(key)
    else:
        gone.add(result)
