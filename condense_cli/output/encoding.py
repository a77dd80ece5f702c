"""Text for a stream whose encoding may not have all characters: latin-1, ASCII, a Windows code page."""

from __future__ import annotations

from typing import TextIO

# What condense itself writes and a plain character says as well.
_PLAIN = str.maketrans({"…": "...", "×": "x", "–": "-", "·": "-", "│": "|", "─": "-", "→": "->", "▸": ">"})


def writable(text: str, stream: TextIO) -> str:
    """Return text that the stream can encode: a character that it does not have becomes an escape, none is lost."""
    if text.isascii():
        return text
    encoding = getattr(stream, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_PLAIN).encode(encoding, "backslashreplace").decode(encoding)
    except LookupError:
        return text.encode("ascii", "backslashreplace").decode("ascii")
    return text
