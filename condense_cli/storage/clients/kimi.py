"""Where Kimi CLI keeps its sessions."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator

from condense_cli.storage.clients.client import Client, folder_name
from condense_cli.storage.clients.folders import Environment, home, matching


def _roots(environment: Environment) -> tuple[str, ...]:
    return (os.path.join(home(environment, "KIMI_SHARE_DIR", ".kimi"), "sessions"),)


def _here(cwd: str, environment: Environment) -> Iterator[str]:
    """Yield those of the project's folder, which is named after a hash that keeps no secret."""
    (root,) = _roots(environment)
    project = hashlib.md5(os.fsencode(cwd), usedforsecurity=False).hexdigest()
    yield from matching(os.path.join(root, project), "*/context.jsonl")


KIMI = Client(
    "kimi",
    roots=_roots,
    patterns=("*/*/context.jsonl",),
    here=_here,
    id=folder_name,
    resume=("kimi", "--session", "{id}"),
)
