"""The session that someone in this folder most likely means: the newest one of it in the stores of the known clients."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

HEAD_BYTES = 1 << 16


class Candidate(NamedTuple):
    """A session file, its client, and when it was last written (seconds)."""

    path: str
    client: str
    mtime: float


Environment = Mapping[str, str]
Store = Callable[[str, Environment], Iterator[str]]


def _home(environment: Environment, variable: str, *default: str) -> str:
    given = environment.get(variable)
    home = environment.get("HOME") or os.path.expanduser("~")
    if not given:
        return os.path.join(home, *default)
    return os.path.join(home, given[2:]) if given.startswith("~/") else home if given == "~" else given


def _files(folder: str, suffix: str = ".jsonl") -> Iterator[str]:
    try:
        with os.scandir(folder) as entries:
            found = sorted(entry.path for entry in entries if entry.name.endswith(suffix))
    except OSError:
        return
    yield from found


def _folders(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return sorted((entry.path for entry in entries if entry.is_dir()), reverse=True)
    except OSError:
        return []


def pi_folder(cwd: str) -> str:
    """Return the name of pi's sessions folder for a working folder."""
    return "--" + re.sub(r"[/\\:]", "-", re.sub(r"^[/\\]", "", cwd)) + "--"


def claude_folder(cwd: str) -> str:
    """Return the name of Claude Code's project folder for a working folder, cut at 200 characters."""
    return re.sub(r"[^A-Za-z0-9]", "-", cwd)[:200]


def _pi(cwd: str, environment: Environment) -> Iterator[str]:
    agent = _home(environment, "PI_CODING_AGENT_DIR", ".pi", "agent")
    own = environment.get("PI_CODING_AGENT_SESSION_DIR") or _setting(os.path.join(agent, "settings.json"), "sessionDir")
    if own:
        own = _home({**environment, "_": own}, "_")
        yield from (path for path in _files(own) if _names_folder(path, cwd))
        yield from _files(os.path.join(own, pi_folder(cwd)))
    else:
        yield from _files(os.path.join(agent, "sessions", pi_folder(cwd)))


def _setting(path: str, name: str) -> str:
    try:
        with open(path, "rb") as file:
            value = json.loads(file.read())
    except (OSError, ValueError):
        return ""
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""


def _claude_code(cwd: str, environment: Environment) -> Iterator[str]:
    projects = os.path.join(_home(environment, "CLAUDE_CONFIG_DIR", ".claude"), "projects")
    name = environment.get("CLAUDE_CODE_PROJECT_DIR_NAME") or claude_folder(cwd)
    if len(name) < 200:
        yield from _files(os.path.join(projects, name))
        return
    for folder in _folders(projects):  # the end of a long name cannot be derived
        if os.path.basename(folder).startswith(name):
            yield from _files(folder)


def _codex(cwd: str, environment: Environment) -> Iterator[str]:
    root = os.path.join(_home(environment, "CODEX_HOME", ".codex"), "sessions")
    for year in _folders(root):
        for month in _folders(year):
            for day in _folders(month):
                here = [p for s in (".jsonl", ".jsonl.zst") for p in _files(day, s) if os.path.basename(p).startswith("rollout-")]
                found = [path for path in here if _names_folder(path, cwd)]
                yield from found
                if found:
                    return  # days are sorted, newest first


def _openclaw(cwd: str, environment: Environment) -> Iterator[str]:
    agents = os.path.join(_home(environment, "OPENCLAW_STATE_DIR", ".openclaw"), "agents")
    for agent in _folders(agents):
        yield from (path for path in _files(os.path.join(agent, "sessions")) if _names_folder(path, cwd))


STORES: dict[str, Store] = {"pi": _pi, "claude-code": _claude_code, "codex": _codex, "openclaw": _openclaw}


def _names_folder(path: str, cwd: str) -> bool:
    """Say whether the header in the first lines of a file names the working folder."""
    try:
        with open(path, "rb") as file:
            head = file.read(HEAD_BYTES)
    except OSError:
        return False
    for line in head.split(b"\n")[:5]:
        match = re.search(rb'"cwd"\s*:\s*("(?:[^"\\]|\\.)*")', line)
        if match:
            try:
                return _real(json.loads(match[1])) == _real(cwd)
            except ValueError:
                return False
    return False


def _real(path: str) -> str:
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):
        return path


def candidates(cwd: str, environment: Environment) -> list[Candidate]:
    """Return the sessions of a working folder, newest first; unreadable stores are passed over."""
    found: list[Candidate] = []
    for client, store in STORES.items():
        for path in store(cwd, environment):
            try:
                found.append(Candidate(path, client, os.stat(path).st_mtime))
            except OSError:
                continue
    return sorted(found, key=lambda candidate: -candidate.mtime)


def newest(cwd: str, environment: Environment) -> Candidate | None:
    """Return the session of a working folder that was written last."""
    found = candidates(cwd, environment)
    return found[0] if found else None
