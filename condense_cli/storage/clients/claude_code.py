"""Where Claude Code keeps its sessions, and Qwen Code, which names its folders likewise."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from condense_cli.storage.clients.client import Client
from condense_cli.storage.clients.folders import Environment, folders, home, matching

_LONGEST = 200


# ---------------------------------------------------------------------- claude-code
def claude_home(environment: Environment) -> str:
    """Return the folder of Claude Code's settings and projects."""
    return home(environment, "CLAUDE_CONFIG_DIR", ".claude")


def project_folder(cwd: str) -> str:
    """Return the name of a working folder's project: a dash for each character that is no letter or digit."""
    return re.sub(r"[^A-Za-z0-9]", "-", cwd)


def claude_folder(cwd: str) -> str:
    """Return the name of Claude Code's project folder for a working folder, cut at 200 characters."""
    return project_folder(cwd)[:_LONGEST]


def _claude_roots(environment: Environment) -> tuple[str, ...]:
    return (os.path.join(claude_home(environment), "projects"),)


def _claude_here(cwd: str, environment: Environment) -> Iterator[str]:
    (projects,) = _claude_roots(environment)
    name = environment.get("CLAUDE_CODE_PROJECT_DIR_NAME") or claude_folder(cwd)
    if len(name) < _LONGEST:
        yield from matching(os.path.join(projects, name), "*.jsonl")
        return
    for folder in folders(projects):  # the end of a long name cannot be derived
        if os.path.basename(folder).startswith(name):
            yield from matching(folder, "*.jsonl")


def _is_subagent(path: str) -> bool:
    return os.path.basename(path).startswith("agent-")


CLAUDE_CODE = Client(
    "claude-code",
    roots=_claude_roots,
    patterns=("*/*.jsonl",),
    here=_claude_here,
    excluded=_is_subagent,
    resume=("claude", "--resume", "{id}"),
)


# ---------------------------------------------------------------------- qwen
def qwen_home(environment: Environment) -> str:
    """Return the folder of Qwen Code's settings."""
    return home(environment, "QWEN_HOME", ".qwen")


def _qwen_roots(environment: Environment) -> tuple[str, ...]:
    return (
        os.path.join(home({"QWEN_RUNTIME_DIR": qwen_home(environment), **environment}, "QWEN_RUNTIME_DIR"), "projects"),
    )


def _qwen_here(cwd: str, environment: Environment) -> Iterator[str]:
    (projects,) = _qwen_roots(environment)
    yield from matching(os.path.join(projects, project_folder(cwd), "chats"), "*.jsonl")


QWEN = Client(
    "qwen",
    roots=_qwen_roots,
    patterns=("*/chats/*.jsonl", "*/chats/archive/*.jsonl"),
    here=_qwen_here,
    resume=("qwen", "--resume", "{id}"),
)
