"""`condense hook`: whatever a client gives it, it ends with 0."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.strategies import condense

ROOT = Path(__file__).parents[2]
BROKEN = next(path for path in sorted((ROOT / "fixtures").rglob("bricked.jsonl")))


def hook(data, tmp_path, **environment):
    """Run the hook as a client does, in a process of its own."""
    env = {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state"), **environment}
    return subprocess.run([sys.executable, "-m", "condense_cli", "hook"], input=data, capture_output=True, check=False, env=env, cwd=ROOT)


def event(path, name="SessionStart"):
    return json.dumps({"hook_event_name": name, "source": "resume", "transcript_path": str(path)}).encode()


def test_a_broken_session_gets_one_sentence(tmp_path):
    """On one line of JSON, with the command; the session keeps its bytes and times."""
    session = tmp_path / "s.jsonl"
    session.write_bytes(BROKEN.read_bytes())
    before = os.stat(session)
    done = hook(event(session), tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    said = json.loads(done.stdout)["systemMessage"]
    assert said.endswith(f"condense repair -i --wait {session}")
    assert (os.stat(session).st_mtime_ns, os.stat(session).st_ino) == (before.st_mtime_ns, before.st_ino)
    assert condense(*said.split(": condense ")[1].split(), "--force").code == 0
    assert hook(event(session), tmp_path).stdout == b""


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"null", b"[]", b"{}", b"\xff\xfe", b"[" * 100_000, b'{"transcript_path": 5}', b'{"transcript_path": "/nowhere/x"}', b'{"transcript_path": "a\\u0000b"}', b'{"transcript_path": "\\ud800"}', event("/"), event("/dev/zero"), b"x" * 3_000_000],
    ids=range(14),
)
def test_malformed_events_get_an_empty_answer(data, tmp_path):
    """Exit code 0 and nothing on either stream."""
    done = hook(data, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_huge_file_and_no_state_folder(tmp_path):
    """Empty for what is too large to be looked at in time; an answer without any place to keep it."""
    huge = tmp_path / "huge.jsonl"
    with open(huge, "wb") as file:
        file.truncate(5 << 30)
    assert hook(event(huge), tmp_path).stdout == b""
    done = hook(event(BROKEN), tmp_path, XDG_STATE_HOME="/proc/none")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout


def test_standard_input_that_never_ends(tmp_path, monkeypatch):
    """The hook ends all the same."""
    with subprocess.Popen([sys.executable, "-m", "condense_cli", "hook"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as process:
        began = time.monotonic()
        assert process.wait(30) == 0
        assert process.stdout.read() == b""
        process.stdin.close()
    assert time.monotonic() - began < 30


def test_settings_are_shown_and_written_when_asked(tmp_path, monkeypatch):
    """--dry-run writes nothing, --install writes, --uninstall takes it back."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    path = tmp_path / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_bytes(b'{"model":"opus"}')
    shown = condense("hook", "--install", "claude-code", "--dry-run")
    assert (shown.code, path.read_bytes()) == (0, b'{"model":"opus"}')
    assert b"+++ " in shown.out
    assert condense("hook", "--install", "claude-code").code == 0
    assert b"hook" in path.read_bytes()
    assert condense("hook", "--uninstall", "claude-code").code == 0
    assert path.read_bytes() == b'{"model":"opus"}'


@pytest.mark.parametrize("words", [("--dry-run",), ("--install", "emacs"), ("--install", "pi", "--uninstall", "pi")])
def test_settings_of_no_client(words):
    """A usage error."""
    assert condense("hook", *words).code == 2


def test_what_is_left_to_do_is_said(tmp_path, monkeypatch):
    """Codex runs no hook that its user has not looked at."""
    monkeypatch.setenv("CODEX_HOME", str(tmp_path))
    assert "trusted" in condense("hook", "--install", "codex").err
    assert "trusted" not in condense("hook", "--install", "codex").err
