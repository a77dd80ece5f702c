"""Put the hook into a client's settings and take it out again: first as a change to look at, then written."""

from __future__ import annotations

import hashlib
import importlib.resources
import json
import os
import shlex
import sys
from collections.abc import Callable
from typing import NamedTuple

from condense_cli.errors import UnreadableError, UsageError
from condense_cli.hook.clients import CLIENTS, Client, groups
from condense_cli.hook.settings import with_hooks, without_hooks
from condense_cli.storage import settings_files
from condense_cli.storage.clients.folders import Environment
from condense_cli.storage.settings_files import Kept

_COMMAND = '["condense", "hook"]'


class Change(NamedTuple):
    """What happens to one settings file; None is a file that does not exist."""

    path: str
    before: bytes | None
    after: bytes | None


def client_of(name: str) -> Client:
    """Return the row of a client. Raises UsageError where there is none."""
    if name not in CLIENTS:
        raise UsageError(f"{name}: no client whose hooks are known", f"one of: {', '.join(CLIENTS)}")
    return CLIENTS[name]


def own_command() -> list[str]:
    """Return the words that run this condense, whatever PATH the client has."""
    program = os.path.abspath(sys.argv[0]) if sys.argv and sys.argv[0] else ""
    if os.path.basename(program).removesuffix(".exe") == "condense" and os.access(program, os.X_OK):
        return [program, "hook"]
    return [sys.executable, "-m", "condense_cli", "hook"]


def installing(name: str, environment: Environment) -> Change:
    """Return the change that puts the hook in. Raises UnreadableError where the settings are not understood."""
    client = client_of(name)
    path = os.path.realpath(client.path(environment))
    before = settings_files.read(path)
    if not client.events:
        return Change(path, before, _extension())
    return Change(
        path, before, _said(path, lambda: with_hooks(before or b"", groups(client, shlex.join(own_command()))))
    )


def removing(name: str, environment: Environment) -> Change:
    """Return the change that takes the hook out: back to the kept bytes where nothing was changed since."""
    client = client_of(name)
    path = os.path.realpath(client.path(environment))
    before = settings_files.read(path)
    kept = settings_files.kept(path)
    if before is None:
        return Change(path, None, None)
    if kept is not None and kept.after == _digest(before):
        return Change(path, before, kept.before)
    if not client.events:
        return Change(path, before, None)
    return Change(path, before, _said(path, lambda: without_hooks(before)))


def install(change: Change) -> None:
    """Write an installation, after what it replaces was kept. Raises RefusedError."""
    assert change.after is not None
    settings_files.keep(change.path, Kept(change.before, _digest(change.after)))
    settings_files.write(change.path, change.after)


def remove(change: Change) -> None:
    """Write a removal, and forget what was kept. Raises RefusedError."""
    if change.before != change.after:
        settings_files.write(change.path, change.after)
    settings_files.forget(change.path)


def _said(path: str, make: Callable[[], bytes]) -> bytes:
    try:
        return make()
    except UnreadableError as problem:
        raise UnreadableError(f"{path}: {problem.problem}", problem.advice) from None


def _extension() -> bytes:
    text = importlib.resources.files("condense_cli.hook").joinpath("pi.ts").read_text("utf-8")
    return text.replace(_COMMAND, json.dumps(own_command())).encode()


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
