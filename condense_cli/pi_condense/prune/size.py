"""The size of a message as pi-condense measures it: a picture has one price, whatever it holds. Source: 2.11.2."""

from __future__ import annotations

from typing import Any

from condense_cli.jsonbytes.javascript import json_length
from condense_cli.pi_condense.prune.facts import is_image

IMAGE_PRICE = 6400
"""UTF-16 units that a picture counts, besides those of its bare block."""
_BARE = {"type": "image"}


def has_image(message: dict[str, Any]) -> bool:
    """Say whether a block of the content is a picture."""
    content = message.get("content")
    return isinstance(content, list) and any(map(is_image, content))


def message_size(message: dict[str, Any]) -> int:
    """Return the UTF-16 units of a message's compact JSON, its pictures at their price."""
    if not has_image(message):
        return json_length(message)
    content = [_BARE if is_image(block) else block for block in message["content"]]
    images = sum(block is _BARE for block in content)
    return json_length({**message, "content": content}) + images * IMAGE_PRICE
