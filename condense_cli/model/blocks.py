"""What several formats judge alike inside a message: images, placeholders, blank text."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any

IMAGE_TYPES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
_MAGIC = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"RIFF")
_DATA_URL = re.compile(r"data:([^;,]*)((?:;[^;,]*)*),", re.IGNORECASE)

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
_PLACEHOLDERS = frozenset({
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
})


def is_placeholder(text: str) -> bool:
    """Say whether a result's whole text is one that clients make up for a result that never came."""
    return len(text) < 300 and (text in _PLACEHOLDERS or text.startswith(_PLACEHOLDER_STARTS))


def image_fault(media_type: object, data: object) -> str:
    """Say why an image cannot be one (unknown type, not base64, no image inside), or "" when nothing speaks against it."""
    if not isinstance(media_type, str) or media_type.lower() not in IMAGE_TYPES:
        return "unsupported media type"
    if not isinstance(data, str) or not data:
        return "no data"
    try:
        head = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        return "not base64"
    if not head.startswith(_MAGIC):
        return "the bytes are no image"
    return ""


def data_url_fault(url: object) -> str:
    """Judge an image given as a data: URL; other URLs cannot be judged offline and pass."""
    if not isinstance(url, str) or not url:
        return "no data"
    if url[:5].lower() != "data:":
        return ""
    match = _DATA_URL.match(url)
    if not match:
        return "not a data URL"
    if ";base64" not in match[2].lower():
        return "not base64"
    return image_fault(match[1], url[match.end() :])


def image_note(media_type: object, fault: str) -> str:
    """Word the text that takes the place of an image."""
    kind = media_type if isinstance(media_type, str) and re.fullmatch(r"[\w.+-]+/[\w.+-]+", media_type) else "unknown type"
    return f"[image removed: {kind}, {fault}]"


def words(value: Any) -> str:
    """Return the text of a member that should hold one; a list or an object there says nothing, however deep it is."""
    if type(value) is str:
        return value
    return "" if not value or isinstance(value, (list, dict)) else str(value)
