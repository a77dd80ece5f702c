"""The cut that pi makes in long outputs: whole lines, from the top."""

from __future__ import annotations

from typing import NamedTuple

MAX_LINES = 2000
MAX_BYTES = 51200


class Cut(NamedTuple):
    """What is shown, and how many lines of how many; a newline at the end opens no line."""

    text: str
    shown: int
    total: int
    cut: bool


def truncated(text: str, max_lines: int = MAX_LINES, max_bytes: int = MAX_BYTES) -> Cut:
    """Keep whole lines while they fit into both limits; bytes are those of UTF-8.

    A first line too long leaves nothing.
    """
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if len(lines) <= max_lines and _bytes(text) <= max_bytes:
        return Cut(text, len(lines), len(lines), cut=False)
    kept: list[str] = []
    used = 0
    for line in lines[:max_lines]:
        size = _bytes(line) + bool(kept)
        if used + size > max_bytes:
            break
        kept.append(line)
        used += size
    return Cut("\n".join(kept), len(kept), len(lines), cut=True)


def shown(text: str) -> str:
    """Return the text as context_tree_query shows it, with a note where it was cut."""
    cut = truncated(text)
    return f"{cut.text}\n[Output truncated: {cut.shown}/{cut.total} lines shown]" if cut.cut else text


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
