"""`condense` alone, as a new user runs it: in a terminal of 80 columns and in a pipe."""

import json
import os

import pytest
from condense_cli.storage.clients.claude_code import claude_folder
from tests.terminal import in_a_pipe, in_a_terminal

ID = "3f2a0b1c-0000-4000-8000-000000000001"
SAID = "API Error: 400 messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01."


def records(work, *, error=True):
    """A session of Claude Code with a call that nothing answered, and the error that came of it."""
    common = {"sessionId": ID, "cwd": str(work), "version": "2.1.332", "isSidechain": False, "userType": "external"}
    messages = [
        ("user", {"role": "user", "content": "hi"}),
        ("assistant", {"id": "m1", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5", "content": [{"type": "tool_use", "id": "toolu_01", "name": "Bash", "input": {}}]}),
        ("user", {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_other", "content": "out"}]}),
        ("user", {"role": "user", "content": "go on"}),
    ]
    found = []
    for number, (kind, message) in enumerate(messages):
        parent = found[-1]["uuid"] if found else None
        time = f"2026-01-01T00:00:0{number}.000Z"
        found.append({**common, "type": kind, "uuid": f"0000000{number}-0000-4000-8000-000000000000", "parentUuid": parent, "timestamp": time, "message": message})
    if error:
        message = {"id": "m2", "type": "message", "role": "assistant", "model": "<synthetic>", "content": [{"type": "text", "text": SAID}]}
        found.append({**found[-1], "type": "assistant", "uuid": "00000009-0000-4000-8000-000000000000", "parentUuid": found[-1]["uuid"], "isApiErrorMessage": True, "message": message})
    return found


@pytest.fixture
def home(tmp_path):
    """A home, and a working folder in which Claude Code was refused."""
    work = tmp_path / "work"
    work.mkdir()
    folder = tmp_path / ".claude" / "projects" / claude_folder(str(work))
    folder.mkdir(parents=True)
    path = folder / f"{ID}.jsonl"
    path.write_text("".join(json.dumps(record, separators=(",", ":")) + "\n" for record in records(work)))
    os.utime(path, (path.stat().st_mtime - 7200,) * 2)
    return tmp_path, work, path


BOTH = pytest.mark.parametrize("run", [in_a_pipe, pytest.param(in_a_terminal, marks=pytest.mark.slow)])


@BOTH
def test_a_refused_session_is_diagnosed_repaired_and_resumed_without_a_path(home, run):
    """`condense`, then the two commands that it and the repair name."""
    top, work, _ = home
    code, said = run(top, work)

    assert code == 1
    assert f"claude-code {ID}, 2 hours ago, " in said
    assert "The client stored this error on line 5" in said
    assert "tool_use" in said
    assert "warning unanswered-call, line 2" in said
    assert "orphan-result, line 3" in said
    assert "condense repair -i @last" in said

    code, said = run(top, work, "repair", "-i", "@last")
    assert code == 0
    assert f"to go on with it: claude --resume {ID}" in said

    code, said = run(top, work)
    assert code == 0
    assert "Nothing is wrong with it" in said


@BOTH
def test_a_folder_without_sessions_gets_three_first_steps(tmp_path, run):
    """Each is a command; nothing is wrong."""
    code, said = run(tmp_path, tmp_path)

    assert code == 0
    assert [line for line in ("condense doctor", "condense check SESSION", "condense explain") if line in said] == ["condense doctor", "condense check SESSION", "condense explain"]
    assert len(said.splitlines()) == 4


@BOTH
def test_no_line_is_longer_than_the_terminal(home, run):
    """At 80 columns every line but a path fits."""
    top, work, path = home
    lines = [line for line in run(top, work)[1].splitlines() if str(path) not in line]

    assert max(map(len, lines)) <= 80


@BOTH
@pytest.mark.parametrize("command", ["render", "diff", "repair", "compact"])
def test_what_only_reads_takes_the_newest_session(home, run, command):
    """Without a SESSION, by the start of its id, and as @last it is the same one, and stderr says so."""
    top, work, path = home
    before = path.read_bytes()
    code, said = run(top, work, command)
    by_id, by_last = run(top, work, command, "3f2a"), run(top, work, command, "@last")

    assert code in (0, 1)
    assert f"condense: session {path} (claude-code, the newest of this folder)" in said
    if command == "render":  # it names the session in its own commands as it was named
        said = said.splitlines()[0]
        by_id, by_last = (by_id[0], by_id[1].splitlines()[0]), (by_last[0], by_last[1].splitlines()[0])
    assert (code, said) == by_last
    assert (by_id[0], by_id[1].replace("by the start of its id", "the newest of this folder")) == by_last
    assert path.read_bytes() == before


@pytest.mark.parametrize("words", [("repair", "-i"), ("repair", "-o", "x"), ("compact", "-i"), ("render", "-o", "x")], ids=" ".join)
def test_what_writes_wants_the_session_named(home, words):
    """With -i or -o nothing is guessed."""
    top, work, path = home
    before = path.read_bytes()
    code, said = in_a_pipe(top, work, *words)

    assert code == 2
    assert "@last" in said
    assert path.read_bytes() == before
    assert not (work / "x").exists()


@pytest.mark.parametrize("words", [("repair", "-n", "-i", "@last"), ("repair", "--dry-run", "-o", "x", "3f2a"), ("compact", "-n", "@last", "-o", "x")], ids=" ".join)
def test_a_dry_run_writes_nothing(home, words):
    """-n wins over -i and -o."""
    top, work, path = home
    before = path.read_bytes()
    code, _ = in_a_pipe(top, work, *words)

    assert code in (0, 1)
    assert path.read_bytes() == before
    assert not (work / "x").exists()


def test_check_takes_an_id(home):
    """`condense check 3f2a` checks that session."""
    top, work, path = home
    code, said = in_a_pipe(top, work, "check", "3f2a", "-q")

    assert code == 1
    assert said.startswith(str(path))


def test_explain_without_text_takes_the_stored_error(home):
    """In a pipe that of the newest session, else that of the session that is named."""
    top, work, _ = home
    for words in (("explain",), ("explain", "--session", "@last"), ("explain", "--session", "3f2a")):
        code, said = in_a_pipe(top, work, *words)
        assert code == 0, said
        assert "the error on line 5: API Error: 400" in said
        assert "unanswered-call" in said


def test_explain_at_a_terminal_asks_for_the_error(home):
    """It says how to end the text."""
    top, work, _ = home
    code, said = in_a_terminal(top, work, "explain", typed="bom")

    assert code == 0
    assert "Paste the error, then Ctrl-D" in said
    assert "byte order mark" in said


@BOTH
def test_query_without_a_reference_lists_what_can_be_asked_for(home, run):
    """Reference, line, tool, size and place; --grep takes those that match; a glob and a start name several."""
    top, work, _ = home
    code, said = run(top, work, "query")
    assert code == 0
    assert any(line.split() == ["toolu_other", "3", "3", "transcript"] for line in said.splitlines()), said

    assert run(top, work, "query", "--grep", "o.t")[0] == 0
    assert run(top, work, "query", "--grep", "nowhere")[0] == 1
    for ref in ("toolu_*", "toolu_oth"):
        code, said = run(top, work, "query", ref)
        assert code == 0
        assert "out" in said
    code, said = run(top, work, "query", "tolu_other")
    assert code == 1
    assert "near it: toolu_other" in said
