"""Which arguments of failed calls are taken out: large ones, some turns after the failure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense_cli.jsonbytes.javascript import UNDEFINED, json_length, less
from condense_cli.pi_condense.prune.keys import WouldThrowError, same

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping, Sequence

    from condense_cli.pi_condense.prune.facts import Facts
    from condense_cli.pi_condense.prune.settings import Settings


def purged_arguments(
    messages: Sequence[Facts], stubbed: Container[int], settings: Settings, message_at: Callable[[int], dict[str, Any]]
) -> dict[int, dict[int, int]]:
    """Return position -> block -> length of its arguments in UTF-16 units, for the arguments that go.

    Calls are found by bare id, as in the original: a later call that uses the id again is purged too.
    """
    failed_at: dict[Any, int] = {}
    turns = 0
    for position, facts in enumerate(messages):
        if facts.role == "assistant":
            turns += 1
        elif facts.role == "toolResult" and facts.error and position not in stubbed:
            failed_at[same(facts.call_id)] = turns
    found: dict[int, dict[int, int]] = {}
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
        sizes = {part: _size(content[part]) for part in old}
        sizes = {part: size for part, size in sizes.items() if not less(size, settings.min_argument_chars)}
        if sizes:
            found[position] = sizes
    return found


def _is_old(failed: int | None, turns: int, settings: Settings) -> bool:
    return failed is not None and not less(turns - failed, settings.cooldown_turns)


def _size(block: dict[str, Any]) -> int:
    arguments = block.get("arguments", UNDEFINED)
    if arguments is UNDEFINED:
        raise WouldThrowError("a failed call has no arguments")
    return json_length(arguments)


def purged(message: dict[str, Any], sizes: Mapping[int, int]) -> dict[str, Any]:
    """Return the assistant message with a note in place of each purged argument body."""
    content = [
        {**block, "arguments": {"_purged": f'<purged-errored-args size="{sizes[part]}"/>'}} if part in sizes else block
        for part, block in enumerate(message["content"])
    ]
    return {**message, "content": content}
