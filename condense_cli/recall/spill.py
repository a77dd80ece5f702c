"""Outputs that were spilled to files. A session names their paths, and a session is not to be trusted.

A file is read only below the session's own folder, symlinks resolved; a path that is gone is looked for by its
name in the session's blob folder, so that a moved session keeps its outputs.
"""

from __future__ import annotations

import os
import re
import stat
from typing import NamedTuple

_OUTSIDE_NAMES = re.compile(r"[^A-Za-z0-9_-]")
UNAVAILABLE = "(spilled output unavailable — sidecar file missing)"


def bare_path(path: str, call_id: object) -> str:
    """Return the path that pi-condense gave an output before it had occurrences: the call's id in the same folder."""
    if not isinstance(call_id, str) or not call_id:
        return ""
    return os.path.join(os.path.dirname(path.replace("\\", "/")), f"{_OUTSIDE_NAMES.sub('_', call_id)}.txt")


class Spilled(NamedTuple):
    """The bytes of a spilled output, or a note that says why there are none."""

    data: bytes | None
    note: str = ""


class Blobs(NamedTuple):
    """Where outputs may be read: the session's folder (None: nowhere), its id, and whether any place is allowed."""

    folder: str | None
    session_id: str = ""
    anywhere: bool = False

    def read(self, path: str) -> Spilled:
        """Read a spilled output by the path that its record names."""
        if not path or "\0" in path:
            return Spilled(None, "a spilled output has no usable path")
        found = path if os.path.lexists(path) else self._moved(path)
        if found is None:
            return Spilled(None, f"spilled output {os.path.basename(path)} is gone")
        if not self.anywhere and not self._inside(found):
            return Spilled(
                None,
                f"spilled output {found} is outside the session's folder and was not read; "
                "--allow-outside-blobs reads it",
            )
        try:
            # Opened without waiting: a named pipe would otherwise block.
            descriptor = os.open(found, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
            with os.fdopen(descriptor, "rb") as file:
                if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                    return Spilled(None, f"spilled output {found} is not a file")
                return Spilled(file.read())
        except OSError as problem:
            return Spilled(None, f"spilled output {found}: {problem.strerror}")

    def _moved(self, path: str) -> str | None:
        name = os.path.basename(path.replace("\\", "/"))
        if (
            self.folder is None
            or not name
            or not self.session_id
            or "/" in self.session_id
            or self.session_id in (".", "..")
        ):
            return None
        beside = os.path.join(self.folder, f"{self.session_id}-blobs", name)
        return beside if os.path.lexists(beside) else None

    def _inside(self, path: str) -> bool:
        if self.folder is None:
            return False
        folder = os.path.join(os.path.realpath(self.folder), "")
        return os.path.join(os.path.realpath(path), "").startswith(folder)
