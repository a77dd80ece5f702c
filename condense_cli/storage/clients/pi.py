"""Where pi keeps its sessions, and OpenClaw, whose old files are pi's."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from condense_cli.storage.clients.client import Client, Unread, stem
from condense_cli.storage.clients.folders import Environment, home, matching, names_folder, settings

_STAMPED = re.compile(r"\d{4}-\d\d-\d\dT[^_]*_(.+)")


# ---------------------------------------------------------------------- pi
def pi_agent(environment: Environment) -> str:
    """Return the folder of pi's settings, sessions and extensions."""
    return home(environment, "PI_CODING_AGENT_DIR", ".pi", "agent")


def pi_sessions(environment: Environment) -> tuple[str, bool]:
    """Return pi's sessions folder, and whether the user chose it: then sessions may be in it directly."""
    agent = pi_agent(environment)
    own = environment.get("PI_CODING_AGENT_SESSION_DIR") or settings(os.path.join(agent, "settings.json")).get(
        "sessionDir"
    )
    if own and isinstance(own, str):
        return home({**environment, "_": own}, "_"), True
    return os.path.join(agent, "sessions"), False


def pi_folder(cwd: str) -> str:
    """Return the name of pi's sessions folder for a working folder."""
    return "--" + re.sub(r"[/\\:]", "-", re.sub(r"^[/\\]", "", cwd)) + "--"


def _pi_roots(environment: Environment) -> tuple[str, ...]:
    return (pi_sessions(environment)[0],)


def _pi_here(cwd: str, environment: Environment) -> Iterator[str]:
    folder, chosen = pi_sessions(environment)
    if chosen:
        yield from (path for path in matching(folder, "*.jsonl") if names_folder(path, cwd))
    yield from matching(os.path.join(folder, pi_folder(cwd)), "*.jsonl")


def _pi_id(path: str) -> str:
    """Return what comes after the time in a file's name."""
    stamped = _STAMPED.fullmatch(stem(path))
    return stamped[1] if stamped else stem(path)


PI = Client(
    "pi",
    roots=_pi_roots,
    patterns=("*.jsonl", "*/*.jsonl"),
    here=_pi_here,
    id=_pi_id,
    resume=("pi", "--session", "{here}"),
)


# ---------------------------------------------------------------------- openclaw
def _openclaw_states(environment: Environment) -> tuple[str, ...]:
    """Return OpenClaw's state folders, those of its older names included."""
    return (
        home(environment, "OPENCLAW_STATE_DIR", ".openclaw"),
        *(home(environment, "", name) for name in (".clawdbot", ".moltbot")),
    )


def _openclaw_roots(environment: Environment) -> tuple[str, ...]:
    return tuple(os.path.join(state, "agents") for state in _openclaw_states(environment))


def _openclaw_here(cwd: str, environment: Environment) -> Iterator[str]:
    for root in _openclaw_roots(environment):
        yield from (path for path in OPENCLAW.sessions(root) if names_folder(path, cwd))


def _openclaw_unread(environment: Environment) -> Iterator[Unread]:
    for root in _openclaw_roots(environment):
        for path in matching(root, "*/agent/*.sqlite"):
            yield Unread("openclaw", path, "`openclaw doctor` looks after it")


OPENCLAW = Client(
    "openclaw",
    roots=_openclaw_roots,
    patterns=("*/sessions/*.jsonl",),
    here=_openclaw_here,
    resume=("openclaw", "doctor", "--fix"),  # imports the file into the database, from which the client goes on
    unread=_openclaw_unread,
)
