"""The session that someone in this folder most likely means: the newest one of it in the stores of the known clients."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from condense_cli.storage.clients import (
    Environment,
    claude_projects,
    codex_home,
    files,
    folders,
    gemini_folder,
    kimi_folder,
    openclaw_states,
    pi_sessions,
)

HEAD_BYTES = 1 << 16


class Candidate(NamedTuple):
    """A session file, its client, and when it was last written (seconds)."""

    path: str
    client: str
    mtime: float


Store = Callable[[str, Environment], Iterator[str]]


def pi_folder(cwd: str) -> str:
    """Return the name of pi's sessions folder for a working folder."""
    return "--" + re.sub(r"[/\\:]", "-", re.sub(r"^[/\\]", "", cwd)) + "--"


def claude_folder(cwd: str) -> str:
    """Return the name of Claude Code's project folder for a working folder, cut at 200 characters."""
    return re.sub(r"[^A-Za-z0-9]", "-", cwd)[:200]


def _pi(cwd: str, environment: Environment) -> Iterator[str]:
    folder, chosen = pi_sessions(environment)
    if chosen:
        yield from (path for path in files(folder) if _names_folder(path, cwd))
    yield from files(os.path.join(folder, pi_folder(cwd)))


def _claude_code(cwd: str, environment: Environment) -> Iterator[str]:
    projects = claude_projects(environment)
    name = environment.get("CLAUDE_CODE_PROJECT_DIR_NAME") or claude_folder(cwd)
    if len(name) < 200:
        yield from files(os.path.join(projects, name))
        return
    for folder in folders(projects):  # the end of a long name cannot be derived
        if os.path.basename(folder).startswith(name):
            yield from files(folder)


def _codex(cwd: str, environment: Environment) -> Iterator[str]:
    root = os.path.join(codex_home(environment), "sessions")
    for year in folders(root):
        for month in folders(year):
            for day in folders(month):
                here = [p for s in (".jsonl", ".jsonl.zst") for p in files(day, s) if os.path.basename(p).startswith("rollout-")]
                found = [path for path in here if _names_folder(path, cwd)]
                yield from found
                if found:
                    return  # days are sorted, newest first


def _openclaw(cwd: str, environment: Environment) -> Iterator[str]:
    for state in openclaw_states(environment):
        for agent in folders(os.path.join(state, "agents")):
            yield from (path for path in files(os.path.join(agent, "sessions")) if _names_folder(path, cwd))


def _gemini(cwd: str, environment: Environment) -> Iterator[str]:
    """Gemini CLI names a project's folder after the hash of its path."""
    chats = os.path.join(gemini_folder(environment), hashlib.sha256(os.fsencode(cwd)).hexdigest(), "chats")
    for suffix in (".json", ".jsonl"):
        yield from (path for path in files(chats, suffix) if os.path.basename(path).startswith("session-"))


def _kimi(cwd: str, environment: Environment) -> Iterator[str]:
    """Kimi CLI does likewise, with another hash, which is no secret."""
    project = os.path.join(kimi_folder(environment), hashlib.md5(os.fsencode(cwd), usedforsecurity=False).hexdigest())
    for session in folders(project):
        yield from (path for path in files(session) if os.path.basename(path) == "context.jsonl")


STORES: dict[str, Store] = {"pi": _pi, "claude-code": _claude_code, "codex": _codex, "openclaw": _openclaw, "gemini": _gemini, "kimi": _kimi}


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
