"""Where a file is, as machines want it: relative to the folder of the run, percent-encoded."""

from __future__ import annotations

import os
from urllib.parse import quote

STDIN = "<stdin>"


def relative(path: str, base: str) -> str | None:
    """Return the path with slashes and relative to base; None if it is not below base."""
    below = os.path.relpath(os.path.join(base, path), base)
    return None if below.split(os.sep)[0] == os.pardir else below.replace(os.sep, "/")


def uri(path: str, base: str) -> str:
    """Return a relative reference for a path below base, else a file URI. Bytes that are no UTF-8 keep their value."""
    below = relative(path, base)
    if below is not None:
        # A colon in the first part of a relative reference would make a scheme of what stands before it.
        return quote(_bytes(below), safe="/")
    absolute = os.path.abspath(os.path.join(base, path)).replace(os.sep, "/")
    return "file://" + quote(_bytes(absolute if absolute.startswith("/") else f"/{absolute}"), safe="/")


def _bytes(path: str) -> bytes:
    try:
        return path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return path.encode("utf-8", "surrogatepass")
