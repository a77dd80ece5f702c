"""The command line as a whole: how every run ends, and what the global options do."""

import errno
import inspect
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer
from condense_cli.cli import app as command_line
from condense_cli.cli import options
from condense_cli.cli.commands import COMMANDS as ROWS
from condense_cli.errors import CondenseError, ExitCode, RefusedError, UnreadableError, UsageError
from tests.strategies import condense, pi_file

ORPHAN = pi_file([("user",), ("result", "b"), ("text",)])


@pytest.fixture(autouse=True)
def _apart(tmp_path, monkeypatch):
    """An empty folder, and nothing in the environment that changes what is printed."""
    monkeypatch.chdir(tmp_path)
    for name in ("GITHUB_ACTIONS", "NO_COLOR", "FORCE_COLOR", "CONDENSE_TRACEBACK"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def session(tmp_path):
    """A broken session in the current folder."""
    (tmp_path / "s.jsonl").write_bytes(ORPHAN)
    return "s.jsonl"


@pytest.fixture
def failing(monkeypatch):
    """Let `condense formats` end with an exception."""

    def fail(problem):
        def command() -> int:
            raise problem

        app = typer.Typer(pretty_exceptions_enable=False)
        app.callback()(command_line.condense)
        app.command("formats")(command)
        monkeypatch.setattr(command_line, "app", app)
        return condense("formats")

    return fail


def spawn(*words, **more):
    """Run condense as a process of its own."""
    env = {**os.environ, "PYTHONIOENCODING": "utf-8", **more.pop("env", {})}
    return subprocess.run([sys.executable, "-m", "condense_cli", *words], check=False, capture_output=True, env=env, **more)


# ---------------------------------------------------------------------- how a run ends
def test_the_exit_codes_are_an_interface():
    """Their numbers are fixed."""
    assert {code.name: int(code) for code in ExitCode} == {"FINE": 0, "FOUND": 1, "USAGE": 2, "UNREADABLE": 3, "REFUSED": 4, "BUG": 70, "INTERRUPTED": 130}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_command_of_the_table_is_there(row):
    """What declares a command and what runs it take the same parameters."""
    declared = inspect.signature(command_line.declaration(row)).parameters
    taken = inspect.signature(command_line.runner(row)).parameters

    assert command_line.declaration(row).__doc__
    if row.name != "check-orphans":  # it hands all of them to check
        assert set(taken) - {"pairing_only"} == set(declared)


def test_a_missing_module_of_the_install_is_a_bug(monkeypatch):
    """It is never "No such command"."""
    monkeypatch.setitem(sys.modules, "condense_cli.cli.undo.run", None)
    outcome = condense("undo")

    assert (outcome.code, outcome.out) == (70, b"")
    assert outcome.err.startswith("condense: bug: ModuleNotFoundError at ")


def test_a_missing_declaration_is_a_bug(monkeypatch):
    """Neither is a declaration that is gone."""
    monkeypatch.setitem(sys.modules, "condense_cli.cli.undo.command", None)

    assert condense("undo").code == 70


@pytest.mark.parametrize(("word", "meant"), [("fix", "repair"), ("recover", "query"), ("list", "doctor"), ("show", "render")])
def test_a_word_that_people_use_is_answered_with_the_command(word, meant):
    """It is a usage error that names what was meant."""
    outcome = condense(word, "s.jsonl")

    assert (outcome.code, outcome.out) == (2, b"")
    assert f"did you mean `condense {meant}`?" in outcome.err


def test_help_is_a_command():
    """`condense help repair` is `condense repair --help`."""
    for words in ((), ("repair",)):
        assert condense("help", *words) == condense(*words, "--help")
    assert condense("help", "nothing").code == 2


@pytest.mark.parametrize("place", ["before", "after"])
def test_the_options_of_every_command_stand_before_or_after_its_name(session, place):
    """-q, -v and --color mean the same on both sides."""
    options = ("-q", "--color", "always")
    words = (*options, "diff", session) if place == "before" else ("diff", session, *options)
    outcome = condense(*words)

    assert (outcome.code, outcome.err) == (1, "")
    assert b"\x1b[" in outcome.out


@pytest.mark.parametrize("command", ["check", "check-orphans", "repair", "formats", "doctor", "undo"])
def test_json_is_short_for_the_output_format(session, command):
    """--json and --output-format json are the same; another format beside it is a usage error."""
    words = [*command.split(), *([session] if command in ("check", "check-orphans", "repair") else [])]
    assert condense(*words, "--json") == condense(*words, "--output-format", "json")
    assert condense("check", session, "--json", "--output-format", "sarif").code == 2


def test_verbose_says_more(session):
    """-v tells what each file is."""
    assert condense("check", session, "-v").err == "s.jsonl: pi, 1 threads, 3 messages, 0 calls, 1 results\n"


@pytest.mark.parametrize(
    "words",
    [["nothing"], ["check", "--nothing"], ["check", "-j", "many"], ["check", "--fail-on", "sometimes"], ["--color", "red", "formats"], ["check", "--output-format"]],
    ids=" ".join,
)
def test_a_wrong_command_line_is_exit_2(words):
    """What cannot be understood is said on stderr."""
    outcome = condense(*words)

    assert (outcome.code, outcome.out) == (2, b"")
    assert re.search("^(condense|Error): ", outcome.err, re.MULTILINE)
    assert "Traceback" not in outcome.err


@pytest.mark.parametrize("command", [["check"], ["check-orphans"], ["diff"], ["repair"], ["render"], ["query", "t1", "--session"], ["compact"]], ids=" ".join)
def test_a_missing_file_is_exit_3(command):
    """Its name and the reason are said, in two lines without a traceback."""
    outcome = condense(*command, "missing.jsonl")
    said = outcome.err or outcome.out.decode()

    assert outcome.code == 3
    assert "missing.jsonl" in said
    assert "No such file or directory" in said
    assert "Traceback" not in said


@pytest.mark.parametrize(("kind", "code"), [(CondenseError, 3), (UnreadableError, 3), (UsageError, 2), (RefusedError, 4)])
def test_an_error_for_people_is_two_lines(failing, kind, code):
    """What is wrong, then what to do; both without characters that steer a terminal."""
    outcome = failing(kind("it is \x1b[31mwrong", "do \u202ethis"))

    assert outcome == (code, b"", "condense: it is \\x1b[31mwrong\n  do \\u202ethis\n")


def test_a_bug_is_exit_70(failing):
    """It never ends with 1, shows no traceback, no text of the exception, and where it happened."""
    outcome = failing(KeyError("text of a session"))

    assert (outcome.code, outcome.out) == (70, b"")
    assert outcome.err.startswith("condense: bug: KeyError at test_main.py:")
    assert "text of a session" not in outcome.err
    assert "Traceback" not in outcome.err


def test_a_bug_can_be_looked_at(failing, monkeypatch):
    """With CONDENSE_TRACEBACK the traceback is shown, and the exit code stays."""
    monkeypatch.setenv("CONDENSE_TRACEBACK", "1")
    outcome = failing(KeyError("x"))

    assert outcome.code == 70
    assert "Traceback (most recent call last)" in outcome.err


@pytest.mark.parametrize("problem", [KeyboardInterrupt(), typer.Abort()])
def test_an_interrupt_is_exit_130(failing, problem):
    """One line, and the exit code of a process that was interrupted."""
    assert failing(problem) == (130, b"", "condense: interrupted\n")


@pytest.mark.parametrize(
    ("problem", "code", "said"),
    [
        (PermissionError(errno.EACCES, "Permission denied", "a\x1bb"), 3, "condense: a\\x1bb: Permission denied\n"),
        (OSError(errno.ENOSPC, "No space left on device"), 4, "condense: standard output: No space left on device\n"),
        (MemoryError(), 3, "condense: out of memory\n"),
    ],
    ids=["a file", "standard output", "memory"],
)
def test_what_the_system_refuses_is_said_in_words(failing, problem, code, said):
    """An error of the operating system is no bug."""
    outcome = failing(problem)

    assert outcome.code == code
    assert outcome.err.startswith(said)
    assert "Traceback" not in outcome.err


def test_a_reader_that_goes_away_is_no_error(session):
    """`condense … | head` ends quietly."""
    Path("many.jsonl").write_bytes(pi_file([("user",), *[("result", f"b{n}") for n in range(3000)], ("text",)]))
    process = subprocess.Popen([sys.executable, "-m", "condense_cli", "check", "--json", "many.jsonl"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.read(1)
    process.stdout.close()

    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 0


@pytest.mark.parametrize("delay", [0.01, 0.03, 0.06, 0.09, 0.12, 0.5])
def test_a_signal_is_an_interrupt(delay):
    """Ctrl-C while modules are imported, or while standard input is awaited, ends with 130 and one line."""
    program = "import sys; sys.argv[1:] = ['check', '-']; from condense_cli.__main__ import main; print('ready', flush=True); main()"
    process = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout.readline() == b"ready\n"
    time.sleep(delay)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()

    assert (process.returncode, out, err) == (130, b"", b"condense: interrupted\n")


def test_the_module_is_the_command(session):
    """`python -m condense_cli` ends with the command's exit code."""
    done = spawn("check", session)

    assert done.returncode == 1
    assert done.stdout.startswith(b"s.jsonl\n  error orphan-result at line 3: ")
    assert done.stderr == b""


# ---------------------------------------------------------------------- names of files
@pytest.mark.parametrize("name", ["a\x1b[31mb.jsonl", "a\nb.jsonl", "a\u202eb.jsonl", "a\udcffb.jsonl", "-a.jsonl", "a b'\"$(x).jsonl", "%41.jsonl", "[bold]x[bold].jsonl"])
@pytest.mark.parametrize("command", ["check", "diff", "repair", "render"])
def test_no_name_of_a_file_steers_the_terminal(name, command):
    """Whatever a session is called, it is read, and its name is shown without control characters."""
    Path(name).write_bytes(ORPHAN)
    outcome = condense(command, "--", name)
    said = outcome.out.decode() + outcome.err

    assert outcome.code == (0 if command == "render" else 1)
    assert not {"\x1b", "\u202e", "\udcff"} & set(said)
    assert "a\nb" not in said


def test_a_missing_file_with_a_hostile_name_is_shown_harmlessly():
    """The name in an error is escaped, too, and a NUL in it is no bug."""
    for command in ("check", "diff"):
        outcome = condense(command, "a\x1b]0;x\x07.jsonl")
        assert outcome.code == 3
        assert not {"\x1b", "\x07"} & set(outcome.out.decode() + outcome.err)
        assert condense(command, "a\0b").code == 3


# ---------------------------------------------------------------------- colour and words
@pytest.mark.parametrize(
    ("words", "env", "coloured"),
    [
        pytest.param([], {}, False, id="a pipe"),
        pytest.param(["--color", "always"], {}, True, id="always"),
        pytest.param([], {"FORCE_COLOR": "1"}, True, id="FORCE_COLOR"),
        pytest.param([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, id="NO_COLOR wins"),
        pytest.param(["--color", "always"], {"NO_COLOR": "1"}, True, id="the option wins"),
        pytest.param(["--color", "never"], {"FORCE_COLOR": "1"}, False, id="never"),
        pytest.param([], {"FORCE_COLOR": "", "NO_COLOR": ""}, False, id="empty ones are none"),
    ],
)
def test_colour(session, monkeypatch, words, env, coloured):
    """--color decides, then NO_COLOR, then FORCE_COLOR; the words are the same with and without."""
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    for command in ("check", "repair", "diff"):
        assert (b"\x1b[" in condense(*words, command, session).out) is coloured
    assert b"\x1b[" not in condense(*words, "check", "--output-format", "json", session).out


@pytest.mark.parametrize(("term", "coloured"), [("xterm", True), ("dumb", False)])
def test_a_terminal_has_colour_unless_it_is_dumb(monkeypatch, term, coloured):
    """On a terminal TERM=dumb means none; NO_COLOR, too."""

    class Terminal:
        def isatty(self):
            return True

    options.remember(color=options.ColorWhen.AUTO, quiet=False, verbose=False)
    monkeypatch.setenv("TERM", term)
    assert options.coloured(Terminal()) is coloured
    monkeypatch.setenv("NO_COLOR", "1")
    assert options.coloured(Terminal()) is False


def test_quiet_leaves_notes_out(session):
    """-q takes the notes on stderr away, and neither data nor exit code; it does not last."""
    assert condense("diff", session).err != ""
    quiet = condense("-q", "diff", session)
    assert (quiet.code, quiet.err) == (1, "")
    assert quiet.out == condense("diff", session).out
    assert condense("diff", session).err != ""


def test_errors_are_said_even_quietly():
    """-q does not hide why a run ended with an error."""
    assert "missing.jsonl" in condense("-q", "diff", "missing.jsonl").err


def test_the_version_is_one_line():
    """--version prints it and ends with 0."""
    from condense_cli import __version__

    assert condense("--version") == (0, f"condense {__version__}\n".encode(), "")


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("chek", "condense check"),
        ("repare", "condense repair"),
        ("fix", "condense repair"),
        ("verfy", "condense check"),
        ("s.jsonl", "condense check s.jsonl"),
        ("gone b.json", "condense check 'gone b.json'"),
    ],
)
def test_a_word_that_is_no_command_is_answered_with_the_one_that_is_meant(session, word, said):
    """Misspelled, another word for it, or a session."""
    outcome = condense(word)

    assert outcome.code == 2
    assert f"did you mean `{said}`?" in outcome.err


def test_a_word_that_means_nothing_is_answered_with_the_help():
    """No guess is made."""
    assert "`condense --help` lists the commands" in condense("xyzzy").err
