"""Conversations without any ids: calls and results pair by order, so ids that say so are given while they are
judged.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from condense_cli.dataset.conversation import Shape

_MARK = "by_order_"


def has_ids(turns: list[Any], shape: Shape) -> bool:
    """Say whether a call or a result of the conversation has an id. A conversation without halves has."""
    halves = list(_halves(turns, shape))
    return not halves or any(half.get(key) is not None for half, key in halves)


def with_ids(turns: list[Any], shape: Shape) -> list[Any]:
    """Return the turns with an id for each half: results take those of the last turn with calls, one after the
    other.
    """
    found = [_copied(turn) for turn in turns]
    open_ids: list[str] = []
    given = 0
    for turn in found:
        halves = list(_halves([turn], shape))
        if any(key == "id" for _, key in halves):
            open_ids = []
        for half, key in halves:
            given += 1
            if key == "id":
                half[key] = f"{_MARK}{given}"
                open_ids.append(half[key])
            else:
                half[key] = open_ids.pop(0) if open_ids else f"{_MARK}{given}"
    return found


def without_ids(turns: list[Any], shape: Shape) -> list[Any]:
    """Take the ids away that `with_ids` gave."""
    for half, key in _halves(turns, shape):
        if str(half.get(key, "")).startswith(_MARK):
            del half[key]
    return turns


def _halves(turns: list[Any], shape: Shape) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield each call and result with the name of its id."""
    for turn in turns:
        if shape is Shape.CHAT:
            calls = turn.get("tool_calls")
            yield from ((call, "id") for call in calls if isinstance(call, dict)) if isinstance(calls, list) else ()
            if turn.get("role") == "tool":
                yield turn, "tool_call_id"
        elif isinstance(turn.get("content"), list):
            for block in turn["content"]:
                kind = block.get("type") if isinstance(block, dict) else None
                if kind in _BLOCKS:
                    yield block, _BLOCKS[kind]


_BLOCKS = {"tool_use": "id", "tool_result": "tool_use_id"}


def _copied(value: Any) -> Any:
    """Copy objects and lists, and share the texts."""
    if isinstance(value, dict):
        return {key: _copied(inner) for key, inner in value.items()}
    return [_copied(inner) for inner in value] if isinstance(value, list) else value
