"""A session that a client is at work on: refused before its plan is shown, or waited for."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from condense_cli.cli.repair import waiting
from tests.strategies import condense, pi_file

ORPHAN = [("user",), ("result", "b"), ("text",)]


@pytest.fixture
def session(tmp_path, monkeypatch):
    """A damaged session that was written just now."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "s.jsonl"
    path.write_bytes(pi_file(ORPHAN))
    return path


def left_alone(path) -> None:
    old = time.time() - 3600
    os.utime(path, (old, old))


def test_a_session_in_use_is_refused_before_its_plan(session):
    """Nothing is shown of the plan; the error says for how long it counts as in use, and what waits for it."""
    outcome = condense("repair", "-i", session)

    assert outcome.code == 4
    assert outcome.out == b""
    assert " s more" in outcome.err
    assert "--wait" in outcome.err


def test_wait_repairs_when_the_client_is_done(session, monkeypatch):
    """What the client wrote while it was waited for is in the repaired session."""
    monkeypatch.setattr(waiting, "TICK", 0.01)
    last = json.loads(session.read_bytes().splitlines()[-1])["id"]
    entry = {"type": "custom", "customType": "x", "id": "ffffffff", "parentId": last, "timestamp": "2026-01-01T00:00:00.000Z"}
    added = json.dumps(entry).encode() + b"\n"

    def client():
        time.sleep(0.3)
        with session.open("ab") as file:
            file.write(added)
        left_alone(session)

    thread = threading.Thread(target=client)
    thread.start()
    outcome = condense("repair", "-i", "--wait", session)
    thread.join()

    assert outcome.code == 0, outcome.err
    assert outcome.err.count("waiting") == 1
    assert added in session.read_bytes()
    assert b'"toolCallId":"b"' not in session.read_bytes()


def test_a_session_that_is_left_alone_is_not_waited_for(session):
    """Nor is a sound one."""
    left_alone(session)

    assert "waiting" not in condense("repair", "-i", "--wait", session).err
    session.write_bytes(pi_file([("user",), ("text",)]))
    assert condense("repair", "-i", "--wait", session).code == 0


@pytest.mark.long
def test_ctrl_c_ends_the_wait(session, tmp_path):
    """The exit code is 130, nothing was written, and no traceback is shown."""
    before = session.read_bytes()
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state")}
    words = [sys.executable, "-m", "condense_cli", "repair", "-i", "--wait", str(session)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        assert process.stderr is not None
        said = process.stderr.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)

    assert b"waiting" in said
    assert process.returncode == 130
    assert (out, err) == (b"", b"condense: interrupted\n")
    assert session.read_bytes() == before
    assert sorted(os.listdir(tmp_path)) == ["s.jsonl"]
