"""Every call to the system fails once and is interrupted once, in every command that writes.

Each point runs in a forked child: the n-th call through Python fails (ENOSPC, EIO, EACCES, a short write), or the
process gets a signal just before or just after it. Then: the session has its old or its new bytes, undo works after
new, the exit code and the words are true, and nothing is left beside it.

    python -m tests.faults COMMAND [MOST]

prints a JSON object: how many points there were (all, or about MOST of them), and what went wrong. tests/test_faults.py
runs it: a process without pytest holds less memory, and is forked faster.
"""

from __future__ import annotations

import builtins
import contextlib
import errno
import functools
import gc
import io
import json
import os
import pathlib
import shutil
import signal
import sys
import tempfile

LONG_AGO = 1_700_000_000_123_456_789
CALLS = (
    "access", "chmod", "close", "fchmod", "fchown", "fdopen", "fstat", "fsync", "getxattr", "link", "listdir",
    "listxattr", "lstat", "mkdir", "open", "pread", "read", "rename", "replace", "rmdir", "scandir", "setxattr",
    "stat", "unlink", "utime", "write",
)  # fmt: skip
FAULTS = ("ENOSPC", "EIO", "EACCES", "short")
SIGNALS = ("SIGINT", "SIGTERM", "SIGKILL")
BROKEN = pathlib.Path(__file__).parent.parent / "fixtures" / "demo" / "bricked.jsonl"
LONG = pathlib.Path(__file__).parent.parent / "fixtures" / "demo" / "pruned.jsonl"
COMMANDS = {
    "repair-i": (BROKEN, ["repair", "-i", "s.jsonl"]),
    "compact-i": (LONG, ["compact", "--window", "0", "--now", "1800000000000", "-i", "s.jsonl"]),
    "undo": (BROKEN, ["undo", "--last"]),
    "repair-o": (BROKEN, ["repair", "-o", "out.jsonl", "s.jsonl"]),
}


class Place:
    """A session in a folder of its own, and the states that it may be in."""

    def __init__(self, folder, command):
        self.folder = pathlib.Path(folder)
        self.template, self.arguments = COMMANDS[command]
        self.command = command
        self.session = self.folder / "work" / "s.jsonl"
        self.output = self.folder / "work" / "out.jsonl"
        self.state = self.folder / "state"
        self.original = self.template.read_bytes()
        self.renew()
        assert self.run() in (0, 1)
        self.old = self.original
        self.new = self.session.read_bytes() if command != "repair-o" else self.output.read_bytes()
        if command == "undo":
            self.old, self.new = self.repaired, self.original
        assert self.old != self.new

    def renew(self):
        """Make everything as it was before the command."""
        for folder in (self.folder / "work", self.state):
            shutil.rmtree(folder, ignore_errors=True)
        self.session.parent.mkdir()
        self.session.write_bytes(self.original)
        os.utime(self.session, ns=(LONG_AGO, LONG_AGO))
        os.chdir(self.session.parent)
        if self.command == "undo":
            self._repair_once()

    def _repair_once(self):
        """Repair the session, or put back what that made the first time."""
        kept = self.folder / "kept"
        if kept.exists():
            for folder in (self.session.parent, self.state):
                shutil.copytree(kept / folder.name, folder, dirs_exist_ok=True)
            self.repaired = self.session.read_bytes()
            return
        assert self.run(["repair", "-i", "s.jsonl"]) in (0, 1)
        self.repaired = self.session.read_bytes()
        for folder in (self.session.parent, self.state):
            shutil.copytree(folder, kept / folder.name)

    def run(self, arguments=None, inject=lambda: None):
        """Run a command in a child; return its exit code, negative for a signal. Its words are in self.said."""
        words = self.folder / "words"
        child = os.fork()
        if child == 0:
            code = 99
            try:
                out = os.open(words, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
                os.dup2(out, 1)
                os.dup2(out, 2)
                sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), encoding="utf-8", write_through=True)
                sys.stderr = io.TextIOWrapper(io.FileIO(2, "w", closefd=False), encoding="utf-8", write_through=True)
                signal.signal(signal.SIGINT, signal.default_int_handler)
                signal.signal(signal.SIGTERM, signal.default_int_handler)
                from condense_cli.cli import run

                inject()
                try:
                    code = run(arguments or self.arguments)
                except KeyboardInterrupt:
                    code = 130
            finally:
                posix_exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        self.said = words.read_text(encoding="utf-8", errors="replace")
        return code


posix_exit = os._exit


def _looks_at_processes(args):
    """Say whether a call looks for clients at work: there are thousands, and none of them is relied on."""
    return bool(args) and isinstance(args[0], str) and args[0].startswith("/proc") and not args[0].startswith("/proc/self/fd/")


class Injector:
    """Stands in for the functions of os; the n-th call meets the fault."""

    def __init__(self, number, fault, after, count_to=None):
        self.number = number
        self.fault = fault
        self.after = after
        self.count = 0
        self.count_to = count_to
        self.busy = False

    def __call__(self):
        for name in CALLS:
            if hasattr(os, name):
                setattr(os, name, self._stand_in(name, getattr(os, name)))
        from condense_cli.storage import exchange

        exchange.rename_exchange = self._stand_in("renameat2", exchange.rename_exchange)
        builtins.open = self._stand_in("open()", builtins.open)

    def _stand_in(self, name, real):
        def call(*args, **kwargs):
            if self.busy or _looks_at_processes(args):
                return real(*args, **kwargs)
            self.count += 1
            if self.count_to is not None:
                self.busy = True
                with open(self.count_to, "a", encoding="utf-8") as names:
                    names.write(f"{name}\n")
                self.busy = False
            if self.count != self.number:
                return real(*args, **kwargs)
            return self._meet(name, real, args, kwargs)

        return call

    def _meet(self, name, real, args, kwargs):
        if self.fault == "short":
            return real(args[0], bytes(args[1])[:1]) if name == "write" and len(args[1]) > 1 else real(*args, **kwargs)
        if self.fault in FAULTS:
            code = getattr(errno, self.fault)
            if name == "close":
                real(*args, **kwargs)  # the descriptor is gone, whatever close says
            if name == "renameat2":
                return code
            raise OSError(code, os.strerror(code))
        if self.after:
            value = real(*args, **kwargs)
            os.kill(os.getpid(), getattr(signal, self.fault))
            return value
        os.kill(os.getpid(), getattr(signal, self.fault))
        return real(*args, **kwargs)


def judge(place, code, fault):
    """Say what is wrong after one point, or nothing."""
    work = place.session.parent
    names = sorted(os.listdir(work))
    if place.command == "repair-o":
        written = place.output.read_bytes() if place.output.exists() else None
        if place.session.read_bytes() != place.old or written not in (None, place.new):
            return "the input was touched, or half an output is there"
        is_new, expected = written is not None, {"s.jsonl", "out.jsonl"}
    else:
        now = place.session.read_bytes()
        if now not in (place.old, place.new):
            return "neither the old nor the new bytes"
        is_new, expected = now == place.new, {"s.jsonl", "s.jsonl.condense"}
    killed = fault == "SIGKILL"
    if not killed and not set(names) <= expected and not any(name.startswith("s.") or "blobs" in name for name in set(names) - expected):
        return f"left behind: {names}"
    if code in (70, 99) or "Traceback" in place.said:
        return f"exit {code}: {place.said[-300:]}"
    if is_new and any(words in place.said for words in ("nothing was changed", "nothing was written", "was not replaced")):
        return f"untrue: {place.said[-300:]}"
    if not is_new and code == 0:
        return "exit 0, and nothing was done"
    if is_new and not killed and code not in (0, 1, 4, 130):
        return f"exit {code} after it was done: {place.said[-200:]}"
    return _undone(place, is_new=is_new, killed=killed)


def _undone(place, *, is_new, killed):
    """Undo what was done, or do it once more; afterwards nothing may be left."""
    from condense_cli.storage import journal

    if place.command in ("repair-i", "compact-i") and is_new:
        if not journal.records():
            return "the session is new and the journal has nothing that leads back"
        if place.run(["undo", "--last"]) != 0 or place.session.read_bytes() != place.original:
            return f"undo failed: {place.said[-300:]}"
    elif place.command == "undo" and not is_new:
        if place.run(["undo", "--last"]) != 0 or place.session.read_bytes() != place.original:
            return f"a second undo failed: {place.said[-300:]}"
    elif killed and place.run() not in (0, 1):
        return f"the next run failed: {place.said[-300:]}"
    left = [name for name in os.listdir(place.session.parent) if name.endswith(".tmp")]
    return f"left behind after the next start: {left}" if left else None


def points(names):
    """List every point for these calls: a number of a call, a fault, and whether a signal comes after it.

    Just after one call is just before the next, so that only the last one needs a signal after it.
    """
    found = [(number, fault, False) for number in range(1, len(names) + 1) for fault in (*FAULTS[:-1], *SIGNALS)]
    found += [(number, "short", False) for number, name in enumerate(names, 1) if name == "write"]
    return found + [(len(names), fault, True) for fault in SIGNALS]


def calls_of(place):
    """Return the names of all calls to the system that a command makes."""
    names = place.folder / "calls"
    names.unlink(missing_ok=True)
    place.renew()
    place.run(inject=Injector(0, "", after=False, count_to=names))
    return names.read_text(encoding="utf-8").split("\n")[:-1]


def load_what_runs(folder):
    """Run each command once, here, so that its modules are imported before the children are forked: the fewer a process holds,
    the faster it is forked."""
    from condense_cli.cli import run

    session = pathlib.Path(folder) / "once.jsonl"
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        for template, words in COMMANDS.values():
            session.write_bytes(template.read_bytes())
            os.utime(session, ns=(LONG_AGO, LONG_AGO))
            run([str(pathlib.Path(folder) / word) if word.endswith(".jsonl") else word for word in words if word != "s.jsonl"] + [str(session)] * ("s.jsonl" in words))
    for left in (session, pathlib.Path(folder) / "out.jsonl", pathlib.Path(f"{session}.condense")):
        left.unlink(missing_ok=True)
    shutil.rmtree(pathlib.Path(folder) / "state", ignore_errors=True)
    gc.enable()


def spare_the_children():
    """Let thousands of children do once, here, what is the same in each: build the command line, look for clients at work."""
    import typer
    from condense_cli.cli import app
    from condense_cli.storage import in_use

    app.build = functools.cache(app.build)
    app.app = typer.main.get_command(app.app)
    in_use._numbers = lambda _: iter(())  # no other process: its calls are no points, either
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        for words in (["repair", "-n", str(BROKEN)], ["compact", "-n", str(LONG)], ["undo", "nothing"]):
            app.call(words)
    gc.collect()
    gc.freeze()


def sweep(folder, command, most):
    """Run all points, or about so many of them; return how many there were and what went wrong."""
    place = Place(folder, command)
    found = points(calls_of(place))
    chosen = found[:: max(1, len(found) // most)] if most else found
    wrong = []
    for number, fault, after in chosen:
        place.renew()
        code = place.run(inject=Injector(number, fault, after))
        if trouble := judge(place, code, fault):
            wrong.append(f"{command} call {number} {fault}{' after' if after else ''} exit {code}: {trouble}")
    return len(chosen), wrong


def main(command, most="0"):
    """Sweep in a folder in memory, where there is one: nothing here waits for a disk."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as folder:
        os.environ["XDG_STATE_HOME"] = os.path.join(folder, "state")
        os.environ["HOME"] = folder
        load_what_runs(folder)
        spare_the_children()
        done, wrong = sweep(folder, command, int(most))
        os.chdir("/")
    print(json.dumps({"done": done, "wrong": wrong}))


if __name__ == "__main__":
    main(*sys.argv[1:])
