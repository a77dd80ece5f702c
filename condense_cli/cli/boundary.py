"""The error boundary: how every run ends. A known error is two lines, a bug is exit 70, a traceback is never shown."""

from __future__ import annotations

import contextlib
import gc
import io
import os
import signal
import sys

from condense_cli.cli import hot, options
from condense_cli.errors import CondenseError, ExitCode, RefusedError


def main() -> None:
    """Run the command line; every ending of the process is decided here."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started us
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - open until the end
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # whatever its encoding is, every text can be written
            stream.reconfigure(errors="backslashreplace")
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name) and signal.getsignal(getattr(signal, name)) is signal.SIG_DFL:
            signal.signal(getattr(signal, name), signal.default_int_handler)  # what is half written is removed
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
        code = _call(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return _interrupted()
    except (BrokenPipeError, SystemExit):
        # The reader has gone, which is no error of ours (Click makes an exit of it); Python would complain again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return int(ExitCode.FINE)
    except CondenseError as problem:
        return say(problem)
    except (OSError, MemoryError) as problem:
        return say(in_words(problem))
    except Exception as bug:  # noqa: BLE001 - the boundary: a traceback never reaches a user
        return _bug(bug)
    # Typer makes an exit of Ctrl-C, and Click a number of that.
    return _interrupted() if code == ExitCode.INTERRUPTED else code


def _call(arguments: list[str]) -> int:
    """Run a plain command line of a hot command at once; whatever is not plain is Typer's."""
    if "_CONDENSE_COMPLETE" not in os.environ:
        plain = hot.parse(arguments)
        if plain is not None:
            return hot.call(plain)
    from condense_cli.cli import app

    return app.call(arguments)


def say(problem: CondenseError) -> int:
    """Say a known error in two lines: what is wrong, then what to do; return its exit code."""
    from condense_cli.output.plain import visible

    options.complain(f"condense: {visible(problem.problem)}")
    if problem.advice:
        options.complain(f"  {visible(problem.advice)}")
    return int(problem.exit_code)


def in_words(problem: BaseException) -> CondenseError:
    """Return what the operating system refused as an error for people."""
    if isinstance(problem, MemoryError):
        return CondenseError("out of memory", "a single record is larger than the memory that is free")
    assert isinstance(problem, OSError)
    if problem.filename is None:
        return RefusedError(f"standard output: {problem.strerror or problem}", "what it should show is incomplete")
    name = os.fsdecode(problem.filename)
    return CondenseError(f"{name}: {problem.strerror or problem}", "check the path and its permissions")


def bug_in_words(bug: BaseException) -> str:
    """Name a bug by its kind and place: the text of the exception may be a transcript's."""
    import traceback

    frames = traceback.extract_tb(bug.__traceback__)
    place = f"{os.path.basename(frames[-1].filename)}:{frames[-1].lineno}" if frames else "an unknown place"
    return f"bug: {type(bug).__name__} at {place}"


BUG_ADVICE = "please report it with that line and `condense --version`; CONDENSE_TRACEBACK=1 shows more"


def _interrupted() -> int:
    options.complain("condense: interrupted")
    return int(ExitCode.INTERRUPTED)


def _bug(bug: Exception) -> int:
    show_traceback(bug)
    options.complain(f"condense: {bug_in_words(bug)}")
    options.complain(f"  {BUG_ADVICE}")
    return int(ExitCode.BUG)


def show_traceback(bug: BaseException) -> None:
    """Print the traceback of a bug where it was asked for: CONDENSE_TRACEBACK, or --verbose."""
    if os.environ.get("CONDENSE_TRACEBACK") or options.verbose():
        import traceback

        traceback.print_exception(bug)
