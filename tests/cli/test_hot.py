"""Plain command lines that are understood without Typer: the same as Typer understands."""

import subprocess
import sys
from pathlib import Path

import pytest
from condense_cli.cli import app, hot
from condense_cli.cli.commands import BY_NAME

ROOT = Path(__file__).resolve().parents[2]
LINES = (
    "check",
    "check a b",
    "check - --json",
    "-q check a",
    "-v --quiet check a",
    "check a -q -v --color never",
    "check --contract anthropic --contract=pi --select a,b --ignore c x",
    "check --fail-on error --view stored --all-threads -j 3 --jobs=4 a",
    "check --output-format sarif --baseline=b.json a --format pi --leaf 12",
    "check-orphans a --json --output-format json",
    "query t1 t2 --raw",
    "query t1 --session s --grep x=y --no-truncate --index-only --allow-outside-blobs",
    "query t1 --output-format json --leaf a",
    "repair",
    "repair a b -i --no-backup",
    "repair a -o - --json -q",
    "repair a --output b -n --diff --ids rename --trailing=keep --select a,b --plan-out p --method append",
    "diff",
    "diff a",
    "diff - --stat --color always",
    "diff a --view rendered --settings s --orphan note --leaf 12 --contract pi",
)
NOT_PLAIN = (
    "", "check --help", "check -h", "check --nothing", "check -j", "check -j many", "check -j -1", "check --fail-on sometimes",
    "check -qv a", "check -j3 a", "check -- -a", "check --all-threads=1", "--color always check a", "check --json --output-format sarif",
    "help", "nothing", "--version", "undo a", "diff a b", "repair a --ids some", "check --outp json", "check --select",
)  # fmt: skip


def test_the_table_is_what_the_declarations_say():
    """`python docs/command_line.py --check` finds nothing to write."""
    done = subprocess.run([sys.executable, "docs/command_line.py", "--check"], check=False, cwd=ROOT, capture_output=True, text=True)

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("line", LINES)
def test_a_plain_line_is_understood_as_typer_does(line, monkeypatch):
    """The same command gets the same values, of the same kinds."""
    plain = hot.parse(line.split())
    assert plain is not None
    seen = []
    monkeypatch.setattr(app, "runner", lambda row: lambda **given: seen.append((row.name, given)) or 0)
    assert app.call(line.split()) == 0

    [(name, given)] = seen
    assert plain.command == name
    assert plain.given == given
    assert {key: type(value) for key, value in plain.given.items()} == {key: type(value) for key, value in given.items()}


@pytest.mark.parametrize("line", NOT_PLAIN)
def test_everything_else_is_left_to_typer(line):
    """What the table does not explain in full is not guessed."""
    assert hot.parse(line.split()) is None


@pytest.mark.parametrize("name", ["check", "check-orphans", "query", "repair", "diff"])
def test_every_option_of_a_hot_command_is_in_the_table(name):
    """The table was made from this very declaration."""
    flags = {flag for parameter in app.build(BY_NAME[name]).params for flag in parameter.opts if flag.startswith("-")}

    assert set(hot.TABLE[name].options) == flags
