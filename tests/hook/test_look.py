"""What is new in a session since the last look."""

import json
import os

import pytest
from condense_cli.hook import look
from condense_cli.hook.event import Event
from condense_cli.storage import looks
from tests.conversations import chains, claude_code, written


@pytest.fixture
def session(tmp_path, monkeypatch):
    """A sound session of Claude Code, with a state folder of its own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return written(tmp_path, "claude-code", chains(3))


def orphan(path, number):
    """Append a result that nothing asked for to the thread."""
    last = json.loads(path.read_bytes().splitlines()[-1])
    content = [{"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": "x"}]
    row = {**last, "parentUuid": last["uuid"], "type": "user", "message": {"role": "user", "content": content}, "uuid": f"{number:08x}-9999-4000-8000-000000000000"}
    with open(path, "a") as file:
        file.write(json.dumps(row, separators=(",", ":")) + "\n")


def rules(path, name="Stop", *, begins=False):
    return [sight.rule for sight in look.news(Event(name, str(path), begins))]


def test_a_sound_session_has_no_news(session):
    """And none a second time."""
    assert rules(session) == rules(session, begins=True) == []


def test_news_are_told_once(session):
    """A finding is told once, a second one of the same rule is new again, and all are told when the session is taken up."""
    orphan(session, 1)
    assert rules(session) == ["orphan-result"]
    assert rules(session) == []
    orphan(session, 2)
    assert rules(session) == ["orphan-result"]
    assert rules(session) == []
    assert rules(session, "SessionStart", begins=True) == ["orphan-result"] * 2


def test_what_was_repaired_and_comes_back_is_new(session):
    """Only what is there now counts as told."""
    sound = session.read_bytes()
    orphan(session, 1)
    assert rules(session)
    session.write_bytes(sound)
    assert rules(session) == []
    orphan(session, 1)
    assert rules(session) == ["orphan-result"]


def test_a_call_without_result_counts_only_when_the_session_is_taken_up(session):
    """While a client works, the call may run."""
    whole = session.read_bytes().splitlines(keepends=True)
    at = max(n for n, line in enumerate(whole) if b'"tool_use"' in line)
    session.write_bytes(b"".join(whole[: at + 1]))
    assert rules(session) == []
    assert rules(session, "SessionStart", begins=True) == ["trailing-call"]


def test_a_session_that_did_not_change_is_not_read(session, monkeypatch):
    """The answer comes from the last look."""
    orphan(session, 1)
    assert rules(session)
    monkeypatch.setattr(look, "_check", lambda path: pytest.fail("it was read again"))
    assert rules(session, begins=True) == ["orphan-result"]


def test_a_session_that_was_changed_under_its_old_times_is_read(session):
    """Same size, same modification time: the time of change of the inode tells."""
    orphan(session, 1)
    assert rules(session)
    facts = os.stat(session)
    data = session.read_bytes()
    with open(session, "r+b") as file:
        file.write(data.replace(b'"tool_use_id":"toolu_1"', b'"tool_use_id":"toolu_9"'))
    os.utime(session, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    assert rules(session) == ["orphan-result"]


@pytest.mark.parametrize("state", ["missing", "file", "damaged"])
def test_without_a_state_folder_everything_is_new(session, tmp_path, monkeypatch, state):
    """The state only saves work."""
    orphan(session, 1)
    if state == "damaged":
        assert rules(session)
        for name in (tmp_path / "state" / "condense" / "looks").iterdir():
            name.write_bytes(b"{")
    else:
        (tmp_path / "state2").write_bytes(b"") if state == "file" else None
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state2") if state == "file" else "/proc/none")
    assert rules(session) == ["orphan-result"]


def test_what_is_no_session_file_has_no_news(tmp_path):
    """Missing, a folder, a pipe, empty, huge: nothing is opened."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "empty").write_bytes(b"")
    with open(tmp_path / "huge.jsonl", "wb") as file:
        file.truncate(looks.MOST_BYTES + 1)
    for name in ("missing", "", "pipe", "empty", "huge.jsonl"):
        assert rules(tmp_path / name, begins=True) == []


def test_the_sessions_of_the_tests_are_what_they_seem():
    """The conversation of these tests has calls."""
    assert any("tool_use" in str(row) for row in claude_code(chains(1)))
