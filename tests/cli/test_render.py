"""condense render, from the command line."""

import json
import os
import shutil
from pathlib import Path

import pytest
from condense_cli.cli import run
from condense_cli.cli.render.run import show_pruning
from tests.strategies import calls, condense, pi_file

FIXTURES = Path(__file__).parents[2] / "fixtures" / "prune"


@pytest.fixture
def session(tmp_path):
    return shutil.copy(FIXTURES / "role-restriction" / "session.jsonl", tmp_path / "session.jsonl")


@pytest.fixture
def render(capfdbinary):
    def rendered(*arguments):
        code = run(["render", *map(os.fspath, arguments)])
        out, err = capfdbinary.readouterr()
        return code, out.decode(), err.decode()

    return rendered


def roles(out):
    return [json.loads(line)["role"] for line in out.splitlines()]


def test_a_pipe_gets_one_message_a_line(render, session):
    """The default in a pipe is jsonl after pruning, and pruning is no failure."""
    code, out, err = render(session)

    assert (code, err) == (0, "")
    assert roles(out) == ["user", "user", "user", "custom", "bashExecution", "assistant"]


def test_each_view_is_another_stage(render, session):
    """stored has every entry, context the active thread, rendered what pruning leaves, wire what is sent."""
    assert render("--view", "stored", session)[1].encode() == Path(session).read_bytes()
    assert roles(render("--view", "context", session)[1]) == ["user", "assistant", "toolResult", "user", "custom", "bashExecution", "custom", "assistant"]
    assert roles(render("--view", "wire", "--contract", "anthropic", session)[1]) == ["user", "user", "user", "user", "user", "assistant"]


def test_json_is_one_object(render, session):
    """Messages, the flag, both sizes in UTF-16 units of their JSON, and the diagnostics."""
    out = render("--output-format", "json", session)[1]
    value = json.loads(out)

    assert list(value) == ["messages", "pruned", "beforeChars", "afterChars", "diagnostics"]
    assert value["afterChars"] == sum(len(json.dumps(m, separators=(",", ":"), ensure_ascii=False)) for m in value["messages"])
    assert value["beforeChars"] > value["afterChars"]
    wire = json.loads(render("--output-format", "json", "--view", "wire", session)[1])
    assert (wire["beforeChars"], wire["afterChars"]) == (value["beforeChars"], value["afterChars"])


def test_text_is_for_people(render, tmp_path):
    """Roles, tools and whole texts; control characters and direction marks are shown as escapes."""
    entry = {"type": "message", "id": "a", "parentId": None, "timestamp": "2026-08-12T02:00:00Z"}
    message = {"role": "user", "content": [{"type": "text", "text": "red \x1b[31m \u202e"}], "timestamp": 0}
    path = tmp_path / "s.jsonl"
    path.write_text(json.dumps({"type": "session", "version": 3, "id": "s"}) + "\n" + json.dumps({**entry, "message": message}) + "\n")

    assert render("--output-format", "text", path)[1] == "[1] user 1970-01-01T00:00:00.000Z\n  red \\x1b[31m \\u202e\n"


def test_output_goes_to_a_file_but_never_onto_the_input(render, session, tmp_path):
    """-o writes jsonl; the input under any name is refused and stays as it was."""
    before = Path(session).read_bytes()
    os.symlink(session, tmp_path / "alias.jsonl")

    assert render(session, "-o", tmp_path / "out.jsonl")[:2] == (0, "")
    assert len(roles((tmp_path / "out.jsonl").read_text())) == 6
    assert render(session, "-o", session)[0] == 2
    assert render(session, "-o", tmp_path / "alias.jsonl")[0] == 2
    assert Path(session).read_bytes() == before
    assert sorted(os.listdir(tmp_path)) == ["alias.jsonl", "out.jsonl", "session.jsonl"]


@pytest.mark.parametrize("option", ["--dry-run", "--diff"])
def test_a_dry_run_lists_the_changes(render, session, option):
    """Each change with its line, then the sum and how much of the prefix survives."""
    code, out, _ = render(option, session)

    assert code == 0
    lines = out.splitlines()
    assert [line.split()[1] for line in lines[1:-2]] == ["insert", "drop", "drop", "drop", "strip"]
    assert [line.split()[0] for line in lines[1:-2]] == ["2", "3", "4", "8", "9"]
    assert lines[-2].startswith("3 dropped, 1 stripped, 1 inserted: ")
    assert lines[-1].startswith("first change at message 1 of 8: ")


def test_a_dry_run_as_json_names_no_text(render, session):
    """Places and sizes only."""
    out = render("--dry-run", "--output-format", "json", session)[1]

    assert json.loads(out)["firstChanged"] == 1
    assert "what happened" not in out


def test_the_changes_are_a_comparison_too(session, capfdbinary):
    """For `diff` the same list ends with 1 when there is something in it, else with 0."""
    changed = show_pruning(os.fspath(session), settings=None, format_name="auto", leaf=None)
    clean = show_pruning(os.fspath(FIXTURES / "clean" / "session.jsonl"), settings=None, format_name="auto", leaf=None)

    assert (changed, clean) == (1, 0)
    assert b"compressed chain b1" in capfdbinary.readouterr().out


def test_nothing_to_prune_is_said(render):
    """A clean session gives an empty list of changes."""
    assert render("--dry-run", FIXTURES / "clean" / "session.jsonl")[1] == "nothing is pruned\n"


def test_settings_are_read_from_a_file(render, session, tmp_path):
    """Without `enabled` nothing is pruned; a file that is no JSON is unreadable."""
    settings = tmp_path / "settings.json"
    settings.write_text("{}")

    assert len(roles(render("--settings", settings, session)[1])) == 8
    settings.write_text("{")
    assert render("--settings", settings, session)[0] == 3


def test_diagnostics_are_a_table_on_stderr(render):
    """Kind, key and detail; standard output holds the messages only; -q leaves them out."""
    path = FIXTURES / "unresolvable-ranges" / "session.jsonl"
    code, out, err = render(path)

    assert code == 0
    assert len(roles(out)) == 8
    assert err.splitlines()[1].split("  ")[0] == "unresolved-range"
    assert "blockId=b1 start=999 final=1200" in err
    assert run(["-q", "render", os.fspath(path)]) == 0


def test_where_the_original_fails_stderr_says_so(render, tmp_path, session):
    """The messages come out unpruned, and the exit code stays 0."""
    broken = {"type": "custom", "id": "zz", "parentId": None, "timestamp": "2026-08-12T02:00:00Z", "customType": "context-prune-index"}
    lines = Path(session).read_text().splitlines()
    broken["parentId"] = json.loads(lines[-1])["id"]
    Path(session).write_text("\n".join([*lines, json.dumps(broken)]) + "\n")

    code, out, err = render(session)

    assert (code, len(roles(out))) == (0, 8)
    assert "pi-condense fails on this session" in err


def test_a_leaf_ends_the_thread_earlier(render, session):
    """--leaf shows the path to that entry."""
    entries = [json.loads(line) for line in Path(session).read_text().splitlines()]

    assert roles(render("--leaf", entries[2]["id"], session)[1]) == ["user", "assistant"]
    assert render("--leaf", "nowhere", session)[0] == 2


@pytest.mark.parametrize("options", [["--contract", "nobody"], ["--contract", "pi", "--view", "wire"], ["--contract", "pi", "--view", "context"], ["--exempt-tool", "x"]])
def test_options_that_make_no_sense_are_usage_errors(render, session, options):
    """Nothing is printed, and the exit code is 2."""
    code, out, _ = render(*options, session)

    assert (code, out) == (2, "")


def test_an_outline_is_text(tmp_path):
    """--outline has a line per message in a pipe, too; it goes with no other output."""
    path = tmp_path / "s.jsonl"
    path.write_bytes(pi_file([("user",), calls(["a"]), ("result", "a"), ("text",)]))
    outcome = condense("render", "--outline", path)

    assert (outcome.code, len(outcome.out.splitlines())) == (0, 4)
    assert outcome.out.startswith(b"[1] user")
    assert condense("render", "--outline", "--output-format", "json", path).code == 2
    assert condense("render", "--outline", "--dry-run", path).code == 2


def test_around_a_line_shows_its_findings(render, tmp_path):
    """The message of the line with what is wrong there; it is text in a pipe too, and goes with no other shape."""
    path = tmp_path / "s.jsonl"
    path.write_bytes(pi_file([("user",), calls(["a"]), ("user",), ("result", "a"), ("text",)]))
    code, out, _ = render("--around", "4", path)

    assert code == 0
    assert "[3] user" in out
    assert "! error displaced-result at line 5: " in out
    assert render("--around", "4", "--output-format", "json", path)[0] == 2
    assert render("--around", "4", "--outline", path)[0] == 2
    assert render("--around", "0", path)[0] == 2


def test_an_error_that_claude_code_stored_is_said(render, tmp_path):
    """The answer that the client wrote itself is named as an error, with its line."""
    path = tmp_path / "s.jsonl"
    common = {"sessionId": "5e551011-0000-4000-8000-000000000000", "version": "2.0.0", "timestamp": "2026-01-01T00:00:00.000Z", "isSidechain": False}
    records = (
        {**common, "type": "user", "uuid": "a", "parentUuid": None, "message": {"role": "user", "content": "hi"}},
        {**common, "type": "assistant", "uuid": "b", "parentUuid": "a", "isApiErrorMessage": True, "message": {"role": "assistant", "content": [{"type": "text", "text": "API Error: 400"}]}},
    )
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")

    assert "! the client stored this error at line 2: API Error: 400" in render("--outline", path)[1]
