"""`condense repair`: exit code, stdout, stderr, and what became of the files."""

import io
import json
import os
import shlex
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from condense_cli.cli import run
from tests.strategies import as_lines, calls, condense, pi_file, pi_records

OLD = (1_700_000_000,) * 2
SOUND = [("user",), calls(["a"]), ("result", "a"), ("text",)]
ORPHAN = [("user",), calls(["a"]), ("result", "a"), ("result", "b"), ("text",)]
DISPLACED = [("user",), calls(["a"]), ("user",), ("result", "a"), ("text",)]
UNANSWERED = [("user",), calls(["a", "b"]), ("result", "a"), ("user",), ("text",)]
TRAILING = [("user",), calls(["a"])]
REUSED = [("user",), calls(["a"]), ("result", "a"), calls(["a"]), ("result", "a"), ("text",)]


@pytest.fixture(autouse=True)
def _apart(tmp_path, monkeypatch):
    """An empty folder and a journal of our own."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def put(tmp_path):
    """Write a session that nobody has touched for long, and return its name."""

    def written(messages, name="s.jsonl"):
        (tmp_path / name).write_bytes(messages if isinstance(messages, bytes) else pi_file(messages))
        os.utime(tmp_path / name, OLD)
        return name

    return written


@pytest.fixture
def journaled(tmp_path, monkeypatch, capfd):
    """Run commands one after the other with one journal."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))

    def call(*arguments):
        code = run([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        return code, out, err

    return call


def files():
    """Names and bytes of all files in the current folder."""
    return {name: Path(name).read_bytes() for name in os.listdir() if os.path.isfile(name)}


def roles(data):
    """Roles of the messages of a pi session, with the ids of calls and results."""
    found = []
    for line in data.splitlines()[1:]:
        message = json.loads(line).get("message", {})
        ids = [block["id"] for block in message["content"] if block["type"] == "toolCall"] if message else []
        found.append(" ".join([message.get("role", "?"), *ids, *([message["toolCallId"]] if "toolCallId" in message else [])]))
    return found


def repaired(path, *options):
    """The roles of what a repair writes, and its exit code."""
    outcome = condense("repair", path, "-o", "-", *options)
    return roles(outcome.out), outcome.code


# ---------------------------------------------------------------------- dry run
def test_a_dry_run_writes_nothing(put):
    """The plan is on stdout, the command to apply it on stderr, the exit code is 1, and no file changed."""
    path = put(ORPHAN)
    before = files()
    outcome = condense("repair", path)

    assert outcome.code == 1
    assert b"line 5 result b is removed\n  orphan-result: " in outcome.out
    assert outcome.out.endswith(b"s.jsonl: 1 record changed, 1 removed\n")
    assert outcome.err == "nothing was written; to apply it: condense repair -i s.jsonl\n"
    assert files() == before


def test_the_command_that_is_shown_does_what_was_shown(put, journaled):
    """It repeats every option that decided the plan, quoted for a shell."""
    path = put(UNANSWERED, "my session.jsonl")
    options = ["--unanswered", "drop", "--contract", "anthropic", "--ignore", "bom", "--format", "pi"]
    code, out, err = journaled("repair", path, *options)
    wanted = journaled("repair", path, *options, "-o", "wanted")
    command = shlex.split(err.split("to apply it: ")[1])

    assert (code, wanted[0], command[:2]) == (1, 0, ["condense", "repair"])
    assert journaled(*command[1:])[0] == 0
    assert Path(path).read_bytes() == Path("wanted").read_bytes()
    assert "to take it back: condense undo" not in out


def test_nothing_to_repair_is_said(put):
    """A sound session ends with 0, without a command to apply."""
    outcome = condense("repair", put(SOUND))

    assert outcome == (0, b"s.jsonl: nothing to repair\n", "")


def test_what_cannot_be_repaired_ends_with_1(put):
    """A line that stays unreadable is listed as not fixed, and no command is offered."""
    lines = pi_file(SOUND).splitlines(keepends=True)
    outcome = condense("repair", put(b"".join([*lines[:2], b"{broken}\n", *lines[2:]])))

    assert outcome.code == 1
    assert outcome.out.startswith(b"not repaired:\n  warning unreadable-line at line 3: ")
    assert outcome.err == ""


def test_the_difference_is_shown_when_asked(put):
    """A dry run shows old and new text; what writes says a line per edit, and --diff shows the text there too."""
    path = put(ORPHAN)

    assert b"\n  - m3\n" in condense("repair", path).out
    short = condense("repair", "-o", "new.jsonl", path).out
    assert b"\n  - m3\n" not in short
    assert b"line 5 drop orphan-result: " in short
    assert b"\n  - m3\n" in condense("repair", "--diff", "-o", "other.jsonl", path).out


def test_a_dry_run_of_much_is_short(put):
    """Forty records are shown, how many more there are is said with the command for all; --diff shows all."""
    path = put([("user",), *(("result", f"b{n}") for n in range(60)), ("text",)])

    lines = condense("repair", path).out.decode().splitlines()
    assert sum(line.endswith(" is removed") for line in lines) == 40
    assert "and 21 more records: `condense diff` shows all" in lines
    assert sum(line.endswith(" is removed") for line in condense("repair", "--diff", path).out.decode().splitlines()) == 60


# ---------------------------------------------------------------------- into a new file
def test_a_new_file_is_written(put):
    """-o holds the repaired session, the input stays, and the exit code is 0."""
    path = put(ORPHAN)
    before = Path(path).read_bytes()

    assert condense("repair", path, "-o", "new.jsonl").code == 0
    assert roles(Path("new.jsonl").read_bytes()) == ["user", "assistant a", "toolResult a", "assistant"]
    assert Path(path).read_bytes() == before
    assert condense("check", "new.jsonl").code == 0


def test_standard_output_gets_bytes_and_stderr_the_plan(put):
    """With -o - nothing but the session is on stdout."""
    path = put(ORPHAN)
    condense("repair", path, "-o", "new.jsonl")
    outcome = condense("repair", path, "-o", "-")

    assert outcome.code == 0
    assert outcome.out == Path("new.jsonl").read_bytes()
    assert "drop orphan-result" in outcome.err


def test_a_session_comes_from_standard_input(put, monkeypatch):
    """`-` is read; without -o the command that is shown has one; it cannot be replaced in place."""
    data = Path(put(ORPHAN)).read_bytes()

    def piped():
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))

    piped()
    assert roles(condense("repair", "-", "-o", "-").out) == ["user", "assistant a", "toolResult a", "assistant"]
    piped()
    assert condense("repair", "-").err.strip() == "to write it: condense repair - -o FILE"
    piped()
    assert condense("repair", "-", "-i").code == 2


@pytest.mark.parametrize("name", ["s.jsonl", "./s.jsonl", "link.jsonl", "hard.jsonl"])
def test_the_input_is_no_output(put, name):
    """-o that names the input, by whatever name, is a usage error, and nothing is written."""
    path = put(ORPHAN)
    os.symlink(path, "link.jsonl")
    os.link(path, "hard.jsonl")
    before = files()

    assert condense("repair", path, "-o", name).code == 2
    assert files() == before


@pytest.mark.parametrize(
    "words",
    [["-o", "x", "-i"], ["-o", "x", "s.jsonl"], ["--plan-out", "x", "s.jsonl"], ["--plan", "x", "s.jsonl"], ["--select", "nothing"], ["--contract", "nobody"], ["--ids", "new"], ["-o", "missing/x"], ["-o", "."]],
)
def test_options_that_make_no_sense_are_usage_errors(put, words):
    """The exit code is 2, and nothing is written."""
    path = put(ORPHAN)
    before = files()
    outcome = condense("repair", path, *words)

    assert outcome.code == 2
    assert len(outcome.err) > 20
    assert files() == before


# ---------------------------------------------------------------------- in place
def test_in_place_and_back(put, journaled):
    """-i replaces the session, names the command that takes it back, and that gives the old bytes and time."""
    path = put(ORPHAN)
    before = Path(path).read_bytes()
    code, _, err = journaled("repair", "-i", path)

    assert code == 0
    assert roles(Path(path).read_bytes()) == ["user", "assistant a", "toolResult a", "assistant"]
    assert sorted(os.listdir()) == ["s.jsonl", "state"]
    undo = shlex.split(err.split("to take it back: ")[1].splitlines()[0])
    assert f"to go on with it: pi --session {os.path.realpath(path)}" in err
    assert undo[:2] == ["condense", "undo"]
    assert journaled(*undo[1:])[0] == 0
    assert Path(path).read_bytes() == before
    assert os.stat(path).st_mtime == OLD[0]


def test_what_was_removed_is_still_found(put, journaled):
    """`query` gives back an output that a repair dropped."""
    path = put(ORPHAN)
    journaled("repair", "-i", path)

    assert journaled("query", "b", "--raw", "--session", path)[:2] == (0, "m3")


def test_without_a_backup_there_is_no_way_back(put, journaled):
    """--no-backup repairs and keeps nothing."""
    path = put(ORPHAN)
    code, _, err = journaled("repair", "-i", "--no-backup", path)

    assert (code, "undo" in err) == (0, False)
    assert len(Path(path).read_bytes().splitlines()) == 5
    assert journaled("undo", "--last")[0] != 0
    assert journaled("query", "b", "--session", path)[0] == 1


def test_several_sessions_are_repaired_and_the_worst_decides(put, journaled):
    """A file that is none does not keep the others from being repaired; the exit code is its own."""
    broken, none, sound = put(ORPHAN), put(b"no session\n", "n.jsonl"), put(SOUND, "sound.jsonl")
    code, _, err = journaled("repair", "-i", none, broken, sound, "missing.jsonl")

    assert code == 3
    assert "n.jsonl:1: not a session" in err
    assert "missing.jsonl: " in err
    assert len(Path(broken).read_bytes().splitlines()) == 5
    assert Path(sound).stat().st_mtime == OLD[0]


def test_a_session_that_is_in_use_is_refused(put, journaled):
    """What was changed just now is left alone with exit 4, until --force says otherwise; -o is always possible."""
    path = put(ORPHAN)
    os.utime(path)
    before = Path(path).read_bytes()
    code, _, err = journaled("repair", "-i", path)

    assert code == 4
    assert "a client seems to be at work on it" in err
    assert Path(path).read_bytes() == before
    assert journaled("repair", path, "-o", "new")[0] == 0
    assert journaled("repair", "-i", "--force", path)[0] == 0
    assert Path(path).read_bytes() == Path("new").read_bytes()


def test_a_compressed_session_is_only_read(put):
    """What is packed cannot be replaced, nor written as something else."""
    zstandard = pytest.importorskip("zstandard")
    path = put(zstandard.ZstdCompressor().compress(pi_file(ORPHAN)), "s.jsonl.zst")

    assert condense("repair", path, "-o", "new").code == 4
    assert not os.path.exists("new")


# ---------------------------------------------------------------------- plans
def test_a_plan_is_applied_later(put):
    """--plan-out writes a plan, and --plan makes of the session what the plan says."""
    path = put(ORPHAN)

    assert condense("repair", path, "--plan-out", "plan.json").code == 1
    plan = json.loads(Path("plan.json").read_text(encoding="utf-8"))
    assert [edit["rule"] for edit in plan["edits"]] == ["orphan-result", "orphan-result"]
    assert condense("repair", path, "--plan", "plan.json", "-o", "new").code == 0
    assert Path("new").read_bytes() == condense("repair", path, "-o", "-").out


def test_a_plan_is_bound_to_its_input(put):
    """A session that is not the one it was made for is refused with 4, and nothing is written."""
    path = put(ORPHAN)
    condense("repair", path, "--plan-out", "plan.json")
    put(Path(path).read_bytes() + b" \n")
    before = files()

    for words in (["-o", "new"], ["-i"], []):
        outcome = condense("repair", path, "--plan", "plan.json", *words)
        assert outcome.code == 4
        assert "not the bytes that the plan was made for" in outcome.err
    assert files() == before


def test_a_plan_is_proved_too(put):
    """A plan whose bytes were edited so that a finding comes back is refused with 4."""
    path = put(DISPLACED)
    condense("repair", path, "--plan-out", "plan.json")
    plan = json.loads(Path("plan.json").read_text(encoding="utf-8"))
    Path("plan.json").write_text(json.dumps({**plan, "segments": [["copy", 0, plan["size"]], ["put", "{\n"]]}), encoding="utf-8")
    outcome = condense("repair", path, "--plan", "plan.json", "-o", "new")

    assert outcome.code == 4
    assert "does more than its edits say" in outcome.err
    assert not os.path.exists("new")


def test_what_is_no_plan_is_a_usage_error(put):
    """Whatever was done to a plan file, it is applied, refused, or no plan: never a bug."""
    path = put(ORPHAN)
    condense("repair", path, "--plan-out", "plan.json")
    plan = json.loads(Path("plan.json").read_text(encoding="utf-8"))
    codes = {}
    for key in plan:
        for value in (None, 0, "x", [1], [[]], [["copy", 0, 10**9]], [{}], {}):
            Path("bad.json").write_text(json.dumps({**plan, key: value}), encoding="utf-8")
            codes[key, str(value)] = condense("-q", "repair", path, "--plan", "bad.json", "-o", os.devnull).code

    assert set(codes.values()) == {0, 2, 4}
    assert not {key for (key, _), code in codes.items() if code == 0} & {"version", "format", "sha256", "size", "segments"}
    assert codes["segments", "[['copy', 0, 1000000000]]"] == codes["segments", "[[]]"] == codes["version", "0"] == codes["format", "x"] == 2
    assert codes["sha256", "x"] == 4


# ---------------------------------------------------------------------- policies
@pytest.mark.parametrize(
    ("messages", "options", "expected", "code"),
    [
        pytest.param(DISPLACED, [], ["user", "assistant a", "toolResult a", "user", "assistant"], 0, id="displaced: moved"),
        pytest.param(DISPLACED, ["--displaced", "drop"], ["user", "assistant a", "toolResult a", "user", "assistant"], 0, id="displaced: dropped, then answered"),
        pytest.param(DISPLACED, ["--displaced", "drop", "--unanswered", "keep"], ["user", "assistant a", "user", "assistant"], 1, id="displaced: dropped and left"),
        pytest.param(UNANSWERED, [], ["user", "assistant a b", "toolResult a", "toolResult b", "user", "assistant"], 0, id="unanswered: answered"),
        pytest.param(UNANSWERED, ["--unanswered", "drop"], ["user", "assistant a", "toolResult a", "user", "assistant"], 0, id="unanswered: dropped"),
        pytest.param(UNANSWERED, ["--unanswered", "keep"], ["user", "assistant a b", "toolResult a", "user", "assistant"], 1, id="unanswered: kept"),
        pytest.param(TRAILING, [], ["user", "assistant a"], 0, id="trailing: kept"),
        pytest.param(TRAILING, ["--trailing", "answer"], ["user", "assistant a", "toolResult a"], 0, id="trailing: answered"),
        pytest.param(TRAILING, ["--trailing", "drop"], ["user"], 0, id="trailing: dropped"),
        pytest.param(TRAILING, ["--select", "trailing-call"], ["user", "assistant a", "toolResult a"], 0, id="trailing: selected"),
        pytest.param(ORPHAN, [], ["user", "assistant a", "toolResult a", "assistant"], 0, id="orphan: dropped"),
        pytest.param(ORPHAN, ["--orphan", "note"], ["user", "assistant a", "toolResult a", "?", "assistant"], 0, id="orphan: a note"),
        pytest.param(REUSED, [], ["user", "assistant a", "toolResult a", "assistant a", "toolResult a", "assistant"], 0, id="ids: kept where pi does not mind"),
        pytest.param(REUSED, ["--ids", "rename"], ["user", "assistant a", "toolResult a", "assistant a_r2", "toolResult a_r2", "assistant"], 0, id="ids: renamed"),
        pytest.param(REUSED, ["--contract", "anthropic"], ["user", "assistant a", "toolResult a", "assistant a_r2", "toolResult a_r2", "assistant"], 0, id="ids: renamed for a provider"),
        pytest.param(REUSED, ["--contract", "anthropic", "--ids", "keep"], ["user", "assistant a", "toolResult a", "assistant a", "toolResult a", "assistant"], 1, id="ids: kept all the same"),
        pytest.param(ORPHAN, ["--ignore", "orphan-result"], ["user", "assistant a", "toolResult a", "toolResult b", "assistant"], 0, id="ignored: left, and no failure"),
        pytest.param(ORPHAN, ["--select", "bom"], ["user", "assistant a", "toolResult a", "toolResult b", "assistant"], 0, id="selected: another rule"),
    ],
)  # fmt: skip
def test_policies(put, messages, options, expected, code):
    """What becomes of each fault is the user's choice; what is left of what was asked for decides the exit code."""
    assert repaired(put(messages), *options) == (expected, code)


def test_an_output_that_is_moved_is_the_real_one(put):
    """Moving keeps what the tool said; dropping puts a marked answer in its place."""
    path = put(DISPLACED)

    assert b'"text":"m3"' in condense("repair", path, "-o", "-").out
    dropped = condense("repair", path, "--displaced", "drop", "-o", "-").out
    assert b'"text":"m3"' not in dropped
    assert b'"isError":true' in dropped


def test_a_note_keeps_what_an_orphan_said(put):
    """--orphan note leaves the text where the result stood, as what its client shows the model."""
    out = condense("repair", put(ORPHAN), "--orphan", "note", "-o", "-").out
    (note,) = [json.loads(line) for line in out.splitlines() if b"custom_message" in line]

    assert "m3" in json.dumps(note["content"])


def test_an_empty_reasoning_is_written_for_deepseek(put):
    """A provider that wants thinking back gets an empty one where others have theirs."""
    function = {"type": "function", "function": {"name": "bash", "arguments": "{}"}}
    chat = [
        {"role": "user", "content": "x"},
        {"role": "assistant", "content": "", "reasoning_content": "hm", "tool_calls": [{"id": "a", **function}]},
        {"role": "tool", "tool_call_id": "a", "content": "1"},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "b", **function}]},
        {"role": "tool", "tool_call_id": "b", "content": "2"},
    ]
    path = put(json.dumps(chat).encode(), "m.json")

    assert condense("repair", "--format", "openai-chat", path).code == 0
    outcome = condense("repair", "--format", "openai-chat", "--contract", "deepseek", path, "-o", "-")
    assert outcome.code == 0
    assert [m.get("reasoning_content") for m in json.loads(outcome.out)] == [None, "hm", None, "", None]


def test_ids_of_nine_are_written_for_mistral(put):
    """Both halves of each call get one id of nine letters and digits, and no two calls the same."""
    chat = [{"role": "user", "content": "x"}]
    for ident in ("call_one", "call_two"):
        chat += [{"role": "assistant", "content": "", "tool_calls": [{"id": ident, "type": "function", "function": {"name": "bash", "arguments": "{}"}}]}, {"role": "tool", "tool_call_id": ident, "content": "1"}]
    outcome = condense("repair", "--format", "openai-chat", "--contract", "mistral", put(json.dumps(chat).encode(), "m.json"), "-o", "-")
    new = json.loads(outcome.out)
    asked = [call["id"] for message in new for call in message.get("tool_calls", ())]

    assert outcome.code == 0
    assert all(len(ident) == 9 and ident.isalnum() for ident in asked)
    assert len(set(asked)) == 2
    assert [message["tool_call_id"] for message in new if message["role"] == "tool"] == asked


# ---------------------------------------------------------------------- by appending
def test_appending_changes_no_byte_of_what_stands_there(put):
    """--method append writes entries behind the old bytes, and pi's context is sound then."""
    path = put(ORPHAN)
    old = Path(path).read_bytes()

    assert condense("repair", "--method", "append", path, "-o", "new").code == 0
    new = Path("new").read_bytes()
    assert new.startswith(old)
    assert [json.loads(line)["type"] for line in new[len(old) :].splitlines()] == ["context_edit"]
    assert condense("check", "new").code == 0
    assert condense("repair", "--method", "append", path).err.strip().endswith("condense repair --method append -i s.jsonl")


def test_only_pi_reads_what_is_appended(put):
    """For any other format --method append is a usage error."""
    assert condense("repair", "--method", "append", put(b'[{"role": "user", "content": "x"}]', "m.json")).code == 2


# ---------------------------------------------------------------------- what is printed
def test_json_names_places_and_no_text(put):
    """The plan as one object: edits with rule and line, what remains, and whether anything was written."""
    records = pi_records([*ORPHAN, calls(["c"]), ("user",)])
    for record in records[1:]:
        for block in record["message"]["content"]:
            block.update({"text": "TOPSECRET"} if "text" in block else {"arguments": {"command": "TOPSECRET"}})
    path = put(b"".join([*as_lines(records), b'{"text": "TOPSECRET"']))
    outcome = condense("repair", "--output-format", "json", path)
    plan = json.loads(outcome.out)

    assert outcome.code == 1
    assert (plan["path"], plan["format"], plan["changes"], plan["written"]) == ("s.jsonl", "pi", True, False)
    assert {edit["rule"] for edit in plan["edits"]} == {"orphan-result", "unanswered-call", "torn-tail"}
    assert plan["remaining"] == []
    assert b"SECRET" not in outcome.out
    assert outcome.err == ""
    assert json.loads(condense("repair", "--output-format", "json", path, "-o", "new").out)["written"] is True


def test_the_output_format_never_changes_the_exit_code(put):
    """Text and JSON end alike: with something to apply, sound, written, refused."""
    broken, sound, none = put(ORPHAN), put(SOUND, "sound.jsonl"), put(b"x", "n.jsonl")

    for words in ([broken], [sound], [broken, "-o", "new"], [none], [broken, "-o", broken]):
        assert condense("repair", *words).code == condense("repair", "--output-format", "json", *words).code


def test_quiet_says_nothing(put):
    """-q writes the session and no word about it."""
    assert condense("-q", "repair", put(ORPHAN), "-o", "new") == (0, b"", "")
    assert os.path.exists("new")


def test_names_of_files_cannot_steer_the_terminal(put):
    """Control characters and line breaks of a path are shown as escapes."""
    path = put(ORPHAN, "a\x1b[31m\nb.jsonl")
    outcome = condense("repair", path)

    assert outcome.code == 1
    assert b"a\\x1b[31m\\nb.jsonl: 1 record changed" in outcome.out
    assert b"\x1b" not in outcome.out
    assert "\x1b" not in outcome.err


def test_a_leaf_chooses_the_thread(put):
    """--leaf repairs the thread that ends there and no other; one that is not there is a usage error."""
    records = pi_records([("user",), ("result", "b"), ("text",), ("user",), ("text",)])
    records[4]["parentId"] = records[1]["id"]
    path = put(b"".join(as_lines(records)))

    assert condense("repair", path).code == 0
    assert condense("repair", path, "--leaf", records[3]["id"]).code == 1
    assert condense("repair", path, "--leaf", "nowhere").code == 2


def test_a_bug_in_one_session_hides_no_other(put, monkeypatch):
    """Each of several sessions is planned, and the exit code is that of the bug."""
    from condense_cli.session import repaired

    paths = [put(ORPHAN, f"{name}.jsonl") for name in "abc"]
    plan_of = repaired.plan_of

    def failing(session, *words, **more):
        if session.path == paths[1]:
            raise KeyError("text of a session")
        return plan_of(session, *words, **more)

    monkeypatch.setattr(repaired, "plan_of", failing)
    outcome = condense("repair", *paths)

    assert outcome.code == 70
    assert outcome.out.count(b"is removed\n  orphan-result") == 2
    assert outcome.out.startswith(b"a.jsonl\n")
    assert f"{paths[1]}: bug: KeyError at " in outcome.err
    assert "text of a session" not in outcome.err
