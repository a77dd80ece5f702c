"""References and the session among the words of `condense query`."""

import json

import pytest
from condense_cli.cli.query.words import parted
from condense_cli.errors import UsageError
from condense_cli.storage.clients.claude_code import claude_folder
from tests.strategies import condense

ID = "3f2a0b1c-0000-4000-8000-000000000001"
LINES = [
    {"type": "session", "version": 3, "id": "s1", "timestamp": "2026-08-12T02:00:00.000Z", "cwd": "/w"},
    {
        "type": "message",
        "id": "00000001",
        "parentId": None,
        "timestamp": "2026-08-12T02:00:00.000Z",
        "message": {"role": "assistant", "content": [{"type": "toolCall", "id": "bash_23", "name": "bash", "arguments": {}}], "timestamp": 1},
    },
    {
        "type": "message",
        "id": "00000002",
        "parentId": "00000001",
        "timestamp": "2026-08-12T02:00:00.000Z",
        "message": {"role": "toolResult", "toolCallId": "bash_23", "toolName": "bash", "content": [{"type": "text", "text": "first"}], "timestamp": 2},
    },
]


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home folder with one session of Claude Code in its store; the working folder has a session of pi."""
    work = tmp_path / "work"
    store = tmp_path / ".claude" / "projects" / claude_folder(str(work))
    for folder in (work, store):
        folder.mkdir(parents=True)
    (store / f"{ID}.jsonl").write_text("{}\n")
    (work / "s.jsonl").write_text("".join(json.dumps(line) + "\n" for line in LINES))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    monkeypatch.chdir(work)
    return work


@pytest.mark.parametrize(
    ("words", "refs", "session"),
    [
        (["s.jsonl"], [], "s.jsonl"),
        (["t5", "s.jsonl"], ["t5"], "s.jsonl"),
        (["t5", "bash_23"], ["t5", "bash_23"], None),
        (["bash_23", "@last"], ["bash_23"], "@last"),
        (["bash_23", ID], ["bash_23"], ID),
        (["bash_23", ID[:6]], ["bash_23"], ID[:6]),
        (["bash_23", "3f"], ["bash_23", "3f"], None),
        (["bash_23", "-"], ["bash_23"], "-"),
        (["t5", "gone.jsonl"], ["t5"], "gone.jsonl"),
        (["t5", "sub/s"], ["t5"], "sub/s"),
        (["bash_*"], ["bash_*"], None),
        (["bash_23@5"], ["bash_23@5"], None),
        (["bash_23#2"], ["bash_23#2"], None),
        (["L120"], ["L120"], None),
        ([], [], None),
        (None, [], None),
    ],
)
def test_the_last_word_may_be_the_session(home, words, refs, session):
    """A path, an id, the start of one, @last; what has the form of a reference is none."""
    assert parted(words, None) == (refs, session)


def test_the_option_comes_first(home):
    """All words are references then; a second session is a mistake."""
    assert parted(["t5", ID], "s.jsonl") == (["t5", ID], "s.jsonl")
    with pytest.raises(UsageError):
        parted(["t5", "s.jsonl"], "@last")


def test_a_file_that_has_the_name_of_a_reference_is_the_session(home):
    """It is there."""
    (home / "t5").write_text("{}\n")
    assert parted(["t1", "t5"], None) == (["t1"], "t5")


def test_query_takes_it(home):
    """With a reference and alone, also where the command line is understood without Typer."""
    assert condense("query", "bash_23", "s.jsonl", "--raw").out == b"first"
    assert b"bash_23" in condense("query", "s.jsonl").out
    assert condense("query", "bash_99", "s.jsonl").code == 1
    assert condense("query", "bash_23", "gone.jsonl").code == 3
