"""From a refused session to the resumed client, as users do it: by the error that they saw, by an id, by what CI said.

Each in a terminal of 80 columns and in a pipe, with at most three commands, each of them given by the one before.
"""

import json
import os
import re
import shlex

import pytest
from condense_cli.storage.clients.claude_code import claude_folder
from tests.terminal import in_a_pipe, in_a_terminal

ID = "3f2a0b1c-0000-4000-8000-000000000001"
SAID = "API Error: 400 messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01."
AGAIN = f"claude --resume {ID}"


def session(work):
    """A session of Claude Code with a call that nothing answered."""
    common = {"sessionId": ID, "cwd": str(work), "version": "2.1.332", "isSidechain": False, "userType": "external"}
    use = {"type": "tool_use", "id": "toolu_01", "name": "Bash", "input": {}}
    messages = [
        ("user", {"role": "user", "content": "hi"}),
        ("assistant", {"id": "m1", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5", "content": [use]}),
        ("user", {"role": "user", "content": "go on"}),
    ]
    found = []
    for number, (kind, message) in enumerate(messages):
        ids = {"uuid": f"0000000{number}-0000-4000-8000-000000000000", "parentUuid": found[-1]["uuid"] if found else None}
        found.append({**common, "type": kind, **ids, "timestamp": f"2026-01-01T00:00:0{number}.000Z", "message": message})
    return "".join(json.dumps(record, separators=(",", ":")) + "\n" for record in found)


@pytest.fixture(params=[in_a_pipe, pytest.param(in_a_terminal, marks=pytest.mark.slow)])
def user(request, tmp_path):
    """What runs a command line; a home with one broken session, written two hours ago, and its working folder."""
    work = tmp_path / "work"
    store = tmp_path / ".claude" / "projects" / claude_folder(str(work))
    for folder in (work, store):
        folder.mkdir(parents=True)
    path = store / f"{ID}.jsonl"
    path.write_text(session(work))
    os.utime(path, (path.stat().st_mtime - 7200,) * 2)

    def types(line, *, where=work, typed=""):
        words = shlex.split(line)
        assert words[0] == "condense"
        return request.param(tmp_path, where, *words[1:], typed=typed)

    return types, work, path


def command(said, verb):
    """Return the command that condense names; a terminal wraps a long one."""
    found = re.search(rf"condense {verb}[^\n]*(?:\n(?=[^ \n]*$)[^\n]*)*", said)
    assert found, said
    return found[0].replace("\n", "")


def test_by_the_error_that_was_seen(user):
    """It is pasted; the commands that follow name the newest session of the folder."""
    types, _, _ = user
    for line, typed in (("condense explain " + shlex.quote(SAID), ""), ("condense explain -", SAID)):
        code, said = types(line, typed=typed)
        assert code == 0
        assert "unanswered-call" in said
    code, said = types(command(said, "repair"))
    assert code == 1
    code, said = types("condense repair -i @last")
    assert code == 0
    assert AGAIN in said


def test_by_the_start_of_its_id(user):
    """As the client prints it, from any folder."""
    types, work, path = user
    before = path.read_bytes()
    code, said = types("condense check 3f2a", where=work.parent)
    assert code == 1
    assert "unanswered-call" in said
    code, said = types("condense repair -i 3f2a", where=work.parent)
    assert code == 0
    assert AGAIN in said.replace("\n", " ")
    assert types("condense check 3f2a", where=work.parent)[0] == 0
    assert types("condense undo --last", where=work.parent)[0] == 0
    assert path.read_bytes() == before


def test_by_what_ci_said(user):
    """The job names the file and the command; both are pasted where the file is."""
    types, work, path = user
    (work / "logs").mkdir()
    (work / "logs" / "a b.jsonl").write_bytes(path.read_bytes())
    os.utime(work / "logs" / "a b.jsonl", (path.stat().st_mtime,) * 2)
    assert "file=logs/a b.jsonl,line=2" in types("condense check --output-format github logs")[1]
    code, said = types("condense check logs")
    assert code == 1
    following = command(said, "repair")
    assert following == "condense repair 'logs/a b.jsonl'"
    code, said = types(following)
    assert code == 1
    assert types(command(said, "repair -i"))[0] == 0
    assert types("condense check logs")[0] == 0
