"""Images of a content that cannot be one, those inside its results too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from condense_cli.formats.media import media_of


def bad_images(content: Any) -> Iterator[tuple[tuple[str | int, ...], int, str]]:
    """Yield (path, part, fault) of each image that cannot be one, inside results too."""
    for medium in media_of(content):
        if medium.fault and not medium.document:
            yield ("content", *medium.path), medium.part, medium.fault
