"""The clients whose settings can name a hook: where they keep it, and for which events."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, NamedTuple

from condense_cli.storage.clients.claude_code import claude_home, qwen_home
from condense_cli.storage.clients.codex import codex_home
from condense_cli.storage.clients.folders import Environment
from condense_cli.storage.clients.gemini import gemini_home
from condense_cli.storage.clients.pi import pi_agent

_SECONDS = 5


class Client(NamedTuple):
    """One client: its settings file, and the hooks of each event; without events the file is an extension of its
    own.
    """

    name: str
    path: Callable[[Environment], str]
    events: tuple[tuple[str, str], ...] = ()  # name, matcher
    timeout: int = _SECONDS  # in the client's unit
    note: str = ""  # what its user has to do after an installation


def _claude(environment: Environment) -> str:
    return os.path.join(claude_home(environment), "settings.json")


def _codex(environment: Environment) -> str:
    return os.path.join(codex_home(environment), "hooks.json")


def _gemini(environment: Environment) -> str:
    return os.path.join(gemini_home(environment), "settings.json")


def _qwen(environment: Environment) -> str:
    return os.path.join(qwen_home(environment), "settings.json")


def _pi(environment: Environment) -> str:
    return os.path.join(pi_agent(environment), "extensions", "condense.ts")


_LIKE_CLAUDE = (("SessionStart", "resume"), ("Stop", ""), ("SessionEnd", ""), ("PreCompact", ""))

CLIENTS = {
    client.name: client
    for client in (
        Client("claude-code", _claude, _LIKE_CLAUDE),
        Client(
            "codex",
            _codex,
            (("SessionStart", "resume"), ("Stop", ""), ("PreCompact", "")),
            note="Codex runs a new hook once it is trusted: look at it in Codex with /hooks",
        ),
        Client(
            "gemini",
            _gemini,
            (("SessionStart", "resume"), ("AfterAgent", ""), ("SessionEnd", ""), ("PreCompress", "")),
            1000 * _SECONDS,
        ),
        Client("qwen", _qwen, _LIKE_CLAUDE),
        Client("pi", _pi),
    )
}


def groups(client: Client, command: str) -> dict[str, dict[str, Any]]:
    """Return the group of hooks for each event, as the client's settings hold them."""
    hook = {"type": "command", "command": command, "timeout": client.timeout}
    return {event: {**({"matcher": matcher} if matcher else {}), "hooks": [hook]} for event, matcher in client.events}
