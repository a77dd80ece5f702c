"""The text of a tool result as pi-condense keeps it: a marker for each picture, then its text blocks.

The marker names a picture by its digest, so that a query finds the picture again. Source: pi-condense 2.11.2.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any

from condense_cli.jsonbytes.javascript import UNDEFINED, replaced_halves, string
from condense_cli.pi_condense.prune.facts import is_image
from condense_cli.pi_condense.prune.index import text_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator

_DIGITS = 8
_BEGIN = "[image returned: "
_END = re.compile(rf" sha256:([0-9a-f]{{{_DIGITS}}})\]")


def captured_text(content: Any) -> str:
    """Return the text of a result's content, its pictures as markers before it."""
    if not isinstance(content, list):
        return ""
    lines = [_marker(block) for block in content if is_image(block) and isinstance(block.get("data"), str)]
    if any(isinstance(block, dict) and block.get("type") == "text" for block in content):
        lines.append(text_blocks(content))
    return "\n".join(lines)


def _marker(block: dict[str, Any]) -> str:
    return f"[image returned: {string(block.get('mimeType', UNDEFINED))} sha256:{digest_of(block['data'])}]"


def digest_of(data: str) -> str:
    """Return the digits by which a marker names a picture; data is the picture as stored, in base64."""
    return hashlib.sha256(replaced_halves(data)).hexdigest()[:_DIGITS]


def marked(text: str) -> Iterator[str]:
    """Yield the digest of each marker in a text, also of one that the output only quotes."""
    start = 0
    for match in _END.finditer(text):
        # From the end backwards: a text full of beginnings would otherwise be read once for each of them.
        start = max(start, *(text.rfind(char, start, match.start()) + 1 for char in "]\r\n"))
        if text.find(_BEGIN, start, match.start()) >= 0:
            yield match[1]
        start = match.end()
