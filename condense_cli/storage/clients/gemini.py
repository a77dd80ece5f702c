"""Where Gemini CLI keeps its sessions: in a folder named by a table of projects, in older versions by a hash."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator

from condense_cli.storage.clients.client import Client, stem
from condense_cli.storage.clients.folders import (
    Environment,
    folders,
    head,
    home,
    matching,
    same_folder,
    settings,
    text_of,
)

_CHATS = ("session-*.json", "session-*.jsonl")
_SUBAGENT = re.compile(rb'"kind"\s*:\s*"subagent"')


def gemini_home(environment: Environment) -> str:
    """Return the folder of Gemini CLI's settings, projects and sessions."""
    return os.path.join(home(environment, "GEMINI_CLI_HOME"), ".gemini")


def _roots(environment: Environment) -> tuple[str, ...]:
    return (os.path.join(gemini_home(environment), "tmp"),)


def _here(cwd: str, environment: Environment) -> Iterator[str]:
    (root,) = _roots(environment)
    projects = settings(os.path.join(gemini_home(environment), "projects.json")).get("projects")
    listed = [name for path, name in projects.items() if same_folder(path, cwd)] if isinstance(projects, dict) else []
    hashed = hashlib.sha256(os.fsencode(cwd)).hexdigest()
    for folder in folders(root):
        owner = _owner(folder)
        mine = os.path.basename(folder) in (*listed, hashed) if owner is None else same_folder(owner, cwd)
        if mine:
            yield from matching(os.path.join(folder, "chats"), *_CHATS)


def _owner(folder: str) -> str | None:
    """Return the working folder that a project's folder says it belongs to."""
    path = os.path.join(folder, ".project_root")
    return head(path).decode("utf-8", "replace").strip() or None if os.path.isfile(path) else None


def _excluded(path: str) -> bool:
    """Exclude the chat of a sub-agent, and an old .json beside the .jsonl that the client made of it."""
    if path.endswith(".json") and os.path.lexists(path + "l"):
        return True
    return _SUBAGENT.search(head(path).partition(b"\n")[0]) is not None


def _id(path: str) -> str:
    """Return the whole id, which the first lines have; the name has its first 8 characters."""
    short = stem(path).rpartition("-")[2]
    whole = text_of(head(path), "sessionId")
    return whole if whole and whole.startswith(short) else short


GEMINI = Client(
    "gemini",
    roots=_roots,
    patterns=tuple(f"*/chats/{name}" for name in _CHATS),
    here=_here,
    excluded=_excluded,
    id=_id,
    resume=("gemini", "--resume", "{id}"),
)
