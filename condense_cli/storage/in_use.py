"""Is a client at work on this session? No client reads its file again while it is open: editing it loses records.

Whatever cannot be found out counts as quiet: the bytes are compared again before a file is replaced.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
import time
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

QUIET = 60.0
"""Seconds since the last change after which a session counts as left alone."""

LOCK_STALE = 30 * 60.0
"""Seconds after which OpenClaw itself takes its lock file for a left-over."""


class Holder(NamedTuple):
    """A process that has a file open for writing."""

    pid: int
    name: str

    def __str__(self) -> str:
        return f"PID {self.pid} ({self.name})"


def live_reason(path: str) -> str | None:
    """Say why the session looks as if a client were at work on it, or None; never fails."""
    try:
        facts = os.stat(path)
    except (OSError, ValueError):
        return None
    for holder in writers(facts.st_dev, facts.st_ino):
        return f"it is open for writing by {holder}"
    for name in dict.fromkeys((path, os.path.realpath(path))):
        if reason := _locked(f"{name}.lock"):
            return reason
    age = time.time() - facts.st_mtime
    if abs(age) < QUIET:
        return f"it was modified {max(age, 0):.0f} s ago, and counts as in use for {QUIET - abs(age):.0f} s more"
    return None


def writers(device: int, inode: int) -> Iterator[Holder]:
    """Yield the other processes that have this file open for writing, as far as the system shows them to us."""
    if not os.path.isdir("/proc/self/fdinfo"):
        yield from _writers_by_psutil(device, inode)
        return
    own = os.getpid()
    for pid in _numbers("/proc"):
        if pid == own:
            continue
        for number in _numbers(f"/proc/{pid}/fd"):
            try:
                facts = os.stat(f"/proc/{pid}/fd/{number}")
                if (facts.st_dev, facts.st_ino) == (device, inode) and _writes(pid, number):
                    yield Holder(pid, _name(pid))
                    break
            except OSError:
                continue


def _writers_by_psutil(device: int, inode: int) -> Iterator[Holder]:
    """Do likewise where there is no /proc; there nobody says who only reads, so every open file counts."""
    import psutil

    own = os.getpid()
    for process in psutil.process_iter():
        try:
            if process.pid == own:
                continue
            for opened in process.open_files():
                facts = os.stat(opened.path)
                if (facts.st_dev, facts.st_ino) == (device, inode) and getattr(opened, "mode", "a") not in ("r", "rt"):
                    yield Holder(process.pid, process.name())
                    break
        except (psutil.Error, OSError):
            continue


def _numbers(folder: str) -> Iterator[int]:
    try:
        names = os.listdir(folder)
    except OSError:
        return
    for name in names:
        if name.isdecimal():
            yield int(name)


def _writes(pid: int, number: int) -> bool:
    for line in _text(f"/proc/{pid}/fdinfo/{number}").splitlines():
        key, _, value = line.partition(":")
        if key == "flags":
            return int(value, 8) & os.O_ACCMODE != os.O_RDONLY
    return False


def _name(pid: int) -> str:
    return _text(f"/proc/{pid}/comm").strip() or "?"


def _text(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read(1 << 16)


def _locked(path: str) -> str | None:
    """Look at OpenClaw's lock file: {"pid", "createdAt"}, stale after half an hour or with its process."""
    try:
        facts = os.stat(path)
        age = time.time() - facts.st_mtime
        content = json.loads(_text(path)) if stat.S_ISREG(facts.st_mode) else None
    except OSError:
        return None
    except (ValueError, RecursionError):
        content = None
    pid = content.get("pid") if isinstance(content, dict) else None
    if isinstance(content, dict) and isinstance(created := content.get("createdAt"), str):
        with contextlib.suppress(ValueError, OverflowError, OSError):
            age = time.time() - datetime.fromisoformat(created).timestamp()
    if age > LOCK_STALE:
        return None
    if isinstance(pid, bool) or not isinstance(pid, int):
        return "there is a lock file beside it that names no process"  # it may be about to be written
    return f"it is locked by process {pid}" if runs(pid) else None


def runs(pid: int) -> bool:
    """Say whether a process with this number runs, whoever owns it."""
    if pid <= 0:
        return False
    if not os.path.isdir("/proc/self"):
        import psutil

        try:
            return bool(psutil.pid_exists(pid))
        except (OverflowError, psutil.Error):
            return False
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True  # it runs, and belongs to someone else
    return True
