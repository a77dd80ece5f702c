"""Where a file is, as machines want it: relative to the folder of the run, percent-encoded."""

from __future__ import annotations

import os
from urllib.parse import quote

STDIN = "<stdin>"


def relative(path: str, base: str) -> str | None:
    """Return the path with slashes and relative to base; None if it is not below base."""
    below = os.path.relpath(os.path.join(base, path), base)
    return None if below.split(os.sep)[0] == os.pardir else below.replace(os.sep, "/")


def relative_to_file(path: str, file: str) -> str:
    """Return a relative path of the current folder as one of the folder of a file; others and standard input stay."""
    if path == STDIN or os.path.isabs(path):
        return path
    return (
        os.path.relpath(path, os.path.dirname(os.path.realpath(file)))
        if _same_drive(path, file)
        else os.path.abspath(path)
    )


def _same_drive(one: str, other: str) -> bool:
    return os.path.splitdrive(os.path.abspath(one))[0] == os.path.splitdrive(os.path.abspath(other))[0]


def uri(path: str, base: str) -> str:
    """Return a relative reference for a path below base, else a file URI. Bytes that are no UTF-8 keep their value."""
    below = relative(path, base)
    # A colon in the first part of a relative reference would make a scheme of what is before it.
    return file_uri(os.path.join(base, path)) if below is None else quote(_bytes(below), safe="/")


def file_uri(path: str) -> str:
    """Return the file URI of a path."""
    absolute = os.path.abspath(path).replace(os.sep, "/")
    return "file://" + quote(_bytes(absolute if absolute.startswith("/") else f"/{absolute}"), safe="/")


def _bytes(path: str) -> bytes:
    try:
        return path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return path.encode("utf-8", "surrogatepass")
