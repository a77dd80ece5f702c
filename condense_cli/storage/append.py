"""Append to a file that others write, too."""

from __future__ import annotations

from condense_cli.errors import RefusedError


def append_text(path: str, text: str) -> None:
    """Append text in UTF-8; raise RefusedError if the system refuses."""
    try:
        with open(path, "a", encoding="utf-8", errors="backslashreplace", newline="\n") as handle:
            handle.write(text)
    except OSError as problem:
        raise RefusedError(f"{path}: {problem.strerror}", "the report itself is complete") from problem
