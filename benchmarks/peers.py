"""Speed and memory of other tools that check sessions, beside condense on the same files; not part of `make bench`.

Each is installed by pip into a venv of its own in .bench/; one that cannot be installed is said to be skipped. Whole
processes in turn, CPU time with start-up, medians; the ratio is to the bare loop of orjson.loads over the same file. The
tools do not look for the same things, so this compares what a look at a session costs, and nothing else.

    python benchmarks/peers.py [--runs N]
"""

from __future__ import annotations

import argparse
import os
import subprocess
from typing import NamedTuple

from bench import CHECK, path_of
from measure import CONDENSE, LOOP, PYTHON, WHOLE, WORK, in_turn

VENV = os.path.join(WORK, "peers")
BIN = os.path.join(VENV, "bin")
ANY = tuple(range(256))  # exit codes mean other things to each
TURNSAFE = "import sys, json, turnsafe; turnsafe.validate(json.load(open(sys.argv[1], 'rb')))"


class Peer(NamedTuple):
    """A tool: the package that it comes in, its command without the file, and the sessions that it reads."""

    package: str
    command: list[str]
    files: tuple[str, ...]


PEERS = (
    Peer("sesslint", [os.path.join(BIN, "sesslint"), "check"], ("pi", "claude", "codex")),
    Peer("cozempic", [os.path.join(BIN, "cozempic"), "diagnose"], ("claude",)),
    Peer("turnsafe", [os.path.join(BIN, "python"), "-c", TURNSAFE], ("array",)),
    Peer("agent-session-rescue", [os.path.join(BIN, "session-rescue"), "scan"], ("codex",)),
)
NONE = {"tessera": "the package of this name is no tool for sessions"}


def install(package: str) -> str:
    """Install a package; return why that failed, or ""."""
    if not os.path.exists(BIN):
        subprocess.run([PYTHON, "-m", "venv", VENV], check=True)
    done = subprocess.run([os.path.join(BIN, "python"), "-m", "pip", "install", "-q", "--disable-pip-version-check", package], capture_output=True, text=True, check=False)
    return (done.stderr.strip().splitlines() or ["pip failed"])[-1] if done.returncode else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3)
    runs = parser.parse_args().runs
    os.makedirs(WORK, exist_ok=True)
    print(f"{'':38}{'CPU':>8}{'bare loop':>11}{'ratio':>8}{'MiB':>7}    {'condense':>8}{'ratio':>8}{'MiB':>7}")
    for package, why in NONE.items():
        print(f"{package:38} skipped: {why}")
    for peer in PEERS:
        problem = install(peer.package)
        if problem:
            print(f"{peer.package:38} skipped: {problem[:100]}")
            continue
        for name in peer.files:
            file = path_of(name)
            bare = [PYTHON, "-c", WHOLE if name == "array" else LOOP, file]
            theirs, loop, ours = in_turn([[*peer.command, file], bare, [*CONDENSE, *CHECK, file]], runs, fine=ANY)
            print(
                f"{peer.package + ', ' + name + ' 50 MB':38}{theirs.cpu:7.2f}s{loop.cpu:10.2f}s{theirs.cpu / loop.cpu:8.1f}{theirs.memory:7.0f}"
                f"    {ours.cpu:7.2f}s{ours.cpu / loop.cpu:8.1f}{ours.memory:7.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
