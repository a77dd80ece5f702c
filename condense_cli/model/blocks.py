"""What several formats judge alike inside a message: images, placeholders, blank text."""

from __future__ import annotations

import re
from typing import Any

from condense_cli.model.medium import image, image_url

ANSWER = "[condense] No result was recorded for this call. Its outcome is unknown; it may have taken effect."
USER_NOTE = "[condense] The beginning of this conversation is missing from the session file."
EMPTY_USER = "(empty)"
SIGNATURE_LENGTH = 64  # characters; a shorter signature of Anthropic thinking was cut

_PLACEHOLDER_STARTS = (
    "[condense] ",
    "[openclaw] missing tool result",
    "[moltbot] missing tool result",
    "[clawdbot] missing tool result",
    "[Tool call interrupted: the session ended",
    "[System: Tool execution skipped/interrupted",
)
_PLACEHOLDERS = frozenset(
    {
        "No result provided",
        "aborted",
        "Aborted",
        "Aborted.",
        "interrupted",
        "[missing result]",
        "[Tool result missing]",
        "[Tool result missing due to internal error]",
        "[Tool execution was interrupted]",
        "Tool execution was interrupted before completion.",
        "Task was interrupted before this tool call could be completed.",
    }
)


def is_placeholder(text: str) -> bool:
    """Say whether a result's whole text is one that clients make up for a result that never came."""
    return len(text) < 300 and (text in _PLACEHOLDERS or text.startswith(_PLACEHOLDER_STARTS))


def image_fault(media_type: object, data: object) -> str:
    """Say why an image cannot be one (unknown type, not base64, no image inside), or "" when nothing speaks against
    it.
    """
    return image((), media_type, data).fault


def data_url_fault(url: object) -> str:
    """Judge an image given as a data: URL; other URLs cannot be judged offline and pass."""
    return image_url((), url).fault


def image_note(media_type: object, fault: str) -> str:
    """Word the text that takes the place of an image."""
    kind = (
        media_type if isinstance(media_type, str) and re.fullmatch(r"[\w.+-]+/[\w.+-]+", media_type) else "unknown type"
    )
    return f"[image removed: {kind}, {fault}]"


def words(value: Any) -> str:
    """Return the text of a member that should hold one; a list or an object there says nothing, however deep it is."""
    if type(value) is str:
        return value
    return "" if not value or isinstance(value, (list, dict)) else str(value)
