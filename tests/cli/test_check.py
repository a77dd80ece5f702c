"""`condense check`: exit code, stdout, stderr."""

import bz2
import gzip
import io
import json
import lzma
import os
import shlex
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from types import SimpleNamespace

import jsonschema
import pytest
from condense_cli.cli import run
from condense_cli.cli.check.values import FailOn, Output, Unknown, ViewName
from condense_cli.rules.contracts import CLIENTS, PROVIDERS
from tests.strategies import as_lines, calls, condense, pi_file, pi_records

SOUND = [("user",), calls(["a"]), ("result", "a"), ("text",)]
WARNING = [("user",), calls(["a"]), ("user",), ("text",)]  # a call without a result
ERROR = [("user",), calls(["a"]), ("result", "a"), ("result", "b"), ("text",)]  # a result without a call
INFO = [("user",), calls(["a"])]  # it may be running
SCHEMA = Path(__file__).parents[1] / "output" / "sarif-2.1.0-subset.json"


@pytest.fixture(autouse=True)
def _apart(tmp_path, monkeypatch):
    """An empty folder, and nothing in the environment that changes what is printed."""
    monkeypatch.chdir(tmp_path)
    for name in ("GITHUB_ACTIONS", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def put(tmp_path):
    """Write a session below the current folder and return its relative path."""

    def written(messages, name="s.jsonl"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(messages if isinstance(messages, bytes) else pi_file(messages))
        return name

    return written


def report(*arguments):
    """What --output-format json says, and the exit code."""
    outcome = condense("check", "--output-format", "json", *arguments)
    return json.loads(outcome.out), outcome.code


def rules(*arguments):
    """The rules that are broken, of all files, in order."""
    return [finding["rule"] for file in report(*arguments)[0]["files"] for finding in file["findings"]]


# ---------------------------------------------------------------------- exit codes
@pytest.mark.parametrize(
    ("messages", "fails"),
    [
        pytest.param(SOUND, [], id="sound"),
        pytest.param(INFO, ["info"], id="info"),
        pytest.param(WARNING, ["info", "warning"], id="warning"),
        pytest.param(ERROR, ["info", "warning", "error"], id="error"),
    ],
)
def test_fail_on_decides_the_exit_code(put, messages, fails):
    """From the severity of --fail-on on it is 1, below it and with never it is 0; the default is warning."""
    path = put(messages)

    for least in ("error", "warning", "info", "never"):
        assert condense("check", "--fail-on", least, path).code == (least in fails), least
    assert condense("check", path).code == ("warning" in fails)


@pytest.mark.parametrize("kind", ["text", "json", "sarif", "github", "junit"])
def test_the_output_format_never_changes_the_exit_code(put, kind):
    """It is 0, 1 and 3 for a sound, a broken and a missing session in every format."""
    sound, broken = put(SOUND), put(ERROR, "e.jsonl")

    assert condense("check", "--output-format", kind, sound).code == 0
    assert condense("check", "--output-format", kind, broken).code == 1
    assert condense("check", "--output-format", kind, "missing.jsonl").code == 3
    assert condense("check", "--output-format", kind, broken, "missing.jsonl", sound).code == 3


def test_the_worst_file_decides(put):
    """Of several files the highest code counts, and each is reported."""
    found, code = report(put(SOUND), put(ERROR, "e.jsonl"), put(b"no session\n", "n.jsonl"))

    assert code == 3
    assert [file["path"] for file in found["files"]] == ["s.jsonl", "e.jsonl", "n.jsonl"]
    assert [bool(file["error"]) for file in found["files"]] == [False, False, True]
    assert found["summary"] == {"files": 3, "error": 1, "warning": 0, "info": 0, "passed_over": {}}


# ---------------------------------------------------------------------- what is written
def test_text_has_a_heading_per_file(put):
    """The path is said once, then each finding, the next command, and a summary at the end."""
    outcome = condense("check", put(ERROR))
    lines = outcome.out.decode().splitlines()

    assert lines[0] == "s.jsonl"
    assert lines[1].startswith("  error orphan-result at line 5: ")
    assert "  next: condense repair s.jsonl" in lines
    assert lines[-1] == "1 file checked: 1 error, 0 warnings, 0 infos"
    assert outcome.err == ""


def test_json_has_what_its_readers_are_promised(put):
    """The object has version, files and summary, each file and finding their keys; nothing of the transcript is in it."""
    found, _ = report(put(ERROR))
    (file,) = found["files"]

    assert set(found) == {"version", "files", "summary"}
    assert {"path", "format", "client_version", "threads", "messages", "calls", "results", "findings", "error"} <= set(file)
    assert (file["format"], file["threads"], file["messages"], file["calls"], file["results"]) == ("pi", 1, 5, 1, 2)
    (finding,) = file["findings"]
    assert (finding["rule"], finding["severity"], finding["line"], finding["call_id"], finding["fixable"]) == ("orphan-result", "error", 5, "b", True)
    assert not {"contract", "provider_error"} & set(finding)


def test_sarif_keeps_to_its_schema(put):
    """The log is valid, with a result at the line and the file that could not be read as a notification."""
    log = json.loads(condense("check", "--output-format", "sarif", put(ERROR), "missing.jsonl").out)

    jsonschema.validate(log, json.loads(SCHEMA.read_text(encoding="utf-8")))
    (run,) = log["runs"]
    assert [(r["ruleId"], r["locations"][0]["physicalLocation"]["region"]["startLine"]) for r in run["results"]] == [("orphan-result", 5)]
    assert len(run["invocations"][0]["toolExecutionNotifications"]) == 1


def test_junit_is_xml_with_a_failure(put):
    """There is a suite for each file, and a failure for what is wrong."""
    root = ET.fromstring(condense("check", "--output-format", "junit", put(SOUND), put(ERROR, "e.jsonl")).out)

    assert [(suite.get("name"), suite.get("failures")) for suite in root] == [("s.jsonl", "0"), ("e.jsonl", "1")]
    assert [node.get("type") for node in root.iter("failure")] == ["orphan-result"]


def test_github_is_the_default_in_its_actions(put, monkeypatch):
    """Where GITHUB_ACTIONS=true and nobody looks, annotations are written, unless another format is asked for."""
    path = put(ERROR)
    monkeypatch.setenv("GITHUB_ACTIONS", "true")

    assert condense("check", path).out.startswith(b"::error file=s.jsonl,line=5,")
    assert condense("check", "--output-format", "text", path).out.startswith(b"s.jsonl\n  error")
    monkeypatch.setenv("GITHUB_ACTIONS", "false")
    assert condense("check", path).out.startswith(b"s.jsonl\n  error")


@pytest.mark.parametrize("kind", ["json", "sarif", "github", "junit", "text"])
def test_no_report_holds_text_of_the_transcript(put, kind):
    """What was said, thought, called and answered stays out of every report."""
    records = pi_records(ERROR)
    for record in records[1:]:
        for block in record["message"]["content"]:
            block.update({"text": "TOPSECRET"} if "text" in block else {"arguments": {"command": "TOPSECRET"}})
    path = put(b"".join([*as_lines(records), b'{"type":"message","id":"TORN","message":"TOPSECRET']))

    outcome = condense("check", "--contract", "all", "--output-format", kind, path)
    assert b"torn-tail" in outcome.out
    assert b"SECRET" not in outcome.out
    assert "SECRET" not in outcome.err


# ---------------------------------------------------------------------- rules
def test_select_and_ignore_choose_rules(put):
    """--select leaves only what it names, --ignore takes out, and both decide the exit code."""
    path = put(pi_file([*ERROR, calls(["c"]), ("user",), ("text",)])[:-1])

    assert rules(path) == ["orphan-result", "unanswered-call", "missing-final-newline"]
    assert rules("--select", "orphan-result", path) == ["orphan-result"]
    assert rules("--ignore", "orphan-result", "--ignore", "missing-final-newline", path) == ["unanswered-call"]
    assert rules("--select", "orphan-result", "--ignore", "orphan-result", path) == []
    assert condense("check", "--select", "torn-tail", path).code == 0


@pytest.mark.parametrize("option", ["--select", "--ignore"])
def test_a_rule_that_does_not_exist_is_a_usage_error(put, option):
    """The exit code is 2, the name is said, and the rule that was meant."""
    outcome = condense("check", option, "orphan-results", put(SOUND))

    assert (outcome.code, outcome.out) == (2, b"")
    assert "'orphan-results'" in outcome.err
    assert "did you mean orphan-result?" in outcome.err


# ---------------------------------------------------------------------- contracts
def test_contracts_judge_one_session_differently(put):
    """A call without a result is a warning for pi, which mends it in memory, and an error for a provider."""
    found, code = report("--contract", "pi", "--contract", "anthropic", put(WARNING))
    judged = {finding["contract"]: finding for finding in found["files"][0]["findings"] if finding["rule"] == "unanswered-call"}

    assert code == 1
    assert {name: f["severity"] for name, f in judged.items()} == {"pi": "warning", "anthropic": "error"}
    assert "tool_use" in judged["anthropic"]["provider_error"]


def test_all_contracts_are_asked(put):
    """`all` stands for every client and provider; naming one more changes nothing."""
    path = put(WARNING)
    found = report("--contract", "all", path)[0]
    judged = {f["contract"] for f in found["files"][0]["findings"] if f["rule"] == "unanswered-call"}

    assert judged == {*CLIENTS, *PROVIDERS}
    assert report("--contract", "all", "--contract", "kimi", path)[0] == found


def test_a_contract_that_does_not_exist_is_a_usage_error(put):
    """The exit code is 2, and the names that there are stand on stderr."""
    outcome = condense("check", "--contract", "nobody", put(SOUND))

    assert outcome.code == 2
    assert all(name in outcome.err for name in PROVIDERS)


# ---------------------------------------------------------------------- baseline
def test_a_baseline_leaves_out_what_was_known(put):
    """What an earlier report has is not told again, and what is new is."""
    path = put(ERROR)
    Path("known.json").write_bytes(condense("check", "--output-format", "json", path).out)

    assert condense("check", "--baseline", "known.json", path).code == 0
    assert rules("--baseline", "known.json", path) == []
    put([*ERROR, ("user",), ("result", "c"), ("text",)])
    assert rules("--baseline", "known.json", path) == ["orphan-result"]
    assert rules("--baseline", "known.json", put(ERROR, "other.jsonl")) == ["orphan-result"]


def test_a_baseline_knows_how_often(put):
    """A third record with an id that two records had is new."""
    once = pi_file(SOUND)
    again = [once.splitlines(keepends=True)[-1].replace(b'"text":"', b'"text":"%d, ' % n, 1) for n in range(2)]
    path = put(once + again[0])
    Path("known.json").write_bytes(condense("check", "--output-format", "json", "--select", "duplicate-id", path).out)

    assert rules("--baseline", "known.json", "--select", "duplicate-id", path) == []
    put(once + b"".join(again))
    assert rules("--baseline", "known.json", "--select", "duplicate-id", path) == ["duplicate-id"]


def test_a_baseline_is_of_one_contract(put):
    """What was known for one contract is new for another."""
    path = put(WARNING)
    Path("known.json").write_bytes(condense("check", "--output-format", "json", "--contract", "pi", "--contract", "anthropic", path).out)

    assert rules("--baseline", "known.json", "--contract", "pi", "--contract", "anthropic", path) == []
    assert rules("--baseline", "known.json", "--contract", "pi", "--contract", "mistral", "--select", "unanswered-call", path) == ["unanswered-call"]


@pytest.mark.parametrize("content", [None, b"{", b"[]", b'{"files": [{}]}'])
def test_a_baseline_that_is_none_is_a_usage_error(put, content):
    """A missing file, or one that is no report, ends with 2 and says how to make one."""
    if content is not None:
        Path("known.json").write_bytes(content)
    outcome = condense("check", "--baseline", "known.json", put(SOUND))

    assert outcome.code == 2
    assert "--output-format json" in outcome.err


# ---------------------------------------------------------------------- which files
def test_a_folder_is_walked_and_others_are_passed_over(put):
    """Sessions below it are checked in order; what is none, and tools' folders, are passed over."""
    put(ERROR, "a/deep/e.jsonl")
    put(SOUND, "a/s.jsonl")
    put(b'{"name": "package"}\n', "a/package.json")
    put(b"text\n", "a/notes.txt")
    put(ERROR, "a/node_modules/e.jsonl")
    put(ERROR, "a/.git/e.jsonl")
    found, code = report("a")

    assert code == 1
    assert [file["path"] for file in found["files"]] == [os.path.join("a", "s.jsonl"), os.path.join("a", "deep", "e.jsonl")]


def test_a_named_file_must_be_a_session(put):
    """The same file that is passed over below a folder ends with 3 when it is named."""
    path = put(b'{"name": "package"}\n', "a/package.json")
    put(SOUND, "a/s.jsonl")

    assert condense("check", "a").code == 0
    assert condense("check", path).code == 3


def test_globs_are_expanded_here(put):
    """A quoted pattern works without a shell; one that matches nothing ends with 3."""
    put(ERROR, "a/e.jsonl")
    put(SOUND, "b/s.jsonl")

    assert {file["path"] for file in report("*/*.jsonl")[0]["files"]} == {"a/e.jsonl", "b/s.jsonl"}
    assert rules("**/e.jsonl") == ["orphan-result"]
    assert condense("check", "*.nothing").code == 3


def test_a_file_named_twice_is_checked_once(put):
    """A path that several words of the command line mean is reported once."""
    path = put(ERROR)

    assert len(report(path, path, "*.jsonl")[0]["files"]) == 1


def test_standard_input_is_a_session(put, monkeypatch):
    """`-` reads it, and the report calls it by a name that is no path."""
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(pi_file(ERROR))))
    found, code = report("-")

    assert code == 1
    assert [(file["path"], file["findings"][0]["line"]) for file in found["files"]] == [("<stdin>", 5)]


def test_without_a_path_it_is_the_current_folder(put):
    """Every session below it is checked."""
    put(ERROR, "a/e.jsonl")
    put(SOUND)

    assert {file["path"] for file in report()[0]["files"]} == {"s.jsonl", os.path.join("a", "e.jsonl")}


def test_nothing_found_is_no_success(put):
    """An empty folder, or one without a session, ends with 3."""
    assert condense("check").code == 3
    put(b"{}\n", "data.json")
    outcome = condense("check", ".")
    assert outcome.code == 3
    assert "nothing found to check" in outcome.err


@pytest.mark.parametrize(("name", "head"), [("pyproject.toml", "[tool.condense]\n"), ("condense.toml", "")])
def test_the_project_says_what_is_checked(put, name, head):
    """Paths, rules and severity of the configuration hold until the command line says something else."""
    put(ERROR, "kept/e.jsonl")
    put(WARNING, "other/w.jsonl")
    Path(name).write_text(f'{head}paths = ["kept"]\nignore = ["unanswered-call"]\nfail-on = "error"\n', encoding="utf-8")

    assert [file["path"] for file in report()[0]["files"]] == [os.path.join("kept", "e.jsonl")]
    assert condense("check").code == 1
    assert rules("other") == []
    assert rules("other", "--ignore", "torn-tail") == ["unanswered-call"]
    assert condense("check", "other", "--ignore", "torn-tail").code == 0
    assert condense("check", "other", "--ignore", "torn-tail", "--fail-on", "warning").code == 1


@pytest.mark.parametrize("text", ["paths = 1", "unknown = 1", "fail-on = 'sometimes'", "paths = [1]", "ignore = ['nothing']", "["])
def test_a_configuration_that_makes_no_sense_is_a_usage_error(put, text):
    """The exit code is 2, whatever is wrong with it."""
    put(SOUND)
    Path("condense.toml").write_text(text, encoding="utf-8")

    assert condense("check").code == 2


@pytest.mark.parametrize(("key", "choices"), [("view", ViewName), ("fail-on", FailOn), ("unknown", Unknown), ("output-format", Output)])
def test_a_configuration_takes_what_the_option_takes(put, key, choices):
    """Every choice: `view = "rendered"` was refused."""
    put(SOUND, "s.jsonl")
    for choice in choices:
        Path("condense.toml").write_text(f'{key} = "{choice}"\n', encoding="utf-8")
        assert condense("check", "s.jsonl").code == 0


def test_a_pyproject_of_others_is_no_configuration(put):
    """Without [tool.condense] it says nothing."""
    put(ERROR)
    Path("pyproject.toml").write_text("[tool.ruff]\nselect = ['ALL']\n", encoding="utf-8")

    assert rules() == ["orphan-result"]


def test_files_at_the_same_time_are_reported_in_order(put):
    """-j changes neither the reports nor the exit code."""
    for n, messages in enumerate([ERROR, SOUND, WARNING, INFO, SOUND, ERROR]):
        put(messages, f"{n}.jsonl")
    put(b"{}", "none.json")

    assert report("-j", "2", ".") == report("-j", "1", ".")
    assert report("-j", "2", ".")[1] == 1
    assert condense("check", "-j", "-1", ".").code == 2


# ---------------------------------------------------------------------- which part of it
def branches():
    """A session of two threads: the one that is left has a result without a call."""
    records = pi_records([("user",), ("result", "b"), ("text",), ("user",), ("text",)])
    records[4]["parentId"] = records[1]["id"]
    return b"".join(as_lines(records)), records


def test_threads_that_were_left_are_looked_at_when_asked(put):
    """The active thread alone is the default; --all-threads and --leaf look at the others."""
    data, records = branches()
    path = put(data)

    assert rules(path) == []
    assert rules("--all-threads", path) == ["orphan-result"]
    assert rules("--leaf", records[3]["id"], path) == ["orphan-result"]
    assert report(path)[0]["files"][0]["threads"] == 2
    assert condense("check", "--leaf", "nowhere", path).code == 2


def test_what_a_compaction_left_out_is_looked_at_when_asked(put):
    """--view stored looks at everything, also in front of a compaction."""
    records = pi_records([("user",), ("result", "b"), ("text",), ("user",), ("text",)])
    records.append({**records[5], "id": "0000000c", "parentId": records[5]["id"], "type": "compaction", "summary": "s", "firstKeptEntryId": records[4]["id"], "tokensBefore": 1})
    path = put(b"".join(as_lines(records)))

    assert rules(path) == []
    assert rules("--view", "stored", path) == ["orphan-result"]


def test_a_format_can_be_named(put):
    """--format reads a file as what it is called; a name that is none is a usage error."""
    path = put(json.dumps([{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}]).encode(), "m.json")

    assert report(path)[0]["files"][0]["format"] == "messages"
    assert report("--format", "openai-chat", path)[0]["files"][0]["format"] == "openai-chat"
    assert condense("check", "--format", "word", path).code == 2


# ---------------------------------------------------------------------- what was not checked
DAMAGED = {"torn": b'{"type":"session","id":"x', "nul": bytes(600), "empty": b" \n", "packed": b"PK\x03\x04more", "foreign": b'{"a":1}\n'}


@pytest.mark.parametrize(("unknown", "code", "lines"), [("error", 3, 0), ("warn", 0, 5), ("skip", 0, 0), (None, 0, 5)])
def test_what_is_passed_over_is_counted_by_reason(put, unknown, code, lines):
    """--unknown decides between exit code 3, a line each, and a number; the number of each reason is always said."""
    put(SOUND, "a/s.jsonl")
    for name, data in DAMAGED.items():
        put(data, f"a/{name}.jsonl")
    words = ["--unknown", unknown] if unknown else []
    found, exit_code = report(*words, "a")
    text = condense("check", *words, "a").out.decode()

    assert exit_code == code
    assert found["summary"]["passed_over"] == ({} if unknown == "error" else dict.fromkeys(sorted(DAMAGED), 1))
    assert len([file for file in found["files"] if file["error"]]) == (5 if unknown == "error" else 0)
    assert text.count("passed over (") - ("; 5 files passed over (" in text) == lines


def test_a_report_in_a_file(put):
    """-o writes it as a whole and leaves stdout alone; the session itself is never the output."""
    path = put(ERROR)

    assert condense("check", "--output-format", "json", "-o", "r.json", path) == (1, b"", "")
    assert json.loads(Path("r.json").read_bytes())["summary"]["error"] == 1
    assert condense("check", "-o", path, path).code == 2
    assert Path(path).read_bytes() == pi_file(ERROR)


def test_a_baseline_does_not_depend_on_spelling_or_folder(put, tmp_path, monkeypatch):
    """The same session is known by an absolute path, a detour, another working folder, and a report elsewhere."""
    path = put(ERROR, "sub/s.jsonl")
    Path("ci").mkdir()
    condense("check", "--output-format", "json", "-o", "ci/known.json", path)
    Path("ci/redirected.json").write_bytes(condense("check", "--output-format", "json", path).out)
    ways = [path, "./sub/../sub/s.jsonl", tmp_path / path, "sub"]

    for name in ("known", "redirected"):
        assert [rules("--baseline", f"ci/{name}.json", way) for way in ways] == [[]] * 4
        monkeypatch.chdir(tmp_path / "sub")
        assert rules("--baseline", f"../ci/{name}.json", "s.jsonl") == []
        monkeypatch.chdir(tmp_path)
    assert rules("--baseline", "ci/known.json", put(ERROR, "ci/s.jsonl")) == ["orphan-result"]


def test_at_most_so_many_findings_are_shown(put):
    """--max-findings changes neither the numbers nor the exit code."""
    path = put([*ERROR, calls(["c"]), ("user",), ("text",)])
    found, code = report("--max-findings", "1", path)

    assert code == 1
    assert [finding["rule"] for finding in found["files"][0]["findings"]] == ["orphan-result"]
    assert (found["summary"]["error"], found["summary"]["warning"], found["summary"]["not_shown"]) == (1, 1, 1)
    assert condense("check", "--max-findings", "0", path).code == 1
    assert condense("check", "--max-findings", "9", path).out == condense("check", path).out


def test_a_step_summary_is_appended(put, monkeypatch):
    """Where GitHub names a file for it, a table and the numbers are added to what is there."""
    path = put(ERROR)
    Path("summary.md").write_text("before\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    condense("check", path)
    text = Path("summary.md").read_text(encoding="utf-8")

    assert text.startswith("before\n### condense\n")
    assert "| s.jsonl | error | orphan-result | line 5: " in text
    assert "1 file checked: 1 error, 0 warnings, 0 infos" in text


def test_the_configuration_is_searched_upwards(put, tmp_path, monkeypatch):
    """Below the folder of the configuration its paths and files mean the same."""
    put(ERROR, "sessions/e.jsonl")
    put(ERROR, "sub/deep/other.jsonl")
    Path("condense.toml").write_text(
        'paths = ["sessions"]\noutput-format = "json"\noutput = "r.json"\nstatistics = true\nmax-findings = 5\n'
        'unknown = "error"\ncontract = ["anthropic"]\nall-threads = true\nview = "stored"\njobs = 1\n',
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path / "sub" / "deep")

    assert condense("check") == (1, b"", "")
    found = json.loads((tmp_path / "r.json").read_bytes())
    assert [file["path"] for file in found["files"]] == [os.path.join("sessions", "e.jsonl")]
    assert {finding["contract"] for finding in found["files"][0]["findings"]} == {"anthropic"}
    assert condense("check", "-o", "-", "--output-format", "text", "other.jsonl").out.startswith(b"other.jsonl\n")


def test_a_report_of_an_encoding_without_the_characters(put, monkeypatch):
    """A stream of ASCII gets every line, with escapes for what it does not have."""
    path = put(ERROR, "sitzung-ü.jsonl")
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", out)
    from condense_cli.cli import run

    assert run(["check", path]) == 1
    assert out.buffer.getvalue().startswith(b"sitzung-\\xfc.jsonl\n  error orphan-result")


@pytest.mark.parametrize("command", ["check", "check-orphans"])
def test_a_compressed_bomb_is_unpacked_to_the_limit(put, command):
    """A folder with a bomb is checked without it; --max-size says how much a compressed session may be."""
    zstandard = pytest.importorskip("zstandard")
    put(zstandard.compress(pi_file(SOUND) + b"\n" * 100_000), "bomb.jsonl.zst")

    refused = condense(command, "--max-size", "10K", "bomb.jsonl.zst")
    assert refused.code == 3
    assert b"unpacks to more than 10240 bytes" in refused.out
    assert condense(command, "--max-size", "1M", "bomb.jsonl.zst").code == 0
    assert condense(command, "--max-size", "-1", "bomb.jsonl.zst").code == 2


@pytest.mark.parametrize("ending", ["gz", "xz", "bz2"])
def test_a_compressed_session_is_checked_and_its_next_command_works(put, ending):
    """It is read through its compression, to the limit; a repair needs the plain file, and the command makes it."""
    packs = {"gz": gzip.compress, "xz": lzma.compress, "bz2": bz2.compress}
    plain, packed = put(ERROR, "a b.jsonl"), f"a b.jsonl.{ending}"
    with open(plain, "rb") as file:
        put(packs[ending](file.read()), packed)
    before = condense("check", "--json", plain)
    os.unlink(plain)

    done = condense("check", "--json", packed)
    assert done.code == before.code == 1
    assert json.loads(done.out)["files"][0]["findings"] == json.loads(before.out)["files"][0]["findings"]
    assert condense("check", "--max-size", "10", packed).code == 3
    assert condense("repair", "-i", packed).code == 4
    command = condense("check", packed).out.decode().partition("next: ")[2].splitlines()[0]
    first, _, second = command.partition(" && ")
    if shutil.which(first.split()[0]):
        subprocess.run(first, shell=True, check=True)
        assert condense(*shlex.split(second)[1:]).code == 1


def test_a_compressed_session_comes_through_a_pipe_too(put, monkeypatch):
    """What is unpacked is the content, not the name."""
    with open(put(ERROR), "rb") as file:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(gzip.compress(file.read()))))
    assert condense("check", "-").code == 1


def test_what_is_no_file_is_told_in_a_sentence(put):
    """A URL and a UUID of no session: what it is and what to do."""
    url = condense("check", "https://example.org/a b.jsonl")
    assert url.code == 3
    assert "is a URL" in url.out.decode()
    assert "curl -sL 'https://example.org/a b.jsonl' | condense check -" in url.out.decode()
    word = condense("check", "00000000-0000-4000-8000-00000000ffff")
    assert word.code == 3
    assert "no session of a known client has an id that starts so" in word.err


@pytest.mark.parametrize("pattern", ["kept/*.jsonl", "~/kept/*.jsonl", "kept/**/*.jsonl", "kept"])
def test_paths_of_a_configuration_may_be_patterns(put, tmp_path, monkeypatch, pattern):
    """From the folder of the configuration, wherever condense is called below it; `~` is the home folder."""
    put(ERROR, "kept/a.jsonl")
    put(ERROR, "other/b.jsonl")
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "condense.toml").write_text(f'paths = ["{pattern}"]\n')
    for folder in (".", "other"):
        monkeypatch.chdir(tmp_path / folder)
        found, code = report()
        assert code == 1
        assert [os.path.realpath(one["path"]) for one in found["files"]] == [os.path.realpath(tmp_path / "kept/a.jsonl")]


def test_every_conversation_of_a_file_is_checked(tmp_path, capfd, monkeypatch):
    """None of them is resumed rather than another: what is wrong in the second is found, repaired and given back."""
    monkeypatch.chdir(tmp_path)
    call = {"id": "c1", "type": "function", "function": {"name": "ls", "arguments": "{}"}}
    sound = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "yo"}]
    broken = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": None, "tool_calls": [call]}, sound[0]]
    Path("s.jsonl").write_text("".join(json.dumps({"messages": rows}) + "\n" for rows in (sound, broken)), "utf-8")
    assert run(["check", "--json", "s.jsonl"]) == 1
    (report,) = json.loads(capfd.readouterr().out)["files"]
    assert [(f["rule"], f["line"], f["index"]) for f in report["findings"]] == [("unanswered-call", 2, 1)]
    assert report["threads"] == 2
    assert run(["repair", "-q", "s.jsonl", "-o", "out.jsonl"]) == 0
    assert run(["check", "out.jsonl"]) == 0
    capfd.readouterr()
    assert run(["query", "c1", "--raw", "out.jsonl"]) == 0
    assert "outcome is unknown" in capfd.readouterr().out
    assert run(["render", "out.jsonl"]) == 0
    assert "2 conversations" in capfd.readouterr().err
