"""Text of a session is untrusted: nothing in it may steer a terminal."""

from __future__ import annotations

import re
from functools import cache

# C0 and C1 controls, bidirectional marks, embeddings, overrides and isolates, line separators, tags, BOM
# and lone surrogates (which no stream could write anyway).
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f\ud800-\udfff]+"
)


def visible(text: str) -> str:
    """Return text in which control, bidirectional and invisible characters show as escapes; newline and tab stay."""
    if text.isascii() and text.isprintable():  # most texts of a difference are short and hold nothing to look for
        return text
    return _UNSAFE.sub(_escape, text)


def one_line(text: str) -> str:
    """Return visible text without line breaks and tabs, which show as escapes too."""
    if text.isascii() and text.isprintable():
        return text
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")


def _escape(match: re.Match[str]) -> str:
    return "".join(map(_escaped, match[0]))


@cache
def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
