"""Compare what two condense programs say of the same files: every difference of stdout, stderr and exit code is printed.

    python tests/compare_outputs.py OLD/.venv/bin/condense NEW/.venv/bin/condense FOLDER [FOLDER…] [--only check,repair] [--quiet]

Each file of the folders is given to `check --contract all`, `repair -o` (into a temporary folder, whose bytes are compared too),
`diff`, `render`, and `query` (for the first ids of results in it). Each program runs in a process of its own that forks for every command, so that starting it
does not count. Exit 1 where something differs.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import difflib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

_RESULT_ID = re.compile(rb'"(?:toolCallId|tool_use_id|call_id|tool_call_id|callID)"\s*:\s*"([\w|.-]+)"')
COMMANDS = {
    "check": ["check", "--output-format", "json", "--contract", "all", "FILE"],
    "repair": ["repair", "FILE", "-o", "OUT"],
    "diff": ["diff", "FILE"],
    "render": ["render", "--output-format", "jsonl", "FILE"],
    "query": ["query", "--output-format", "json", "--session", "FILE", "REFS"],
}
WORKER = r"""
import base64, json, os, sys, tempfile, traceback
import condense_cli.__main__, condense_cli.formats, condense_cli.cli
for line in sys.stdin:
    args = json.loads(line)
    out, err = tempfile.TemporaryFile(), tempfile.TemporaryFile()
    child = os.fork()
    if not child:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0); os.dup2(out.fileno(), 1); os.dup2(err.fileno(), 2)
        sys.stdin = open(0); sys.argv = ["condense", *args]
        code = 70
        try:
            code = condense_cli.__main__.main() or 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush(); sys.stderr.flush()
            os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    out.seek(0); err.seek(0)
    print(json.dumps([code, *(base64.b64encode(f.read()).decode() for f in (out, err))]), flush=True)
"""


class Program:
    """One condense program, kept ready in a process of its own. name stands for its temporary folder in what it says."""

    def __init__(self, executable: str, folder: Path) -> None:
        python = Path(executable).read_text(encoding="utf-8").split("\n", 1)[0].removeprefix("#!").strip()
        self.folder = folder
        environment = {**os.environ, "XDG_STATE_HOME": str(folder / "state"), "HOME": str(folder / "home"), "NO_COLOR": "1", "COLUMNS": "200"}
        self.process = subprocess.Popen([python, "-c", WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True, cwd=folder)

    def run(self, args: list[str]) -> tuple[int, bytes, bytes]:
        """Run one command; return its exit code, stdout and stderr."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(args) + "\n")
        self.process.stdin.flush()
        code, out, err = json.loads(self.process.stdout.readline())
        return code, base64.b64decode(out), base64.b64decode(err)

    def say(self, command: str, path: Path) -> dict[str, bytes]:
        """Return what a command says of a file, and what it wrote."""
        written = self.folder / "out"
        written.unlink(missing_ok=True)
        values = {"FILE": str(path), "OUT": str(written)}
        code, out, err = self.run([value for arg in COMMANDS[command] for value in (refs(path) if arg == "REFS" else [values.get(arg, arg)])])
        own = str(self.folder).encode()
        said = {"exit": str(code).encode(), "stdout": out.replace(own, b"TEMP"), "stderr": err.replace(own, b"TEMP")}
        if command == "repair":
            said["written"] = written.read_bytes() if written.exists() else b""
        return said


def refs(path: Path) -> list[str]:
    """Return up to four ids of results that stand in a file, and one that does not."""
    data = path.read_bytes()
    found = dict.fromkeys(match[1].decode() for match in _RESULT_ID.finditer(data))
    return [*list(found)[:4], "nobody"]


def differences(old: dict[str, bytes], new: dict[str, bytes], name: str) -> list[str]:
    """Return the lines of a unified diff of everything that is not equal."""
    found: list[str] = []
    for key in old:
        before, after = (value[key].decode("utf-8", "replace") for value in (old, new))
        if before != after:
            lines = difflib.unified_diff(_lines(before), _lines(after), f"{name} {key} (old)", f"{name} {key} (new)", n=0, lineterm="")
            found += [line[:600] for line in lines]
    return found


def _lines(text: str) -> list[str]:
    """Split into lines; one line of JSON into one line a value."""
    if text.startswith("{") and text.count("\n") < 2:
        with contextlib.suppress(ValueError):
            text = json.dumps(json.loads(text), indent=1)
    return text.splitlines()


def main() -> int:
    """Compare, print, and count."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--only", default=",".join(COMMANDS), help="commands, joined by commas")
    parser.add_argument("--quiet", action="store_true", help="count, and name the files, but print no differences")
    args = parser.parse_args()
    files = [path for folder in args.folders for path in ([folder] if folder.is_file() else sorted(folder.rglob("*.json*"))) if path.is_file()]
    count: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor(2) as pool:
        programs = []
        for name, executable in (("old", args.old), ("new", args.new)):
            folder = Path(temporary) / name
            (folder / "home").mkdir(parents=True)
            programs.append(Program(executable, folder))
        for path in files:
            for command in args.only.split(","):
                old, new = pool.map(lambda program, command=command, path=path: program.say(command, path), programs)
                found = differences(old, new, f"{command} {path}")
                count[f"{command}: {'different' if found else 'equal'}"] += 1
                if found:
                    print(f"DIFFERENT {command} {path}")
                    if not args.quiet:
                        print("\n".join(found))
        for program in programs:
            assert program.process.stdin is not None
            program.process.stdin.close()
            program.process.wait()
    print(f"{len(files)} files; " + "; ".join(f"{what} {n}" for what, n in sorted(count.items())))
    return 1 if any("different" in what for what in count) else 0


if __name__ == "__main__":
    sys.exit(main())
