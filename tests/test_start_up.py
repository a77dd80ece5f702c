"""Start-up stays outline: what is imported by the commands that only say something, and what their help looks like."""

import json
import os
import subprocess
import sys

import pytest
from condense_cli.errors import ExitCode
from tests.strategies import condense, pi_file

COMMANDS = ((), ("render",), ("check",), ("check-orphans",), ("query",), ("diff",), ("repair",), ("undo",), ("explain",), ("doctor",), ("formats",), ("compact",), ("view",), ("hook",), ("mcp",), ("minimize",))
LOOK = """
import json, sys
from condense_cli.cli import run
code = run(sys.argv[1:])
sys.stdout.flush()
print(json.dumps({"code": code, "modules": sorted(sys.modules)}), file=sys.stderr)
"""


def modules(*words):
    """The modules that are imported when a command has run, in a process of its own."""
    env = {key: value for key, value in os.environ.items() if key not in ("COVERAGE_PROCESS_START", "FORCE_COLOR")}
    done = subprocess.run([sys.executable, "-c", LOOK, *words], check=False, capture_output=True, env=env)
    found = json.loads(done.stderr.splitlines()[-1])
    assert found["code"] == 0, done.stderr
    assert done.stdout
    return set(found["modules"])


def formats(names):
    """Those of the modules that read sessions."""
    return {name for name in names if name.startswith(("condense_cli.formats", "condense_cli.check.engine", "condense_cli.formats.read"))}


def test_the_version_loads_next_to_nothing():
    """`condense --version` imports no console of Rich, no orjson and no format."""
    names = modules("--version")

    assert not {"rich.console", "orjson", "hashlib"} & names
    assert formats(names) == set()


@pytest.mark.parametrize("words", [(), ("check",), ("repair",)], ids=lambda words: " ".join(words) or "condense")
def test_the_help_loads_no_reader(words):
    """--help needs Rich, and neither orjson nor a format."""
    names = modules(*words, "--help")

    assert "rich.console" in names
    assert "orjson" not in names
    assert formats(names) == set()


def test_what_is_looked_at_can_be_seen():
    """A command that reads a format does import orjson: the test above could fail."""
    assert "orjson" in modules("formats") or "orjson" in modules("explain", "bom")


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words) or "condense")
def test_every_help_fits_and_names_the_exit_codes(words, monkeypatch):
    """At 80 columns no line of a --help is longer, and all exit codes are in it."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERMINAL_WIDTH", "80")
    outcome = condense(*words, "--help")
    lines = outcome.out.decode().splitlines()
    text = " ".join(line.strip() for line in lines)

    assert outcome.code == 0
    assert max(map(len, lines)) <= 80
    codes = text[text.index("Exit codes:") :]
    assert [int(code) for code in ExitCode] == [int(word) for word in codes.split() if word.isdigit()]
    assert "…" not in text.replace("…`", "")


@pytest.mark.parametrize("words", [("check",), ("check-orphans", "--json"), ("query", "--session")], ids=" ".join)
def test_a_plain_command_loads_what_it_needs_alone(tmp_path, words):
    """A small check or query imports neither Typer nor pydantic, no other command, and nothing that only writing needs."""
    path = tmp_path / "s.jsonl"
    path.write_bytes(pi_file([("user",), ("call", ["a"], ["bash"]), ("result", "a"), ("text",)]))
    names = modules(*words, str(path))

    assert not {"typer", "pydantic", "pydantic_core", "rich.console", "asyncio"} & names
    assert not [name for name in names if name.startswith(("condense_cli.repair.engine", "condense_cli.storage.replace", "condense_cli.dataset"))]
    commands = {name.split(".")[2] for name in names if name.startswith("condense_cli.cli.") and name.endswith(".run")}
    assert commands <= {words[0].replace("-", "_"), "check"}
