"""Which pictures a request leaves out: the oldest, in steps, so that the prompt's prefix stays the same for a while.

Source: pi-condense 2.11.0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from condense_cli.pi_condense.prune.facts import Facts
    from condense_cli.pi_condense.prune.settings import Settings

ANTHROPIC_LIMIT = 100
"""Pictures that a request to Anthropic's API may hold."""
NOTE = (
    "[earlier image omitted from this request: over maxImagesPerRequest; re-read the file or re-attach it to view it]"
)


def capped_images(messages: Sequence[Facts], settings: Settings) -> dict[int, frozenset[int]]:
    """Return position -> parts of its content: the pictures that are left out."""
    limit = settings.most_images or ANTHROPIC_LIMIT
    places = [(position, part) for position, facts in enumerate(messages) for part in facts.images]
    if len(places) <= limit:
        return {}
    step = -(-limit // 2)
    surplus = min(len(places), -(-(len(places) - limit) // step) * step)
    found: dict[int, set[int]] = {}
    for position, part in places[:surplus]:
        found.setdefault(position, set()).add(part)
    return {position: frozenset(parts) for position, parts in found.items()}


def capped(message: dict[str, Any], parts: Collection[int]) -> dict[str, Any]:
    """Return the message with a note in the place of each picture that is left out."""
    content = [{"type": "text", "text": NOTE} if n in parts else block for n, block in enumerate(message["content"])]
    return {**message, "content": content}
