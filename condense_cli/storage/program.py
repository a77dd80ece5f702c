"""Which program this is: what it found in a session holds as long as neither the session nor the program changes."""

from __future__ import annotations

import hashlib
import os

import condense_cli


def program_version() -> str:
    """Return a text that is another one after every change of the rules: the version, and what the program's files
    are.
    """
    digest = hashlib.sha256(condense_cli.__version__.encode())
    top = os.path.dirname(os.path.abspath(condense_cli.__file__))
    todo = [top]
    while todo:
        try:
            with os.scandir(todo.pop()) as entries:
                here = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in here:
            if entry.is_dir():
                todo.append(entry.path)
            elif entry.name.endswith(".py"):
                facts = entry.stat()
                digest.update(f"{entry.path} {facts.st_size} {facts.st_mtime_ns}\n".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()
