"""The composite action of GitHub and the pre-commit hook: their own steps are run."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.strategies import calls, pi_file

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).parents[1]
BROKEN = [("user",), calls(["a"]), ("result", "a"), ("result", "b"), ("text",)]


def steps():
    """The steps of the action."""
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    assert action["runs"]["using"] == "composite"
    return action["inputs"], action["runs"]["steps"]


def run_step(step, inputs, folder, **environment):
    """Run one step as the runner does: its own environment, inputs put in, `bash -e -o pipefail`."""
    given = {}
    for name, value in step["env"].items():
        key = value.removeprefix("${{ ").removesuffix(" }}")
        given[name] = str(ROOT) if key == "github.action_path" else inputs[key.removeprefix("inputs.")]
    command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]]
    return subprocess.run(command, cwd=folder, env={**os.environ, **given, **environment}, capture_output=True, text=True, check=False)


@pytest.fixture
def runner(tmp_path):
    """A runner with condense where the first step puts it, and one broken session."""
    bin_folder = tmp_path / "temp" / "condense" / "bin"
    bin_folder.mkdir(parents=True)
    script = bin_folder / "condense"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m condense_cli "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    (tmp_path / "a b").mkdir()
    (tmp_path / "a b" / "s.jsonl").write_bytes(pi_file(BROKEN))
    (tmp_path / "a b" / "t.jsonl").write_bytes(b'{"torn":')

    def check(**inputs):
        known, (_, step) = steps()
        values = {name: given["default"] for name, given in known.items()} | inputs
        return run_step(
            step,
            values,
            tmp_path,
            RUNNER_TEMP=str(tmp_path / "temp"),
            GITHUB_ACTIONS="true",
            GITHUB_STEP_SUMMARY=str(tmp_path / "summary.md"),
        )

    return check


@pytest.mark.slow
def test_the_check_step(runner, tmp_path):
    """It annotates, writes a step summary and a SARIF log, and ends with the exit code of the check."""
    done = runner(paths="a b", sarif="log.sarif")

    assert done.returncode == 1, done.stderr
    assert "::error file=a b/s.jsonl,line=5," in done.stdout
    assert "1 file passed over (1 torn)" in done.stdout
    assert (tmp_path / "summary.md").read_text(encoding="utf-8").count("### condense") == 1
    assert len(json.loads((tmp_path / "log.sarif").read_bytes())["runs"][0]["results"]) == 1


@pytest.mark.slow
def test_its_inputs_are_words_and_no_shell(runner, tmp_path):
    """Options are passed on, one a line; nothing in an input is executed."""
    assert runner(paths="a b", options="--fail-on\nnever").returncode == 0
    assert runner(paths="a b", options="--unknown\nerror").returncode == 3
    assert runner(command="check-orphans", options="--select\ntorn-tail", sarif="x").returncode == 2
    assert runner(paths="$(touch owned)`touch owned`; touch owned").returncode == 3
    assert not (tmp_path / "owned").exists()


@pytest.mark.slow
def test_the_install_step(tmp_path):
    """It puts the command where the next step looks for it."""
    known, (step, _) = steps()
    done = run_step(step, {name: given["default"] for name, given in known.items()}, tmp_path, RUNNER_TEMP=str(tmp_path))
    if done.returncode and "index" in done.stderr + done.stdout:
        pytest.skip("no package index")

    assert done.returncode == 0, done.stderr
    assert subprocess.run([tmp_path / "condense/bin/condense", "--version"], check=True, capture_output=True).stdout.startswith(b"condense ")


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("git"), reason="needs git")
def test_the_real_pre_commit(tmp_path):
    """A broken session stops a commit, a `.jsonl` that is no session does not."""
    pytest.importorskip("pre_commit")
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    entry = hooks[0]["entry"].replace("condense ", f"{sys.executable} -m condense_cli ", 1)
    config = {"repos": [{"repo": "local", "hooks": [{**hooks[0], "entry": entry, "language": "system"}]}]}
    (tmp_path / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    (tmp_path / "data.jsonl").write_text('{"a": 1}\n', encoding="utf-8")
    environment = {**os.environ, "PRE_COMMIT_HOME": str(tmp_path / "home"), "PYTHONPATH": str(ROOT)}
    environment = {name: value for name, value in environment.items() if not name.startswith("GIT_")}

    def run(*command):
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    run("git", "init", "-q")
    run("git", "add", "data.jsonl", ".pre-commit-config.yaml")
    sound = run(sys.executable, "-m", "pre_commit", "run", "--all-files")
    assert sound.returncode == 0, sound.stdout + sound.stderr
    (tmp_path / "s.jsonl").write_bytes(pi_file(BROKEN))
    run("git", "add", "s.jsonl")
    broken = run(sys.executable, "-m", "pre_commit", "run", "--all-files")
    assert broken.returncode == 1
    assert "error orphan-result at line 5" in broken.stdout
    assert "passed over (foreign): data.jsonl" in broken.stdout
