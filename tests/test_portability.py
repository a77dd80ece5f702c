"""Every command without what only Linux has: fcntl, fchown, O_TMPFILE, pread, /proc and their kin."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest
from tests.faults import BROKEN, LONG, LONG_AGO

WITHOUT = """
import os, signal, sys
import filelock, psutil  # they know every system, each in its own way: here they are as on this one
class FileLock:
    def __init__(self, name, **options): self.lock_file = name
    def acquire(self): open(self.lock_file, "w").close()
    def release(self): pass
filelock.FileLock = FileLock
for name in ("fchown", "fchmod", "O_TMPFILE", "O_NONBLOCK", "pread", "pwrite", "listxattr", "getxattr", "setxattr",
             "geteuid", "O_NOFOLLOW"):
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGHUP", "setitimer", "alarm", "pthread_sigmask"):
    if hasattr(signal, name):
        delattr(signal, name)
sys.modules["fcntl"] = None
for module in ("pwd", "grp", "resource", "termios"):
    sys.modules[module] = None
os.supports_fd.discard(os.utime)
real_isdir, real_listdir = os.path.isdir, os.listdir
os.path.isdir = lambda path: not str(path).startswith("/proc") and real_isdir(path)
def listdir(path="."):
    if str(path).startswith("/proc"):
        raise FileNotFoundError(2, "no /proc", path)
    return real_listdir(path)
os.listdir = listdir
psutil.process_iter = lambda *_: iter(())
psutil.pid_exists = lambda pid: pid == os.getpid()
import condense_cli.storage.exchange as exchange
exchange.rename_exchange = lambda *_: 38
from condense_cli.cli import run
sys.exit(run(sys.argv[1:]))
"""
COMMANDS = {
    "version": (["--version"], {0}),
    "help": (["--help"], {0}),
    "formats": (["formats"], {0}),
    "check": (["check", "broken.jsonl"], {1}),
    "check-orphans": (["check-orphans", "broken.jsonl"], {1}),
    "render": (["render", "long.jsonl"], {0}),
    "query": (["query", "t1", "--session", "long.jsonl"], {0, 1}),
    "diff": (["diff", "broken.jsonl"], {1}),
    "repair": (["repair", "broken.jsonl"], {1}),
    "repair-o": (["repair", "-o", "out.jsonl", "broken.jsonl"], {0, 1}),
    "repair-i": (["repair", "-i", "broken.jsonl"], {0, 1}),
    "compact-i": (["compact", "--window", "0", "-i", "long.jsonl"], {0}),
    "undo": (["undo"], {0}),
    "prune": (["undo", "--prune"], {0}),
    "explain": (["explain", "orphan-result"], {0}),
    "doctor": (["doctor"], {0, 1, 3}),
}


@pytest.fixture
def run(tmp_path):
    for name, template in (("broken", BROKEN), ("long", LONG)):
        shutil.copy(template, tmp_path / f"{name}.jsonl")
        os.utime(tmp_path / f"{name}.jsonl", ns=(LONG_AGO, LONG_AGO))
    environment = {**os.environ, "HOME": str(tmp_path / "home"), "XDG_STATE_HOME": str(tmp_path / "state")}

    def run(*arguments):
        return subprocess.run(
            [sys.executable, "-c", WITHOUT, *arguments], cwd=tmp_path, env=environment, capture_output=True, check=False
        )

    return run


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_runs_where_linux_functions_are_missing(run, command):
    """No ImportError, no AttributeError, no bug."""
    arguments, codes = COMMANDS[command]
    done = run(*arguments)
    assert done.returncode in codes, done.stderr.decode()[-800:]
    assert b"Traceback" not in done.stderr


def test_repair_and_undo_lead_back_without_them(run, tmp_path):
    """The fallbacks give the same promise."""
    before = (tmp_path / "broken.jsonl").read_bytes()
    assert run("repair", "-i", "broken.jsonl").returncode in (0, 1)
    assert (tmp_path / "broken.jsonl").read_bytes() != before
    assert run("undo", "--last").returncode == 0
    assert (tmp_path / "broken.jsonl").read_bytes() == before
    assert not [name for name in os.listdir(tmp_path) if name.endswith(".tmp")]
