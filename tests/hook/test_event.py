"""What clients say on standard input."""

import json

import pytest
from condense_cli.hook.event import Event, read_event
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import law


@pytest.mark.parametrize("name", ["SessionStart", "Stop", "SessionEnd", "PreCompact", "AfterAgent"])
def test_an_event_has_a_name_and_a_session(name):
    """The words of Claude Code, Codex, Gemini CLI and Qwen Code."""
    data = json.dumps({"hook_event_name": name, "transcript_path": "/s/a.jsonl", "source": "resume", "cwd": "/"})
    assert read_event(data.encode()) == Event(name, "/s/a.jsonl", name == "SessionStart")


@pytest.mark.parametrize(("source", "begins"), [("resume", True), ("startup", True), ("compact", False), ("clear", False), ("reload", False)])
def test_a_session_that_goes_on_is_not_taken_up(source, begins):
    """In a session that only was compacted, a call may still run."""
    data = json.dumps({"hook_event_name": "SessionStart", "session_file": "/s/a.jsonl", "source": source})
    assert read_event(data.encode()).begins is begins


def test_the_home_folder_is_spelled_out(monkeypatch):
    """`~` is the user's home."""
    monkeypatch.setenv("HOME", "/home/dev")
    assert read_event(b'{"transcript_path": "~/a.jsonl"}').path == "/home/dev/a.jsonl"


@law(200)
@given(st.binary(max_size=60) | st.recursive(st.none() | st.text() | st.integers(), lambda v: st.lists(v) | st.dictionaries(st.sampled_from(["transcript_path", "hook_event_name", "source", "x"]), v)).map(lambda v: json.dumps(v).encode()))
def test_anything_else_is_no_event(data):
    """No bytes make it fail."""
    event = read_event(data)
    assert event is None or (isinstance(event.path, str) and event.path)


def test_deep_json_is_no_event():
    """A deep document ends in None, not in an error."""
    assert read_event(b"[" * 200_000) is None
