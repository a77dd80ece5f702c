"""Whether the time of condense is linear in the damage: CPU seconds of check, repair and diff as the damage doubles.

Each shape is a session in which one kind of damage is repeated n times. Judged: from one size to its double the time
grows at most by 2.5 (where it takes at least 0.4 seconds), and the largest takes at most 3 seconds.

    python benchmarks/scaling.py [--only NAME] [--sizes 2000,4000,8000,16000]
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any

CONDENSE = os.path.join(os.path.dirname(sys.executable), "condense")
SIZES = "2000,4000,8000,16000"
MOST_GROWTH = 2.5
MOST_SECONDS = 3.0
TOO_SHORT = 0.4  # seconds: start-up, about a quarter of a second, hides how such a time grows
COMMANDS = {"check": ["check", "--fail-on", "never", "-q"], "repair": ["repair", "-q"], "diff": ["diff", "-q"], "check --all-threads": ["check", "--all-threads", "--fail-on", "never", "-q"], "repair --ignore": ["repair", "-q", "--ignore", "duplicate-id,duplicate-record,missing-parent"]}
Lines = Iterable[bytes]


def line(value: dict[str, Any]) -> bytes:
    """Return a record as a line."""
    return json.dumps(value).encode() + b"\n"


HEADER = line({"type": "session", "version": 3, "id": "0190a000-0000-7000-8000-000000000001", "timestamp": "2026-11-01T10:00:00.000Z", "cwd": "/x"})


def entry(ident: int, parent: int | None, message: dict[str, Any]) -> bytes:
    """Return a message of a pi session with the number of its id and of its parent's."""
    link = None if parent is None else f"{parent:08x}"
    return line({"type": "message", "id": f"{ident:08x}", "parentId": link, "timestamp": "2026-11-01T10:00:01.000Z", "message": message})


def user(n: int) -> dict[str, Any]:
    """Return what a user says."""
    return {"role": "user", "content": f"u{n}", "timestamp": n}


def says(n: int, *blocks: dict[str, Any], stop: str = "toolUse") -> dict[str, Any]:
    """Return what a model says."""
    return {"role": "assistant", "content": list(blocks), "provider": "anthropic", "api": "anthropic-messages", "model": "claude-sonnet-4-5", "stopReason": stop, "timestamp": n}


def text(said: str) -> dict[str, Any]:
    """Return a block of text."""
    return {"type": "text", "text": said}


def call(n: int, ident: str) -> dict[str, Any]:
    """Return a message that calls a tool."""
    return says(n, {"type": "toolCall", "id": ident, "name": "bash", "arguments": {}})


def result(n: int, ident: str) -> dict[str, Any]:
    """Return a tool's result."""
    return {"role": "toolResult", "toolCallId": ident, "toolName": "bash", "content": [text(f"o{n}")], "isError": False, "timestamp": n}


def chain(messages: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    """Yield a session in which each message is the child of the one before it."""
    yield HEADER
    for n, message in enumerate(messages, 1):
        yield entry(n, n - 1 or None, message)


def pairs(n: int, *made: Callable[[int], dict[str, Any]]) -> Iterator[bytes]:
    """Yield a chain of n groups of messages."""
    return chain(make(i) for i in range(n) for make in made)


def answered(i: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a call with its result."""
    return call(i, f"toolu_{i}"), result(i, f"toolu_{i}")


def displaced(n: int) -> Iterator[bytes]:
    """Yield calls whose results come after the next user message."""
    return pairs(n, lambda i: call(i, f"toolu_{i}"), user, lambda i: result(i, f"toolu_{i}"))


def damaged(n: int, harm: Callable[[bytes], bytes]) -> Iterator[bytes]:
    """Yield a chain in which every other line is damaged."""
    for number, raw in enumerate(pairs(n, user, lambda i: says(i, text("ok"), stop="stop"))):
        yield harm(raw) if number and number % 2 == 0 else raw


def threads(n: int, child: Callable[[int], int]) -> Iterator[bytes]:
    """Yield a tree: a chain of n messages, and a leaf beside each."""
    yield HEADER
    for i in range(1, n + 1):
        yield entry(i, child(i) or None, user(i))
        yield entry(n + i, child(i) or None, user(i))


def claude(n: int, *made: Callable[[int], dict[str, Any]]) -> Iterator[bytes]:
    """Yield a Claude Code session of n groups of records, each the child of the one before it."""
    before = None
    for number, make in enumerate((make for _ in range(n) for make in made), 1):
        ident = f"00000000-0000-4000-8000-{number:012x}"
        message = make(number // len(made))
        yield line({"parentUuid": before, "isSidechain": False, "userType": "external", "cwd": "/x", "sessionId": "5fee3261-628e-4975-a916-afa47d5db597", "version": "2.1.0", "type": message["role"], "message": message, "uuid": ident, "timestamp": "2026-11-01T10:00:00.000Z"})
        before = ident


def twins(n: int, *, same: bool) -> Iterator[bytes]:
    """Yield a Claude Code session in which every record comes twice under its id: the same, or with another text."""
    for raw in claude(n, claude_user, claude_call("toolu_{}"), claude_result("toolu_{}")):
        yield raw
        yield raw if same else raw.replace(b'"content": "', b'"content": "again, ').replace(b'"input": {', b'"input": {"again": true')


def called_beside(n: int) -> Iterator[bytes]:
    """Yield a tree: a user's message, a chain of n calls with their results, and a leaf beside each."""
    yield HEADER
    yield entry(1, None, user(1))
    for i in range(2, n, 2):
        yield entry(i, i - 1, call(i, f"toolu_{i}"))
        yield entry(n + i, i, user(i))
        yield entry(i + 1, i, result(i, f"toolu_{i}"))
        yield entry(n + i + 1, i + 1, user(i))


def claude_user(n: int) -> dict[str, Any]:
    """Return what a user says in Claude Code."""
    return {"role": "user", "content": f"u{n}"}


def claude_result(ident: str) -> Callable[[int], dict[str, Any]]:
    """Return what makes a result in Claude Code."""
    return lambda n: {"role": "user", "content": [{"type": "tool_result", "tool_use_id": ident.format(n), "content": "o"}]}


def claude_call(ident: str) -> Callable[[int], dict[str, Any]]:
    """Return what makes a call in Claude Code."""
    return lambda n: {"id": f"msg_{n}", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5", "content": [{"type": "tool_use", "id": ident.format(n), "name": "Bash", "input": {}}], "stop_reason": "tool_use"}


SHAPES: dict[str, Callable[[int], Lines]] = {
    "duplicate ids": lambda n: [HEADER, *(entry(1, 1, user(i)) for i in range(n))],
    "parents after": lambda n: [HEADER, *(entry(i, i + 1, user(i)) for i in range(2, n))],
    "missing parents": lambda n: [HEADER, *(entry(i, 0xF0000000 + i, user(i)) for i in range(1, n))],
    "orphan results": lambda n: pairs(n, user, lambda i: result(i, f"toolu_{i}")),
    "unanswered calls": lambda n: pairs(n, user, lambda i: call(i, f"toolu_{i}")),
    "illegal ids": lambda n: pairs(n, lambda i: call(i, f"functions.x:{i}"), lambda i: result(i, f"functions.x:{i}")),
    "one call id": lambda n: pairs(n, lambda i: call(i, "toolu_c"), lambda i: result(i, "toolu_d")),
    "star": lambda n: [HEADER, entry(1, None, user(0)), *(entry(i, 1, user(i)) for i in range(2, n))],
    "displaced results": displaced,
    "blank blocks": lambda n: pairs(n, user, lambda i: says(i, text(""), text("ok"), stop="stop")),
    "torn lines": lambda n: damaged(n, lambda raw: raw[: len(raw) // 2] + b"\n"),
    "fused lines": lambda n: damaged(n, lambda raw: raw.rstrip(b"\n")),
    "NULs": lambda n: damaged(n, lambda raw: b"\0" * 40 + raw),
    "branches": lambda n: threads(n, lambda _: 0),
    "deep branches": lambda n: threads(n, lambda i: i - 1),
    "branches of calls": called_beside,
    "Claude twins": lambda n: twins(n // 3, same=False),
    "Claude one id": lambda n: (raw.replace(b'"uuid": "00000000-0000-4000-8000-', b'"uuid": "0", "was": "') for raw in claude(n, claude_user)),
    "Claude copies": lambda n: twins(n // 3, same=True),
    "Claude orphans": lambda n: claude(n, claude_user, claude_result("toolu_{}")),
    "Claude unanswered": lambda n: claude(n, claude_user, claude_call("toolu_{}")),
    "Claude one call id": lambda n: claude(n, claude_user, claude_call("toolu_c"), claude_result("toolu_c")),
}


def seconds(arguments: list[str]) -> float:
    """Return the CPU seconds, user and system, of a finished condense. Raises SystemExit if it crashed or took a minute."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run([CONDENSE, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False, timeout=120)
    except subprocess.TimeoutExpired:
        return float("inf")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        raise SystemExit(f"condense {' '.join(arguments)} ended with {done.returncode}: {done.stderr.decode(errors='replace')}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def is_slow(times: list[float]) -> bool:
    """Say whether times at doubling sizes grow by more than they may, or the last one is too long."""
    grows = any(later > MOST_GROWTH * max(earlier, TOO_SHORT) for earlier, later in pairwise(times))
    return grows or times[-1] > MOST_SECONDS


def main() -> int:
    """Measure, print a table, return 1 if anything is slow."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="shapes whose name contains this")
    parser.add_argument("--sizes", default=SIZES)
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split(",")]
    print(f"{'shape':20} {'command':20}" + "".join(f"{size:>9,}" for size in sizes) + "   CPU seconds")
    slow = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, make in SHAPES.items():
            if options.only not in name:
                continue
            paths = []
            for size in sizes:
                paths.append(os.path.join(folder, f"{size}.jsonl"))
                with open(paths[-1], "wb") as out:
                    out.writelines(make(size))
            for command, words in COMMANDS.items():
                if command == "check --all-threads" and "branches" not in name and name != "star":
                    continue
                if command == "repair --ignore" and not name.startswith(("Claude twins", "Claude copies", "Claude one id", "duplicate", "missing")):
                    continue
                times = [seconds([*words, path]) for path in paths]
                slow += is_slow(times)
                print(f"{name:20} {command:20}" + "".join(f"{time:9.2f}" for time in times) + ("   SLOW" if is_slow(times) else ""), flush=True)
    print("nothing is slow" if not slow else f"{slow} too slow: more than x{MOST_GROWTH} as the size doubles, or more than {MOST_SECONDS:.0f} s")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
