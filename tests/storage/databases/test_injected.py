"""A repair of rows in which the system fails, or the process dies, at every call that touches the database."""

import os
import shutil
import sqlite3
import subprocess
import sys

import pytest
from condense_cli.cli import run
from condense_cli.storage import journal
from tests import databases

LOST = "UPDATE part SET data = json_remove(data, '$.state.output') WHERE json_extract(data, '$.type') = 'tool'"
WRITES, SYNCS = "pwrite64", "fdatasync,fsync"
FATES = [
    *((calls, fate) for calls in (WRITES, SYNCS) for fate in ("signal=KILL", "error=EIO", "error=ENOSPC")),
    ("unlink,unlinkat", "signal=KILL"),
    ("unlink,unlinkat", "error=EIO"),
    ("ftruncate", "signal=KILL"),
    ("ftruncate", "error=EIO"),
    ("openat", "error=EACCES"),
    ("pread64,read", "error=EIO"),
]
MOST = 60  # calls of a kind; a repair makes far fewer


def works(strace):
    """Say whether processes may be traced here."""
    return strace is not None and subprocess.run([strace, "-qq", "-o", os.devnull, "true"], check=False, capture_output=True).returncode == 0


pytestmark = [pytest.mark.slow, pytest.mark.skipif(not works(shutil.which("strace")), reason="strace cannot trace here")]


def content(path):
    """The rows as a new process reads them, after SQLite took back what was begun; and what it says of itself."""
    with sqlite3.connect(path) as base:
        said = base.execute("PRAGMA integrity_check").fetchone()
        found = [base.execute(f"SELECT * FROM {table} ORDER BY id").fetchall() for table in ("session", "message", "part")]
    base.close()
    return said, found


@pytest.fixture(params=[False, True], ids=["rollback", "wal"])
def pristine(request, tmp_path):
    """A damaged database that nobody has open, old enough to be left alone."""
    path = tmp_path / "pristine.db"
    base = databases.opencode(path)
    if request.param:
        base.execute("PRAGMA journal_mode=WAL")
    assert base.execute(LOST).rowcount >= 1
    base.commit()
    base.close()
    return path


@pytest.mark.parametrize(("calls", "fate"), FATES)
def test_before_or_after_and_a_way_back(pristine, tmp_path, monkeypatch, calls, fate):
    """Whatever fails: the rows are the old or the new ones, the database is sound, and undo gives the old ones back."""
    path, state = tmp_path / "opencode.db", tmp_path / "state"
    monkeypatch.setenv("XDG_STATE_HOME", str(state))
    before = content(pristine)
    for number in range(1, MOST):
        fresh(pristine, path, state)
        done, injected = repaired(path, tmp_path / "trace", f"{calls}:{fate}:when={number}")
        if not injected:
            break
        after = content(path)
        assert after[0] == ("ok",)
        assert done == 0 or after == before or fate.startswith("signal")
        assert done != 0 or after != before
        if after != before:
            undone(path)
            assert content(path) == before
    else:
        pytest.fail(f"more than {MOST} calls")
    assert number > 2 or calls not in (WRITES, SYNCS)
    assert done == 0
    assert content(path) != before


def fresh(pristine, path, state):
    """Put the damaged database there again, with nothing beside it."""
    for end in ("-wal", "-shm", "-journal", ""):
        path.with_name(path.name + end).unlink(missing_ok=True)
    shutil.rmtree(state, ignore_errors=True)
    shutil.copyfile(pristine, path)
    os.utime(path, (1_700_000_000, 1_700_000_000))


def repaired(path, trace, inject):
    """Run a repair in which one call on the database fails; return its exit status, and whether it did."""
    names = [f"--trace-path={path}{end}" for end in ("", "-wal", "-shm", "-journal")]
    command = ["strace", "-f", "-qq", "-o", trace, *names, "-e", f"inject={inject}", sys.executable, "-m", "condense_cli", "repair", "-i", path]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    said = trace.read_text(errors="replace")
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 3, 4, 137, -9), done.stderr
    return done.returncode, "INJECTED" in said or "killed by SIGKILL" in said


def undone(path):
    """Take the repair back."""
    os.utime(path, (1_700_000_000, 1_700_000_000))
    assert journal.records() != []
    assert run(["undo", "--last"]) == 0
