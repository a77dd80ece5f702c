"""Small inputs that once ended in a bug, a wrong refusal or a lost record; each test is named after what went wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.strategies import condense, pi_file

FAULTS = Path(__file__).parent.parent / "fixtures" / "faults"
PRUNED = Path(__file__).parent.parent / "fixtures" / "demo" / "pruned.jsonl"


@pytest.fixture(autouse=True)
def _apart(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)


def rules(*words):
    """Return the exit code of a check, and the rules it found."""
    outcome = condense("check", "--json", *words)
    return outcome.code, {finding["rule"] for file in json.loads(outcome.out)["files"] for finding in file["findings"]}


def test_a_bad_escape_in_the_header_was_a_bug():
    """The header is damaged; nothing more."""
    assert rules(FAULTS / "header-bad-escape.jsonl") == (1, {"missing-header"})


def test_a_child_of_a_renamed_duplicate_on_an_unreadable_line_was_a_bug():
    """Both are found, and the bytes of the unreadable line stay."""
    path = FAULTS / "renamed-id-unreadable-child.jsonl"
    assert rules(path) == (1, {"duplicate-id", "unreadable-line"})
    assert condense("repair", "-o", "new.jsonl", path).code == 1
    unreadable = [line for line in path.read_bytes().splitlines() if not _is_json(line)]
    assert unreadable
    assert all(line in Path("new.jsonl").read_bytes().splitlines() for line in unreadable)


def _is_json(line):
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def test_a_broken_opencode_document_was_a_bug():
    """It is refused with the line where it breaks."""
    outcome = condense("check", "--format", "opencode", FAULTS / "opencode-broken-head.json")
    assert outcome.code == 3
    assert b":1: not JSON from column " in outcome.out


def test_a_timestamp_of_400_digits_was_a_bug():
    """The message is shown without a time that can be read."""
    outcome = condense("render", "--format", "pi", "--view", "context", "--output-format", "text", FAULTS / "huge-timestamp.jsonl")
    assert outcome.code == 0
    assert b"x" in outcome.out


@pytest.mark.parametrize("name", ["codex-turn-context", "codex-early-header"])
def test_an_odd_record_of_codex_was_a_bug(name):
    """A turn_context that is no object and a header without more are findings."""
    assert condense("check", FAULTS / f"{name}.jsonl").code == 1


@pytest.mark.parametrize(("name", "place"), [("array-broken-in-the-middle", "3: not JSON from column 2"), ("array-broken-line", "3: not JSON from column 5")])
@pytest.mark.parametrize("command", [["repair", "-o", "new.json"], ["check"], ["diff"], ["render"]])
def test_a_damaged_array_was_edited_as_lines(name, place, command):
    """The second repair dropped a result whose call is on the broken line: an array is read as a whole or refused."""
    outcome = condense(*command, FAULTS / f"{name}.json")
    assert outcome.code == 3
    assert place in outcome.err + outcome.out.decode()
    assert not os.path.exists("new.json")


def test_braces_that_are_no_session_were_to_be_reported():
    """No message is understood."""
    assert condense("repair", "--format", "pi", "-o", "out.jsonl", FAULTS / "braces.jsonl").code == 3


@pytest.mark.parametrize(("name", "words"), [("codex-nul-timestamp", []), ("codex-ordinal", ["--format", "codex"])])
def test_ordinary_damage_of_codex_was_to_be_reported(name, words):
    """It is repaired, or refused with the true reason."""
    outcome = condense("repair", *words, "-o", "out.jsonl", FAULTS / f"{name}.jsonl")
    assert outcome.code in (0, 3, 4)
    assert "please report" not in outcome.err
    if outcome.code == 0:
        assert condense("check", "out.jsonl").code == 0


@pytest.mark.parametrize("words", [["-o", "out.jsonl"], ["-i"], []])
def test_a_repair_left_an_empty_file(tmp_path, words):
    """A file whose only message would be dropped stays as it is: nothing would be left."""
    path = tmp_path / "s.jsonl"
    path.write_bytes((FAULTS / "only-a-result.jsonl").read_bytes())
    os.utime(path, (1_700_000_000, 1_700_000_000))
    outcome = condense("repair", *words, path)
    assert outcome.code == 4
    assert "no message would be left" in outcome.err
    assert path.read_bytes() == (FAULTS / "only-a-result.jsonl").read_bytes()
    assert not os.path.exists("out.jsonl")


def test_a_baseline_of_another_shape_was_a_bug():
    """It says what a baseline is."""
    outcome = condense("check", "--baseline", FAULTS / "baseline-shape.json", PRUNED)
    assert outcome.code == 2
    assert "condense check --output-format json" in outcome.err


def test_a_baseline_of_200000_brackets_was_a_bug():
    """Likewise."""
    Path("deep.json").write_text("[" * 200_000, encoding="utf-8")
    assert condense("check", "--baseline", "deep.json", PRUNED).code == 2


@pytest.mark.parametrize("value", ["1e999", "1" * 400, "-1e999", "true", '"x"', "[]"])
def test_an_odd_number_in_the_settings_was_a_bug(value):
    """It is read as pi-condense reads it."""
    own = f'{{"rollingWindow":{value},"maxImagesPerRequest":{value}}}'
    Path("settings.json").write_text(f'{{"contextPrune":{own}}}', encoding="utf-8")
    assert condense("compact", "--settings", "settings.json", PRUNED).code in (0, 1, 2)
    assert condense("render", "--settings", "settings.json", PRUNED).code in (0, 2)


def test_infinite_settings_were_a_bug():
    """The file as it was found."""
    assert condense("compact", "--settings", FAULTS / "settings-infinite.json", PRUNED).code in (0, 1, 2)


@pytest.mark.parametrize("text", [b"tool = 5\n", b"[tool]\ncondense = []\n", b"\xff", b"x = " + b"[" * 3000, b"[tool.condense]\npaths = 5\n", b"[tool.condense]\njobs = 'x'\n", b"[tool.condense]\nselect = [5]\n"])
def test_a_configuration_of_other_types_was_a_bug(text):
    """Whatever is in it, the file is named with 2."""
    Path("pyproject.toml").write_bytes(text)
    for command in ("check", "check-orphans"):
        outcome = condense(command, ".")
        assert outcome.code == 2
        assert "pyproject.toml" in outcome.err


# ---------------------------------------------------------------------- plans
def test_a_plan_without_edits_changed_a_user_message():
    """Its segments put another text in, and it said `0 records changed`: the plan does more than its edits say."""
    outcome = condense("repair", FAULTS / "plan-says-less.jsonl", "--plan", FAULTS / "plan-says-less.json", "-o", "out.jsonl")
    assert outcome.code == 4
    assert "the plan does more than its edits say" in outcome.err
    assert not os.path.exists("out.jsonl")


def saved(messages, *words):
    """Write a session and its plan; return the plan."""
    Path("s.jsonl").write_bytes(pi_file(messages) if isinstance(messages, list) else messages)
    assert condense("repair", "s.jsonl", *words, "--plan-out", "plan.json").code == 1
    return json.loads(Path("plan.json").read_text(encoding="utf-8"))


def applied(plan):
    """Apply a changed plan to a new file."""
    Path("plan.json").write_text(json.dumps(plan), encoding="utf-8")
    return condense("repair", "s.jsonl", "--plan", "plan.json", "-o", "out.jsonl")


ORPHAN = [("user",), ("result", "x"), ("text",)]


@pytest.mark.parametrize("change", [
    lambda plan: {**plan, "edits": []},
    lambda plan: {**plan, "edits": plan["edits"] * 2},
    lambda plan: {**plan, "edits": [{**plan["edits"][0], "line": 2}]},
    lambda plan: {**plan, "segments": [["copy", 0, plan["size"]]]},
    lambda plan: {**plan, "segments": [*plan["segments"], ["put", "\n"]]},
    lambda plan: {**plan, "choice": {**plan["choice"], "ignore": ["orphan-result"]}},
    lambda plan: {**plan, "choice": {**plan["choice"], "policies": {"orphan": "note"}}},
])  # fmt: skip
def test_a_plan_and_its_edits_did_not_agree(change):
    """Whatever was changed in it, a plan whose edits are not what it does is refused, and nothing is written."""
    outcome = applied(change(saved(ORPHAN)))
    assert outcome.code == 4
    assert not os.path.exists("out.jsonl")


def test_findings_that_a_plan_hides_were_believed():
    """What remains is looked at again, so that a plan cannot say that nothing does."""
    head, _, rest = pi_file(ORPHAN).partition(b"\n")
    plan = saved(head + b"\nnot a record\n" + rest)
    assert plan["remaining"]
    assert applied({**plan, "remaining": []}).code == 1


@pytest.mark.parametrize("words", [["--orphan", "note"], ["--contract", "anthropic"], ["--select", "orphan-result"], ["--ignore", "torn-tail"], ["--exempt-tool", "nothing"]])
def test_a_plan_keeps_the_choices_that_it_was_made_by(words):
    """It is made again by the same ones; others beside it are a usage error."""
    plan = saved(ORPHAN, *words)
    assert applied(plan).code in (0, 1)
    assert Path("out.jsonl").read_bytes() == condense("repair", "s.jsonl", *words, "-o", "-").out
    assert condense("repair", "s.jsonl", *words, "--plan", "plan.json").code == 2


@pytest.mark.parametrize("change", [
    lambda plan: {**plan, "segments": [["copy", 0, 1]] * 300_000},
    lambda plan: {**plan, "segments": [["put", "x"]] * 300_000},
    lambda plan: {**plan, "edits": plan["edits"] * 300_000},
    lambda plan: {**plan, "segments": [["copy", 0, 10**30]]},
    lambda plan: {**plan, "size": 10**30},
    lambda plan: {**plan, "edits": [{**plan["edits"][0], "line": 10**30}]},
    lambda plan: {**plan, "findings": [{**plan["findings"][0], "line": 10**30}]},
])  # fmt: skip
def test_a_plan_with_300000_segments_or_30_digits_hung(change):
    """It is refused, or applied as what condense makes of the session, within seconds."""
    plan = change(saved(ORPHAN))
    start = time.process_time()
    assert applied(plan).code in (0, 2, 4)
    assert time.process_time() - start < 5


def test_a_plan_larger_than_its_session_can_have_was_read(monkeypatch):
    """A limit that depends on the session."""
    from condense_cli.cli.repair import saved as module

    monkeypatch.setattr(module, "_SMALLEST_LIMIT", 1000)
    plan = saved(ORPHAN)
    outcome = applied({**plan, "path": "x" * 100_000})
    assert outcome.code == 2
    assert "too large for a plan" in outcome.err


# ---------------------------------------------------------------------- found by the fuzzer
def test_a_nul_escape_on_an_unreadable_line_was_a_bug():
    """The line is unreadable, and no other rule looks into it."""
    assert rules(FAULTS / "nul-escape-unreadable.jsonl")[0] == 1


def test_a_type_that_is_an_object_was_a_bug():
    """A format looks whether a value is a text before it looks it up."""
    assert rules(FAULTS / "type-is-an-object.jsonl")[0] == 1


def test_an_answer_to_a_call_at_an_infinite_time_was_no_json():
    """The inserted result has a time, and the file is sound afterwards."""
    assert condense("repair", "-o", "new.jsonl", FAULTS / "infinite-timestamp.jsonl").code == 0
    assert condense("check", "new.jsonl").code == 0
    assert b"Infinity" not in Path("new.jsonl").read_bytes()


@pytest.mark.parametrize("words", [["compact", "--window", "0", "-i"], ["repair", "-i"]])
def test_a_full_standard_output_was_noticed_after_the_session_was_replaced(tmp_path, monkeypatch, words):
    """What was printed is flushed first: where that fails nothing has been written."""
    demo = PRUNED if words[0] == "compact" else PRUNED.with_name("bricked.jsonl")
    path = tmp_path / "s.jsonl"
    path.write_bytes(demo.read_bytes())
    os.utime(path, (1_700_000_000, 1_700_000_000))
    env = {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state")}
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([sys.executable, "-m", "condense_cli", *words, str(path)], stdout=full, stderr=subprocess.PIPE, env=env, check=False)
    assert done.returncode == 4
    assert path.read_bytes() == demo.read_bytes()
    assert not (tmp_path / "state" / "condense" / "journal").exists()


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_signal_left_temporary_files(tmp_path, name):
    """A run that is ended while it waits removes what it has begun, and exits with 130."""
    code = (
        "import os, signal, sys\n"
        "from condense_cli.storage import files\n"
        "real = files.keep_facts\n"
        f"def keep(*args, **more):\n    os.kill(os.getpid(), signal.{name})\n    return real(*args, **more)\n"
        "files.keep_facts = keep\n"
        "from condense_cli.cli.boundary import main\n"
        "main()\n"
    )
    path = tmp_path / "s.jsonl"
    path.write_bytes(PRUNED.with_name("bricked.jsonl").read_bytes())
    os.utime(path, (1_700_000_000, 1_700_000_000))
    env = {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state")}
    done = subprocess.run([sys.executable, "-c", code, "repair", "-i", str(path)], capture_output=True, env=env, check=False)
    assert done.returncode == 130, done.stderr
    assert b"Traceback" not in done.stderr
    assert path.read_bytes() == PRUNED.with_name("bricked.jsonl").read_bytes()
    assert sorted(os.listdir(tmp_path)) in (["s.jsonl"], ["s.jsonl", "state"])


def test_a_hard_link_was_separated_without_a_word(tmp_path):
    """It is said that the other name keeps the old content, and so it is."""
    path, other = tmp_path / "s.jsonl", tmp_path / "other.jsonl"
    path.write_bytes(PRUNED.with_name("bricked.jsonl").read_bytes())
    os.link(path, other)
    os.utime(path, (1_700_000_000, 1_700_000_000))
    outcome = condense("repair", "-i", path)
    assert outcome.code in (0, 1)
    assert "1 other name" in outcome.err
    assert "keep" in outcome.err
    assert other.read_bytes() == PRUNED.with_name("bricked.jsonl").read_bytes() != path.read_bytes()


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="needs /proc")
def test_a_writer_under_force_was_not_named(tmp_path):
    """A client that keeps the file open is said before and after, with where its later lines are."""
    path = tmp_path / "s.jsonl"
    path.write_bytes(PRUNED.with_name("bricked.jsonl").read_bytes())
    os.utime(path, (1_700_000_000, 1_700_000_000))
    writer = subprocess.Popen([sys.executable, "-c", "import sys\nopen(sys.argv[1], 'a').fileno() and [print('x', flush=True), f := open(sys.argv[1], 'a'), sys.stdin.read(), f.write('late\\n')]", str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        writer.stdout.readline()
        outcome = condense("repair", "-i", "--force", path)
    finally:
        writer.communicate(b"")
    assert outcome.code in (0, 1)
    assert "--force goes on" in outcome.err
    assert f"still open by PID {writer.pid}" in outcome.err.replace("process", "PID")
    left = [name for name in os.listdir(tmp_path) if name.endswith(".old.tmp")]
    assert len(left) == 1
    assert (tmp_path / left[0]).read_text(encoding="utf-8").endswith("late\n")
    assert left[0] in outcome.err


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
@pytest.mark.parametrize("words", [["check"], ["render", "--output-format", "text"], ["diff"], ["repair"], ["query", "--session"]])
def test_an_output_encoding_was_a_bug(tmp_path, encoding, words):
    """What it cannot write is escaped."""
    path = tmp_path / "s\u00e9ssion-\u2603.jsonl"
    path.write_bytes(PRUNED.with_name("bricked.jsonl").read_bytes().replace(b'"text":"', '"text":"\u2603 \U0001f600 '.encode()))
    env = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0", "XDG_STATE_HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-m", "condense_cli", *words, str(path)], capture_output=True, env=env, check=False)
    assert done.returncode in (0, 1), done.stderr
    assert b"Traceback" not in done.stderr


def test_a_closed_standard_error_was_a_bug(tmp_path):
    """Notes are lost, and nothing else."""
    command = f'exec "{sys.executable}" -m condense_cli repair "{PRUNED.with_name("bricked.jsonl")}" 2>&-'
    done = subprocess.run(["sh", "-c", command], capture_output=True, env={**os.environ, "XDG_STATE_HOME": str(tmp_path)}, check=False)
    assert done.returncode == 1
