"""The command line: one file per command, one error boundary around all of them.

Nothing heavy is imported at the top of these files: `condense --version` and `--help` load neither
orjson nor a format.
"""

from __future__ import annotations

import contextlib
import gc
import os
import sys

import typer

from condense_cli.cli import options
from condense_cli.errors import CondenseError, ExitCode, RefusedError

EPILOG = (
    "Exit codes: 0 fine · 1 findings, differences or not found · 2 usage · 3 unreadable, not recognised or "
    "nothing to check · 4 refused (live, changed meanwhile, proof failed) · 70 a bug in condense · 130 interrupted"
)

app = typer.Typer(
    name="condense",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=EPILOG,
)


@app.callback()
def condense(
    version: options.Version = False,  # noqa: ARG001 - its callback has printed it
    color: options.Color = options.ColorWhen.AUTO,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> None:
    """Fsck for the session files of coding agents: check, explain, repair, undo, query."""
    options.remember(color=color, quiet=quiet, verbose=verbose)


def command(function: object) -> None:
    """Add one command; every command's help ends with the exit codes."""
    app.command(epilog=EPILOG)(function)  # type: ignore[type-var]


def _add_commands() -> None:
    from condense_cli.cli import COMMANDS

    for function in COMMANDS():
        command(function)


def COMMANDS() -> tuple[object, ...]:  # noqa: N802
    """All commands in the order of --help."""
    import importlib

    found: list[object] = []
    for name in ("render", "check", "check_orphans", "query", "diff", "repair", "undo", "explain", "doctor", "formats", "compact", "scan"):
        try:
            found.append(getattr(importlib.import_module(f"condense_cli.cli.{name}"), name))
        except ModuleNotFoundError:
            continue
    return tuple(found)


# Typer brings Click along under a name of its own in some versions: this is its base of all usage errors.
_WrongWords: type[typer.BadParameter] = next(c for c in typer.BadParameter.__mro__ if c.__name__ == "ClickException")


def main() -> None:
    """Run the command line; every ending of the process is decided here."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started us
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - open until the end
    code = run(sys.argv[1:])
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    # Everything is written and closed: taking a million small values apart one by one would only cost time.
    os._exit(code)


def run(arguments: list[str]) -> int:
    """Run one command and return the exit code; a known error is two lines, a bug never exits 1."""
    gc.disable()  # millions of small tuples live until the end: collecting them costs a third of a check
    try:
        outcome = int(app(arguments, standalone_mode=False, prog_name="condense") or ExitCode.FINE)
        sys.stdout.flush()
        if outcome == ExitCode.INTERRUPTED:  # Typer makes an exit of Ctrl-C, and Click a number of that
            return _interrupted()
        return outcome
    except typer.Exit as ending:
        return _interrupted() if ending.exit_code == ExitCode.INTERRUPTED else int(ending.exit_code)
    except _WrongWords as problem:
        problem.show()
        return int(ExitCode.USAGE)
    except (KeyboardInterrupt, typer.Abort):
        return _interrupted()
    except (BrokenPipeError, SystemExit):
        # The reader has gone, which is no fault of ours (Click makes an exit of it); Python would complain again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return int(ExitCode.FINE)
    except CondenseError as problem:
        return _say(problem)
    except (OSError, MemoryError) as problem:
        if isinstance(problem, OSError) and problem.filename is None:
            return _say(RefusedError(f"standard output: {problem.strerror or problem}", "nothing else was written"))
        return _say(CondenseError(*_in_words(problem)))
    except Exception as bug:  # noqa: BLE001 - the boundary: a traceback never reaches a user
        return _bug(bug)


def _interrupted() -> int:
    print("condense: interrupted", file=sys.stderr)
    return int(ExitCode.INTERRUPTED)


def _say(problem: CondenseError) -> int:
    from condense_cli.output.plain import visible

    print(f"condense: {visible(problem.problem)}", file=sys.stderr)
    if problem.advice:
        print(f"  {visible(problem.advice)}", file=sys.stderr)
    return int(problem.exit_code)


def _in_words(problem: BaseException) -> tuple[str, str]:
    if isinstance(problem, MemoryError):
        return "out of memory", "a single record is larger than the memory that is free"
    assert isinstance(problem, OSError)
    name = os.fsdecode(problem.filename) if problem.filename else "input"
    return f"{name}: {problem.strerror or problem}", "check the path and its permissions"


def _bug(bug: Exception) -> int:
    import traceback

    if os.environ.get("CONDENSE_TRACEBACK"):
        traceback.print_exception(bug)
    frame = traceback.extract_tb(bug.__traceback__)[-1]
    place = f"{os.path.basename(frame.filename)}:{frame.lineno}"
    print(f"condense: bug: {type(bug).__name__} at {place}; nothing was written", file=sys.stderr)
    print("  please report it with that line and `condense --version`; CONDENSE_TRACEBACK=1 shows more", file=sys.stderr)
    return int(ExitCode.BUG)


_add_commands()
