"""The folder for what outlives a run, and the locks in it."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from typing import TYPE_CHECKING

from condense_cli.errors import RefusedError
from condense_cli.storage.writing import sync_folder, unwritable

if TYPE_CHECKING:
    from collections.abc import Iterator


def state_folder() -> str:
    """Return the folder for what outlives a run; on Linux $XDG_STATE_HOME/condense, else ~/.local/state/condense."""
    from platformdirs import user_state_dir

    chosen = os.environ.get("XDG_STATE_HOME", "")
    if os.path.isabs(chosen):  # on every system: whoever sets it means it
        return os.path.join(chosen, "condense")
    if chosen:  # the specification: a relative one is to be ignored
        return os.path.join(os.path.expanduser("~"), ".local", "state", "condense")
    return user_state_dir("condense", appauthor=False)


def make_private(folder: str) -> None:
    """Make a folder, readable to its owner alone from there on down, and let it last. Raises OSError."""
    missing: list[str] = []
    while not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    for name in reversed(missing):
        with contextlib.suppress(FileExistsError):
            os.mkdir(name, 0o700)
        sync_folder(os.path.dirname(name))


def key(path: str) -> str:
    """Return the short name of a resolved path in names of locks and temporary files."""
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:24]


@contextlib.contextmanager
def lock(path: str, *, anywhere: bool = False) -> Iterator[None]:
    """Hold the lock on a resolved path; raise RefusedError if another condense has it.

    anywhere: where the state folder cannot be written, the lock is in the folder for temporary files.
    """
    from filelock import FileLock, Timeout

    held = FileLock(_lock_file(path, anywhere=anywhere), timeout=0, mode=0o600, thread_local=False)
    try:
        held.acquire()
    except Timeout:
        raise RefusedError(f"{path}: another condense is at work on it", "wait until it has finished") from None
    except (OSError, NotImplementedError) as problem:
        reason = problem if isinstance(problem, OSError) else OSError(str(problem))
        raise unwritable(os.path.dirname(held.lock_file), reason) from problem
    try:
        yield
    finally:
        with contextlib.suppress(OSError):  # the end of the process releases it, too
            held.release()


def _lock_file(path: str, *, anywhere: bool) -> str:
    folder = os.path.join(state_folder(), "locks")
    try:
        make_private(folder)
        if os.access(folder, os.W_OK) or not anywhere:
            return os.path.join(folder, key(path))
    except OSError as problem:
        if not anywhere:
            raise unwritable(folder, problem) from problem
    user = getattr(os, "getuid", lambda: "user")()
    return os.path.join(tempfile.gettempdir(), f".condense-{user}-{key(path)}.lock")
