"""Where GitHub Copilot CLI keeps its sessions."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from condense_cli.storage.clients.client import Client, folder_name
from condense_cli.storage.clients.folders import Environment, head, home, names_folder, same_folder

_CWD = re.compile(r"""^cwd:[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|(\S[^\n]*?))[ \t]*\r?$""", re.MULTILINE)


def _roots(environment: Environment) -> tuple[str, ...]:
    return (os.path.join(home(environment, "COPILOT_HOME", ".copilot"), "session-state"),)


def _here(cwd: str, environment: Environment) -> Iterator[str]:
    (root,) = _roots(environment)
    for path in COPILOT.sessions(root):
        named = _workspace(path)
        if names_folder(path, cwd) if named is None else same_folder(named, cwd):
            yield path


def _workspace(path: str) -> str | None:
    """Return the working folder that the workspace.yaml beside a session names."""
    found = _CWD.search(head(os.path.join(os.path.dirname(path), "workspace.yaml")).decode("utf-8", "replace"))
    return next((text for text in found.groups() if text), None) if found else None


COPILOT = Client(
    "copilot",
    roots=_roots,
    patterns=("*/events.jsonl",),
    here=_here,
    id=folder_name,
    resume=("copilot", "--resume={id}"),
)
