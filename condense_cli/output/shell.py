"""Commands that a user can paste into a shell as they are."""

from __future__ import annotations

import shlex

from condense_cli.output.plain import one_line


def command(*words: str) -> str:
    """Return the words quoted for a POSIX shell; one with unprintable characters becomes `$'…'` (bash, zsh, ksh)."""
    return " ".join(map(_quoted, words))


def path_word(path: str) -> str:
    """Return a path that no command takes for an option; `-` stays standard input."""
    return f"./{path}" if path.startswith("-") and path != "-" else path


def _quoted(word: str) -> str:
    if one_line(word) == word:
        return shlex.quote(word)
    # What must not reach the terminal is spelled in bytes; a lone surrogate of a path is one byte.
    plain = (_byte(byte) for byte in word.encode("utf-8", "surrogateescape" if _is_path(word) else "surrogatepass"))
    return f"$'{''.join(plain)}'"


def _byte(byte: int) -> str:
    char = chr(byte)
    return f"\\{char}" if char in "\\'" else char if " " <= char <= "~" else f"\\{byte:03o}"


def _is_path(word: str) -> bool:
    return all(not "\ud800" <= char <= "\udfff" or "\udc80" <= char <= "\udcff" for char in word)
