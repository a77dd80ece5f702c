"""Where the known clients keep their sessions on this machine, and how their own variables move that.

Nothing here opens a session; what cannot be listed counts as empty.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

Environment = Mapping[str, str]

_HEAD = 1 << 16
_SUBAGENT = re.compile(rb'"source"\s*:\s*\{\s*"subagent"')


class Store(NamedTuple):
    """One folder of sessions: its client (a format's name), the folder, and the session files below it."""

    client: str
    folder: str
    sessions: tuple[str, ...]


class Unread(NamedTuple):
    """A store that only its client reads, and how to get sessions out of it."""

    client: str
    path: str
    advice: str


# ---------------------------------------------------------------------- folders
def home(environment: Environment, variable: str, *default: str) -> str:
    """Return the folder that a variable names, else one below the home folder; `~` is that folder."""
    given = environment.get(variable)
    own = environment.get("HOME") or os.path.expanduser("~")
    if not given:
        return os.path.join(own, *default)
    return os.path.join(own, given[2:]) if given.startswith("~/") else own if given == "~" else given


def files(folder: str, suffix: str = ".jsonl") -> Iterator[str]:
    """Yield the files of a folder whose names end so, in the order of their names."""
    try:
        with os.scandir(folder) as entries:
            found = sorted(entry.path for entry in entries if entry.name.endswith(suffix))
    except OSError:
        return
    yield from found


def folders(folder: str) -> list[str]:
    """Return the folders in a folder, last name first: of dates that is the newest."""
    try:
        with os.scandir(folder) as entries:
            return sorted((entry.path for entry in entries if entry.is_dir()), reverse=True)
    except OSError:
        return []


def setting(path: str, name: str) -> str:
    """Return a text of a JSON settings file, or ""."""
    try:
        with open(path, "rb") as file:
            value = json.loads(file.read())
    except (OSError, ValueError):
        return ""
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""


# ---------------------------------------------------------------------- roots
def pi_sessions(environment: Environment) -> tuple[str, bool]:
    """Return pi's sessions folder, and whether the user chose it: then sessions may stand in it directly."""
    agent = home(environment, "PI_CODING_AGENT_DIR", ".pi", "agent")
    own = environment.get("PI_CODING_AGENT_SESSION_DIR") or setting(os.path.join(agent, "settings.json"), "sessionDir")
    if own:
        return home({**environment, "_": own}, "_"), True
    return os.path.join(agent, "sessions"), False


def claude_projects(environment: Environment) -> str:
    """Return Claude Code's folder of projects."""
    return os.path.join(home(environment, "CLAUDE_CONFIG_DIR", ".claude"), "projects")


def codex_home(environment: Environment) -> str:
    """Return Codex's home."""
    return home(environment, "CODEX_HOME", ".codex")


def openclaw_states(environment: Environment) -> tuple[str, ...]:
    """Return OpenClaw's state folders, those of its older names included."""
    return (
        home(environment, "OPENCLAW_STATE_DIR", ".openclaw"),
        *(home(environment, "", name) for name in (".clawdbot", ".moltbot")),
    )


def gemini_folder(environment: Environment) -> str:
    """Return the folder in which Gemini CLI has one folder for each project."""
    return home(environment, "", ".gemini", "tmp")


def kimi_folder(environment: Environment) -> str:
    """Return Kimi CLI's sessions folder."""
    return home(environment, "", ".kimi", "sessions")


def opencode_folder(environment: Environment) -> str:
    """Return OpenCode's data folder."""
    return os.path.join(home(environment, "XDG_DATA_HOME", ".local", "share"), "opencode")


# ---------------------------------------------------------------------- sessions
def _pi(environment: Environment) -> Iterator[tuple[str, Iterator[str]]]:
    folder, _ = pi_sessions(environment)
    yield folder, (path for place in (folder, *folders(folder)) for path in files(place))


def _claude_code(environment: Environment) -> Iterator[tuple[str, Iterator[str]]]:
    folder = claude_projects(environment)
    yield folder, (path for project in folders(folder) for path in files(project) if not os.path.basename(path).startswith("agent-"))


def _codex(environment: Environment) -> Iterator[tuple[str, Iterator[str]]]:
    root = codex_home(environment)
    days = (day for year in folders(os.path.join(root, "sessions")) for month in folders(year) for day in folders(month))
    yield os.path.join(root, "sessions"), (path for day in days for path in _rollouts(day))
    archive = os.path.join(root, "archived_sessions")
    yield archive, _rollouts(archive)


def _rollouts(folder: str) -> Iterator[str]:
    for suffix in (".jsonl", ".jsonl.zst"):
        for path in files(folder, suffix):
            if os.path.basename(path).startswith("rollout-") and not _is_subagent(path):
                yield path


def _is_subagent(path: str) -> bool:
    """Say whether the first line of a rollout names the agent that it was started by."""
    try:
        with open(path, "rb") as file:
            return _SUBAGENT.search(file.readline(_HEAD)) is not None
    except OSError:
        return False


def _openclaw(environment: Environment) -> Iterator[tuple[str, Iterator[str]]]:
    for state in openclaw_states(environment):
        agents = os.path.join(state, "agents")
        yield agents, (path for agent in folders(agents) for path in files(os.path.join(agent, "sessions")))


def _gemini(environment: Environment) -> Iterator[tuple[str, Iterator[str]]]:
    folder = gemini_folder(environment)
    chats = [os.path.join(project, "chats") for project in folders(folder)]
    yield folder, (path for place in chats for suffix in (".json", ".jsonl") for path in files(place, suffix) if os.path.basename(path).startswith("session-"))


def _kimi(environment: Environment) -> Iterator[tuple[str, Iterator[str]]]:
    folder = kimi_folder(environment)
    yield folder, (path for project in folders(folder) for session in folders(project) for path in files(session, "context.jsonl") if os.path.basename(path) == "context.jsonl")


_STORES: dict[str, Callable[[Environment], Iterator[tuple[str, Iterator[str]]]]] = {
    "pi": _pi,
    "claude-code": _claude_code,
    "codex": _codex,
    "openclaw": _openclaw,
    "gemini": _gemini,
    "kimi": _kimi,
}


def stores(environment: Environment) -> list[Store]:
    """Return the session folders that exist, each with its sessions; transcripts of subagents are none."""
    found: list[Store] = []
    seen: set[str] = set()
    for client, where in _STORES.items():
        for folder, sessions in where(environment):
            real = os.path.realpath(folder)
            if os.path.isdir(folder) and real not in seen:
                seen.add(real)
                found.append(Store(client, folder, tuple(sessions)))
    return found


def unread(environment: Environment) -> list[Unread]:
    """Return the stores that exist and are not read."""
    found: list[Unread] = []
    for state in openclaw_states(environment):
        for agent in folders(os.path.join(state, "agents")):
            found.extend(Unread("openclaw", path, "`openclaw doctor` looks after it") for path in files(os.path.join(agent, "agent"), ".sqlite"))
    data = opencode_folder(environment)
    advice = "`opencode export ID > FILE.json` writes a session that `condense check` reads"
    found.extend(Unread("opencode", path, advice) for path in files(data, ".db"))
    old = os.path.join(data, "storage", "session")
    if os.path.isdir(old):
        found.append(Unread("opencode", old, advice))
    return found
