"""The table of clients: a new one is a row here.

What `doctor`, ids, `@last` and the resume command know comes from it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from condense_cli.storage.clients.claude_code import CLAUDE_CODE, QWEN
from condense_cli.storage.clients.client import Client, Unread, stem
from condense_cli.storage.clients.cline import CLINE, ROO
from condense_cli.storage.clients.codex import CODEX
from condense_cli.storage.clients.copilot import COPILOT
from condense_cli.storage.clients.folders import Environment
from condense_cli.storage.clients.gemini import GEMINI
from condense_cli.storage.clients.kimi import KIMI
from condense_cli.storage.clients.kimi_code import KIMI_CODE
from condense_cli.storage.clients.opencode import OPENCODE
from condense_cli.storage.clients.pi import OPENCLAW, PI

CLIENTS: tuple[Client, ...] = (
    PI, CLAUDE_CODE, CODEX, OPENCLAW, GEMINI, KIMI, KIMI_CODE, QWEN, COPILOT, CLINE, ROO, OPENCODE,
)  # fmt: skip
BY_NAME: Mapping[str, Client] = MappingProxyType({client.name: client for client in CLIENTS})


@dataclass(frozen=True, slots=True)
class Store:
    """One folder of sessions: its client (a format's name), the folder, and the session files below it."""

    client: str
    folder: str
    sessions: tuple[str, ...]


def stores(environment: Environment) -> list[Store]:
    """Return the session folders that exist, each with its sessions; transcripts of sub-agents are none."""
    found: list[Store] = []
    seen: set[str] = set()
    for client in CLIENTS:
        for folder in client.roots(environment) if client.patterns or client.listed is not None else ():
            real = os.path.realpath(folder)
            if os.path.isdir(folder) and real not in seen:
                seen.add(real)
                sessions = tuple(client.sessions(folder))
                if sessions or client.listed is None:
                    found.append(Store(client.name, folder, sessions))
    return found


def unread(environment: Environment) -> list[Unread]:
    """Return the stores that exist and are not read."""
    return [store for client in CLIENTS for store in client.unread(environment)]


def session_id(path: str, client: str) -> str:
    """Return the id that a client gives the session of a file; without a row for the client the file's name."""
    row = BY_NAME.get(client)
    return row.id(path) if row is not None else stem(path)


def resume_words(client: str, path: str) -> tuple[str, ...]:
    """Return the words of the command that resumes a session, or () where its client has none."""
    row = BY_NAME.get(client)
    return row.resume_words(path) if row is not None else ()
