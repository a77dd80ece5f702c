"""What the first bytes of a file say, asked before anything is loaded that could read it."""

from __future__ import annotations

import os
import stat

SQLITE = b"SQLite format 3\0"


def is_database(path: str) -> bool:
    """Say whether a file is an SQLite database; never fails, and never waits for a pipe."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return False
        with open(path, "rb") as file:
            return file.read(len(SQLITE)) == SQLITE
    except (OSError, ValueError):
        return False
