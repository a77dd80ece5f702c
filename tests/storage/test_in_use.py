"""When a session counts as live."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta

import pytest
from condense_cli.storage.in_use import live_reason, writers

PROC = pytest.mark.skipif(not os.path.isdir("/proc/self/fdinfo"), reason="needs /proc")


@pytest.fixture
def session(tmp_path):
    path = tmp_path / "session.jsonl"
    path.write_bytes(b"{}\n")
    age(path, 3600)
    return path


@pytest.fixture
def dead():
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def age(path, seconds):
    os.utime(path, (time.time() - seconds,) * 2)


def holding(path, mode):
    process = subprocess.Popen(
        [sys.executable, "-c", "import sys; f = open(sys.argv[1], sys.argv[2]); print(flush=True); sys.stdin.read()", path, mode],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    process.stdout.readline()
    return process


def lock(session, content, seconds=0):
    path = session.parent / (session.name + ".lock")
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    age(path, seconds)


def ago(minutes):
    return (datetime.now(UTC) - timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def test_an_old_file_is_quiet(session):
    """A session that nobody touched for an hour is not live."""
    assert live_reason(str(session)) is None


@pytest.mark.parametrize(("seconds", "live"), [(0, True), (50, True), (70, False), (-30, True), (-3600, False)])
def test_a_file_is_live_for_a_minute_after_a_change(session, seconds, live):
    """Sixty seconds around the last change count, also when clocks differ a little."""
    age(session, seconds)
    assert ("modified" in (live_reason(str(session)) or "")) is live


@PROC
@pytest.mark.parametrize(("mode", "live"), [("ab", True), ("r+b", True), ("rb", False)])
def test_a_file_that_another_process_holds_for_writing_is_live(session, mode, live):
    """Codex keeps its append handle open: a rename would leave it writing into nowhere; readers do no harm."""
    process = holding(session, mode)
    age(session, 3600)
    try:
        facts = os.stat(session)
        assert [holder.pid for holder in writers(facts.st_dev, facts.st_ino)] == ([process.pid] if live else [])
        assert (f"PID {process.pid}" in (live_reason(str(session)) or "")) is live
    finally:
        process.communicate(b"")


@PROC
def test_our_own_handles_do_not_count(session):
    """That we have the file open ourselves does not make it live."""
    with session.open("ab"):
        assert live_reason(str(session)) is None


@pytest.mark.parametrize(
    ("content", "seconds", "live"),
    [
        (lambda: {"pid": os.getpid(), "createdAt": ago(1)}, 0, True),
        (lambda: {"pid": os.getpid(), "createdAt": ago(31)}, 0, False),
        (lambda: {"pid": os.getpid(), "createdAt": "yesterday"}, 0, True),
        (lambda: {"pid": os.getpid()}, 31 * 60, False),
        (lambda: {"pid": 10**30, "createdAt": ago(1)}, 0, False),
        (lambda: {"pid": -1, "createdAt": ago(1)}, 0, False),
        (lambda: "", 0, True),
        (lambda: "{torn", 31 * 60, False),
        (lambda: "[1]", 0, True),
        (lambda: "[" * 60000, 0, True),
    ],
    ids=["held", "stale", "odd-date", "old-file", "huge-pid", "negative-pid", "empty", "old-torn", "no-object", "deep"],
)
def test_a_lock_file_counts_while_it_is_fresh_and_its_process_lives(session, content, seconds, live):
    """OpenClaw's lock is stale after thirty minutes or when its process has gone."""
    lock(session, content(), seconds)
    assert ("lock" in (live_reason(str(session)) or "")) is live


def test_a_lock_of_a_dead_process_does_not_count(session, dead):
    """A crashed gateway leaves its lock behind; it holds nothing."""
    lock(session, {"pid": dead, "createdAt": ago(1)})
    assert live_reason(str(session)) is None


def test_a_lock_beside_the_real_file_counts_for_a_link_to_it(session, tmp_path):
    """The client that locked it knows the session by its real name."""
    lock(session, {"pid": os.getpid(), "createdAt": ago(1)})
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "elsewhere" / "link.jsonl"
    link.symlink_to(session)
    assert "locked" in live_reason(str(link))


@pytest.mark.parametrize("name", ["missing.jsonl", "a\0b", ""])
def test_what_is_not_there_is_not_live(tmp_path, name):
    """The guard never fails: reading says what is wrong with the path."""
    assert live_reason(str(tmp_path / name) if name else name) is None
