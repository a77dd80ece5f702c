"""Images of an Anthropic message that cannot be one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from condense_cli.model.blocks import image_fault


def bad_images(value: dict[str, Any]) -> Iterator[tuple[tuple[str | int, ...], int, str]]:
    """Yield (path, part, fault) of each image that cannot be one, inside results too."""
    content = value.get("content")
    for part, block in enumerate(content if isinstance(content, list) else []):
        if not isinstance(block, dict):
            continue
        if block.get("type") == "tool_result" and isinstance(block.get("content"), list):
            for n, inner in enumerate(block["content"]):
                if fault := _image_fault(inner):
                    yield ("content", part, "content", n), part, fault
        elif fault := _image_fault(block):
            yield ("content", part), part, fault


def _image_fault(block: Any) -> str:
    if not isinstance(block, dict) or block.get("type") != "image":
        return ""
    source = block.get("source")
    if not isinstance(source, dict):
        return "no data"
    return image_fault(source.get("media_type"), source.get("data")) if source.get("type", "base64") == "base64" else ""
