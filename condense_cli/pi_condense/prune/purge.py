"""Which arguments of failed calls lose their long strings: those of large bodies, some turns after the failure.

Source: pi-condense 2.11.3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.jsonbytes.javascript import UNDEFINED, json_length, less, utf16_length
from condense_cli.pi_condense.prune.keys import WouldThrowError, same

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence

    from condense_cli.pi_condense.prune.facts import Facts
    from condense_cli.pi_condense.prune.settings import Settings

LONGEST = 200
"""UTF-16 units of a string that stays."""


def purged_arguments(
    messages: Sequence[Facts], replaced: Container[int], settings: Settings, message_at: Callable[[int], dict[str, Any]]
) -> dict[int, frozenset[int]]:
    """Return position -> blocks whose arguments lose strings. replaced are results that are no failures any more.

    Calls are found by bare id, as in the original: a later call that uses the id again is purged too.
    """
    failed_at: dict[Any, int] = {}
    turns = 0
    for position, facts in enumerate(messages):
        if facts.role == "assistant":
            turns += 1
        elif facts.role == "toolResult" and facts.error and position not in replaced:
            failed_at[same(facts.call_id)] = turns
    found: dict[int, frozenset[int]] = {}
    if not failed_at:
        return found
    for position, facts in enumerate(messages):
        if facts.role != "assistant":
            continue
        if facts.content != "blocks":
            raise WouldThrowError("an assistant message has no list of blocks")
        old = [call.part for call in facts.calls if _is_old(failed_at.get(same(call.id)), turns, settings)]
        if not old:
            continue
        content = message_at(position)["content"]
        parts = frozenset(part for part in old if _loses(content[part], settings))
        if parts:
            found[position] = parts
    return found


def _is_old(failed: int | None, turns: int, settings: Settings) -> bool:
    return failed is not None and not less(turns - failed, settings.cooldown_turns)


def _loses(block: dict[str, Any], settings: Settings) -> bool:
    arguments = block.get("arguments", UNDEFINED)
    if arguments is UNDEFINED:
        raise WouldThrowError("a failed call has no arguments")
    return not less(json_length(arguments), settings.min_argument_chars) and _has_long(arguments)


def _has_long(value: Any) -> bool:
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            if utf16_length(item) > LONGEST:
                return True
        elif isinstance(item, dict):
            todo.extend(item.values())
        elif isinstance(item, list):
            todo.extend(item)
    return False


def without_long(value: Any) -> Any:
    """Return a copy in which a note is in the place of each long string, at any depth; keys stay as they are."""
    whole = [value]
    todo: list[tuple[Any, Any]] = [(whole, 0)]
    while todo:  # not by recursion: arguments may nest deeper than Python's stack
        holder, key = todo.pop()
        item = holder[key]
        if isinstance(item, str):
            size = utf16_length(item)
            if size > LONGEST:
                holder[key] = f'<purged-errored-args size="{size}"/>'
        elif isinstance(item, dict):
            holder[key] = copy = dict(item)
            todo.extend((copy, name) for name in copy)
        elif isinstance(item, list):
            holder[key] = elements = list(item)
            todo.extend((elements, number) for number in range(len(elements)))
    return whole[0]


def purged(message: dict[str, Any], parts: Container[int]) -> dict[str, Any]:
    """Return the assistant message without the long strings of the arguments of some of its calls."""
    content = [
        {**block, "arguments": without_long(block["arguments"])} if part in parts else block
        for part, block in enumerate(message["content"])
    ]
    return {**message, "content": content}
