"""Measure whole processes in pairs: CPU time (user and system) of the process and of those it waited for, wall time, memory.

The machine's speed drifts; so two commands run in turn, and medians are compared. Start-up is measured in the same way.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from typing import NamedTuple

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORK = os.path.join(HERE, ".bench")
PYTHON = sys.executable
CONDENSE = [os.path.join(os.path.dirname(PYTHON), "condense")]
LOOP = "import sys, orjson\nfor line in open(sys.argv[1], 'rb'):\n    orjson.loads(line)\n"
WHOLE = "import sys, orjson\norjson.loads(open(sys.argv[1], 'rb').read() or b'0')\n"


class Took(NamedTuple):
    """What one run took: CPU and wall time in seconds, the largest process in MiB, and the exit code."""

    cpu: float
    wall: float
    memory: float
    code: int


def measure(command: list[str]) -> Took:
    """Run a command whose output nobody reads."""
    with open(os.devnull, "wb") as nothing:
        start = time.monotonic()
        child = subprocess.Popen(command, stdout=nothing, stderr=nothing, cwd=WORK)
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.monotonic() - start
        child.returncode = os.waitstatus_to_exitcode(status)
    return Took(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024, child.returncode)


def in_turn(commands: list[list[str]], runs: int, *, fine: tuple[int, ...] = (0, 1)) -> list[Took]:
    """Run commands in turn, each `runs` times after a first that does not count; return medians, and the most memory."""
    for command in commands if runs > 1 else ():
        measure(command)
    took = [[measure(command) for command in commands] for _ in range(runs)]
    for command, one in zip(commands, took[0], strict=True):
        if one.code not in fine:
            raise SystemExit(f"{' '.join(command)}: exit {one.code}")
    columns = list(zip(*took, strict=True))
    return [Took(statistics.median(one.cpu for one in column), statistics.median(one.wall for one in column), max(one.memory for one in column), column[0].code) for column in columns]
