"""Which results of a protected path are out of date: the path was used again later, and that result stays.

Calls that are protected are never summarized; of those that name the same path, only the newest result is worth its
place. Rendering a stored session is the start of a session, where every older one is replaced. Source: pi-condense
2.10.3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.pi_condense.prune.keys import same

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.pi_condense.prune.facts import CallFact, Facts
    from condense_cli.pi_condense.prune.protect import Protected


def superseded_results(messages: Sequence[Facts], protected: Protected) -> dict[int, str]:
    """Return position -> path (with `/`) of each result that a later one of its path takes the place of."""
    by_path: dict[str, list[int]] = {}
    for position, call in _answered(messages):
        if call.path is not None and protected(call.name, call.path):
            by_path.setdefault(call.path.replace("\\", "/"), []).append(position)
    return {position: path for path, positions in by_path.items() for position in positions[:-1]}


def _answered(messages: Sequence[Facts]) -> Iterator[tuple[int, CallFact]]:
    """Yield the position of each first result of a call that is open, with the call."""
    open_calls: dict[Any, CallFact] = {}
    for position, facts in enumerate(messages):
        if facts.role == "toolResult":
            call = open_calls.pop(same(facts.call_id), None)
            if call is not None:
                yield position, call
        else:
            open_calls = {same(call.id): call for call in facts.calls}


def superseded(message: dict[str, Any], path: str) -> dict[str, Any]:
    """Return the result with a note in the place of its output; it is no error any more, all else stays."""
    text = (
        f"[Superseded: {path} was read again later in this conversation - see the newer read."
        " Re-read the file if this earlier content is needed.]"
    )
    return {**message, "content": [{"type": "text", "text": text}], "isError": False}
