"""Speed and memory of condense as ratios to a bare loop of orjson.loads over the same lines, with the limits it keeps.

Whole processes run in turn: condense, the loop, and the start-up of both, which is subtracted (condense on a session of
two records; a loop over nothing). Times are CPU time of the process and its children, medians of RUNS runs; memory is the
largest process. Sessions are made in .bench/ (deterministic) and kept for the next run.

    python benchmarks/bench.py [--big] [--only NAME] [--runs N]
"""

from __future__ import annotations

import argparse
import compileall
import os
import resource
import tempfile
import time
from typing import NamedTuple

import sessions
from measure import CONDENSE, HERE, LOOP, PYTHON, WHOLE, WORK, in_turn, measure

OUT = "out.jsonl"
NOW = ["--now", "1767225600000"]
MB = 1_000_000


class File(NamedTuple):
    """A session to measure with; `size` is in bytes, or what the maker counts."""

    make: sessions.Make
    size: int
    suffix: str = ".jsonl"


class Row(NamedTuple):
    """A line of the table: what runs on which file, and the most it may take; wall: wall time is compared, not CPU time."""

    name: str
    arguments: list[str]
    file: str
    tiny: str
    ratio: float | None = None
    memory: int | None = None
    bare: str = LOOP
    wall: bool = False


FILES = {
    "pi": File(sessions.pi, 50 * MB),
    "claude": File(sessions.claude, 50 * MB),
    "codex": File(sessions.codex, 50 * MB),
    "reused": File(sessions.generated("pi"), 50 * MB),
    "array": File(sessions.array, 50 * MB, ".json"),
    "array-broken": File(sessions.generated("anthropic-array", "--defects", "20"), 50 * MB, ".json"),
    "conversations": File(sessions.conversations, 50 * MB),
    "small": File(sessions.small, 500_000),
    "big": File(sessions.pi, 1000 * MB),
    "broken": File(lambda path, every: sessions.holed(path_of("pi"), path, b'"toolResult"', every), 997),
    "usual": File(sessions.pi, 400_000),
    "tiny-pi": File(sessions.pi, 1),
    "tiny-claude": File(sessions.claude, 1),
    "tiny-codex": File(sessions.codex, 1),
    "tiny-array": File(sessions.array, 1, ".json"),
    "tiny-conversations": File(sessions.conversations, 1),
}
CHECK = ["check", "-j", "1"]
ROWS = [
    Row("check pi 50 MB", CHECK, "pi", "tiny-pi", 1.5, 60),
    Row("check claude-code 50 MB", CHECK, "claude", "tiny-claude", 1.5, 60),
    Row("check codex 50 MB", CHECK, "codex", "tiny-codex", 1.8, 60),
    Row("check pi 50 MB, ids used again", CHECK, "reused", "tiny-pi", 1.7, 60),
    Row("check --contract all pi 50 MB", [*CHECK, "--contract", "all", "--fail-on", "never"], "pi", "tiny-pi"),
    Row("check-orphans pi 50 MB", ["check-orphans", "-j", "1"], "pi", "tiny-pi"),
    Row("check array 50 MB", CHECK, "array", "tiny-array", 3.2, 330, WHOLE),
    Row("repair -o array 50 MB, broken", ["repair", "-o", OUT], "array-broken", "tiny-array", 6.0, 330, WHOLE),
    Row("check conversations 50 MB", CHECK, "conversations", "tiny-conversations", 2.5, 60),
    Row("render -o pi 50 MB", ["render", "-o", OUT], "pi", "tiny-pi", 4.5),
    Row("repair -o pi 50 MB, sound", ["repair", "-o", OUT], "pi", "tiny-pi", 5.0, 150),
    Row("repair -o pi 50 MB, broken", ["repair", "-o", OUT], "broken", "tiny-pi", 5.0, 150),
    Row("compact -o pi 50 MB", ["compact", "-o", OUT, *NOW], "pi", "tiny-pi", 8.0, 150),
    Row("render -o pi 500,000 small records", ["render", "-o", OUT], "small", "tiny-pi", None, 250),
    Row("compact -o pi 500,000 small records", ["compact", "-o", OUT, *NOW], "small", "tiny-pi", None, 350),
    Row("check pi 50 MB, wall, two processors", ["check"], "pi", "tiny-pi", 1.3, None, LOOP, wall=True),
    Row("check pi 1 GB", CHECK, "big", "tiny-pi", 1.7, 200),
]


def path_of(name: str) -> str:
    """Return where a session is; it is made if it is not there."""
    file = FILES[name]
    path = os.path.join(WORK, name + file.suffix)
    if not os.path.exists(path):
        file.make(path + ".part", file.size)
        os.replace(path + ".part", path)
    return path


def show(row: Row, runs: int) -> None:
    """Measure a row and print it."""
    file, tiny = path_of(row.file), path_of(row.tiny)
    runs = 1 if row.ratio is None and row.memory is not None else runs  # memory is the same in each run
    bare = [PYTHON, "-c", row.bare]
    took = in_turn([[*CONDENSE, *row.arguments, file], [*bare, file], [*CONDENSE, *row.arguments, tiny], [*bare, os.devnull]], runs)
    times = [one.wall if row.wall else one.cpu for one in took]
    ours, loop = times[0] - times[2], times[1] - times[3]
    line(row.name, ours, loop, row.ratio, took[0].memory, row.memory)


def line(name: str, ours: float, loop: float, limit: float | None, memory: float, most: int | None) -> None:
    """Print a line of the table; what is over its limit is marked."""
    over = (limit is not None and ours / loop > limit) or (most is not None and memory > most)
    print(f"{name:38}{ours:9.2f}s{loop:10.2f}s{ours / loop:8.2f}{limit or '':>7}{memory:7.0f}{most or '':>7}{'  over' if over else ''}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--big", action="store_true", help="also the 1 GB session")
    parser.add_argument("--only", default="", help="rows whose name contains this")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    os.makedirs(WORK, exist_ok=True)
    os.environ["XDG_STATE_HOME"] = os.path.join(WORK, "state")
    os.environ.pop("PYTHONUNBUFFERED", None)
    compileall.compile_dir(os.path.join(HERE, "condense_cli"), quiet=2)  # as an installation does
    print(f"{'':38}{'condense':>10}{'bare loop':>11}{'ratio':>8}{'limit':>7}{'MiB':>7}{'limit':>7}")
    for row in ROWS:
        if options.only not in row.name or (row.file == "big" and not options.big):
            continue
        if FILES[row.file].make in GENERATED and not os.path.exists(sessions.GENERATOR):
            print(f"{row.name:38} skipped: {sessions.GENERATOR} is not there")
            continue
        show(row, options.runs)
    if options.only in "version":
        ours, loop = in_turn([[*CONDENSE, "--version"], [PYTHON, "-c", "import typer"]], options.runs)
        line("--version / import typer", ours.cpu, loop.cpu, 2.0, ours.memory, None)
    if options.only in "store of 1,000 files":
        store()


GENERATED = [FILES["reused"].make, FILES["array-broken"].make]


def store() -> None:
    """Check 1,000 files of 400 KB with one and with all processors; wall time."""
    usual = path_of("usual")
    with tempfile.TemporaryDirectory(dir=WORK) as folder:
        for n in range(1000):
            os.link(usual, os.path.join(folder, f"{n}.jsonl"))
        for jobs in (1, os.cpu_count() or 1):
            start, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
            measure([*CONDENSE, "check", "-j", str(jobs), "--output-format", "json", folder])
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            wall = time.monotonic() - start
            cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            print(f"{f'store of 1,000 files, -j {jobs}':38}{wall:9.2f}s wall, {cpu / wall:.2f} processors busy")


if __name__ == "__main__":
    main()
