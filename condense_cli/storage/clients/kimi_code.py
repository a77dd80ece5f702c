"""Where Kimi Code keeps its sessions."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator

from condense_cli.storage.clients.client import Client
from condense_cli.storage.clients.folders import Environment, home, matching


def _roots(environment: Environment) -> tuple[str, ...]:
    return (os.path.join(home(environment, "KIMI_CODE_HOME", ".kimi-code"), "sessions"),)


def _here(cwd: str, environment: Environment) -> Iterator[str]:
    """Yield those of the workspace, whose folder ends in the beginning of a hash that keeps no secret."""
    (root,) = _roots(environment)
    workspace = hashlib.sha256(os.fsencode(cwd), usedforsecurity=False).hexdigest()[:12]
    yield from matching(root, f"wd_*_{workspace}/*/agents/main/wire.jsonl")


def _id(path: str) -> str:
    """Return the name of the session's folder: it is three folders above the file."""
    return os.path.basename(os.path.abspath(os.path.join(os.path.dirname(path), "..", "..")))


KIMI_CODE = Client(
    "kimi-code",
    roots=_roots,
    patterns=("*/*/agents/main/wire.jsonl",),
    here=_here,
    id=_id,
    resume=("kimi", "--session", "{id}"),
)
