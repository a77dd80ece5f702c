"""The commands, in the order of --help: a literal table, so that one that is missing is noticed.

The command `a-b` is the function `a_b` in a_b/command.py, which declares its options and nothing else; a_b/run.py
has the function `run` of the same parameters, which does the work. Neither is imported before it is needed.
"""

from __future__ import annotations

from typing import NamedTuple


class CommandRow(NamedTuple):
    """One command: its name, and the group that --help shows it in."""

    name: str
    panel: str

    @property
    def function(self) -> str:
        """Return the name of its folder, and of the function that declares it."""
        return self.name.replace("-", "_")


_FIND = "Find out what is wrong"
_REPAIR = "Repair"
_READ = "Read"
_CLIENTS = "Inside a client"
_ABOUT = "About condense"

COMMANDS = (
    CommandRow("check", _FIND),
    CommandRow("check-orphans", _FIND),
    CommandRow("doctor", _FIND),
    CommandRow("explain", _FIND),
    CommandRow("minimize", _FIND),
    CommandRow("scan", _FIND),
    CommandRow("diff", _REPAIR),
    CommandRow("repair", _REPAIR),
    CommandRow("undo", _REPAIR),
    CommandRow("compact", _REPAIR),
    CommandRow("render", _READ),
    CommandRow("query", _READ),
    CommandRow("view", _READ),
    CommandRow("hook", _CLIENTS),
    CommandRow("mcp", _CLIENTS),
    CommandRow("formats", _ABOUT),
    CommandRow("help", _ABOUT),
)
BY_NAME = {row.name: row for row in COMMANDS}

# What people type when they mean one of these.
SUGGESTIONS = {
    "fix": "repair",
    "heal": "repair",
    "mend": "repair",
    "restore": "undo",
    "revert": "undo",
    "rollback": "undo",
    "recover": "query",
    "get": "query",
    "search": "query",
    "grep": "query",
    "list": "doctor",
    "ls": "doctor",
    "sessions": "doctor",
    "scan-all": "doctor",
    "status": "doctor",
    "show": "render",
    "cat": "render",
    "print": "render",
    "html": "view",
    "browse": "view",
    "lint": "check",
    "validate": "check",
    "verify": "check",
    "diagnose": "explain",
    "why": "explain",
    "compress": "compact",
    "version": "--version",
}


def meant(word: str) -> str:
    """Return what someone means who types a word that is no command: the words after `condense`, or ""."""
    import difflib
    import os
    import shlex

    if word in SUGGESTIONS:
        return SUGGESTIONS[word]
    if os.path.lexists(word) or word.endswith((".jsonl", ".json")):
        return f"check {shlex.quote(word)}"
    near = difflib.get_close_matches(word, (*BY_NAME, *SUGGESTIONS), 1, 0.7)
    return SUGGESTIONS.get(near[0], near[0]) if near else ""
