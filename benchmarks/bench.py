"""Speed and memory of condense as ratios to a bare loop of orjson.loads over the same lines.

Both are whole processes, run alternately; user + system CPU time of the finished child, medians of RUNS pairs.
At 50 MB the start-up of each side (the same command on a session of two lines; a loop over nothing) is subtracted;
at 1 GB the whole process counts. Sessions are made in .bench/ (deterministic) and kept for the next run.

    python benchmarks/bench.py [--big] [--only NAME] [--runs N]
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import uuid

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORK = os.path.join(HERE, ".bench")
PYTHON = sys.executable
CONDENSE = [os.path.join(os.path.dirname(PYTHON), "condense")]
BARE = "import sys, orjson\nfor line in open(sys.argv[1], 'rb'):\n    orjson.loads(line)\n"
WORDS = ["the", "cart", "returns", "zero", "when", "stock", "is", "empty", "and", "checkout", "fails", "because", "a", "price", "was", "never", "read", "from", "the", "file", "again"]


def text(rng: random.Random, size: int) -> str:
    """Make about `size` characters that look like tool output: words, paths, numbers, line breaks, some escapes."""
    lines, done = [], 0
    while done < size:
        line = f"{rng.choice(['src', 'tests', 'lib'])}/{rng.choice(WORDS)}_{rng.randrange(999)}.py:{rng.randrange(900)}:\t" + " ".join(rng.choices(WORDS, k=rng.randrange(4, 14)))
        if rng.random() < 0.2:  # noqa: PLR2004
            line += ' "quoted" → ok'
        lines.append(line)
        done += len(line) + 1
    return "\n".join(lines)


def sizes(rng: random.Random) -> int:
    """Sizes of tool outputs as they are in recorded sessions: many small ones, some of tens of kilobytes."""
    return int(min(60_000, rng.lognormvariate(7.6, 1.4)))


def pi(path: str, target: int) -> None:
    """Write a sound pi session of about `target` bytes: user turns of several calls each."""
    rng = random.Random(7)
    with open(path, "w", encoding="utf-8") as out:
        written = out.write(json.dumps({"type": "session", "version": 3, "id": str(uuid.UUID(int=7)), "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/home/dev/shop"}, separators=(",", ":")) + "\n")
        state = {"n": 0, "time": 1767225600000, "call": 0}

        def entry(message: dict) -> int:
            state["n"] += 1
            state["time"] += 1000
            row = {"type": "message", "id": f"{state['n']:08x}", "parentId": f"{state['n'] - 1:08x}" if state["n"] > 1 else None, "timestamp": "2026-01-01T00:00:00.000Z", "message": {**message, "timestamp": state["time"]}}
            return out.write(json.dumps(row, separators=(",", ":"), ensure_ascii=False) + "\n")

        usage = {"input": 905, "output": 45, "cacheRead": 12000, "cacheWrite": 300, "totalTokens": 13250, "cost": {"input": 0.0027, "output": 0.0007, "cacheRead": 0.0036, "cacheWrite": 0.0011, "total": 0.0081}}
        while written < target:
            written += entry({"role": "user", "content": [{"type": "text", "text": text(rng, 300)}]})
            for _ in range(rng.randrange(2, 9)):
                calls = []
                for _ in range(1 if rng.random() < 0.8 else 2):  # noqa: PLR2004
                    state["call"] += 1
                    calls.append({"type": "toolCall", "id": f"toolu_{state['call']:024d}", "name": rng.choice(["bash", "read", "edit"]), "arguments": {"command": text(rng, 80), "path": "src/cart.py"}})
                thinking = {"type": "thinking", "thinking": text(rng, 400), "thinkingSignature": "Er0C" + "A" * 300}
                written += entry({"role": "assistant", "content": [thinking, {"type": "text", "text": text(rng, 120)}, *calls], "api": "anthropic-messages", "provider": "anthropic", "model": "claude-sonnet-4-5", "usage": usage, "stopReason": "toolUse"})
                for call in calls:
                    written += entry({"role": "toolResult", "toolCallId": call["id"], "toolName": call["name"], "content": [{"type": "text", "text": text(rng, sizes(rng))}], "isError": False})
            written += entry({"role": "assistant", "content": [{"type": "text", "text": text(rng, 500)}], "api": "anthropic-messages", "provider": "anthropic", "model": "claude-sonnet-4-5", "usage": usage, "stopReason": "stop"})


def claude(path: str, target: int) -> None:
    """Write a sound Claude Code session: one record a block, results chained."""
    rng = random.Random(8)
    session, n, last, written = str(uuid.UUID(int=8)), 0, None, 0
    with open(path, "w", encoding="utf-8") as out:

        def record(kind: str, message: dict, **more: object) -> str:
            nonlocal n, last, written
            n += 1
            ident = str(uuid.UUID(int=n << 64))
            row = {"parentUuid": last, "isSidechain": False, "userType": "external", "cwd": "/home/dev/shop", "sessionId": session, "version": "2.1.332", "gitBranch": "main", "type": kind, "message": message, "uuid": ident, "timestamp": f"2026-01-01T{n // 3600 % 24:02d}:{n // 60 % 60:02d}:{n % 60:02d}.{n % 1000:03d}Z", **more}
            written += out.write(json.dumps(row, separators=(",", ":"), ensure_ascii=False) + "\n")
            last = ident
            return ident

        while written < target:
            record("user", {"role": "user", "content": text(rng, 300)})
            for _ in range(rng.randrange(2, 9)):
                base = {"id": f"msg_{n:024d}", "type": "message", "role": "assistant", "model": "claude-opus-5-5", "stop_reason": "tool_use", "stop_sequence": None, "usage": {"input_tokens": 3, "output_tokens": 9, "cache_read_input_tokens": 12000}}
                record("assistant", {**base, "content": [{"type": "text", "text": text(rng, 200)}]})
                call = f"toolu_{n:024d}"
                record("assistant", {**base, "content": [{"type": "tool_use", "id": call, "name": "Bash", "input": {"command": text(rng, 80)}}]})
                said = text(rng, sizes(rng))
                record("user", {"role": "user", "content": [{"tool_use_id": call, "type": "tool_result", "content": said, "is_error": False}]}, toolUseResult={"stdout": said, "stderr": "", "interrupted": False})
            record("assistant", {"id": f"msg_{n:024d}", "type": "message", "role": "assistant", "model": "claude-opus-5-5", "stop_reason": "end_turn", "stop_sequence": None, "usage": {"input_tokens": 3, "output_tokens": 9}, "content": [{"type": "text", "text": text(rng, 500)}]})


def codex(path: str, target: int) -> None:
    """Write a sound Codex rollout in legacy mode."""
    rng = random.Random(9)
    n, written = 0, 0
    with open(path, "w", encoding="utf-8") as out:

        def line(kind: str, payload: dict) -> None:
            nonlocal n, written
            n += 1
            written += out.write(json.dumps({"timestamp": "2026-01-01T00:00:00.000Z", "type": kind, "payload": payload}, separators=(",", ":"), ensure_ascii=False) + "\n")

        line("session_meta", {"id": str(uuid.UUID(int=9)), "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/home/dev/shop", "originator": "codex_exec", "cli_version": "0.171.0", "source": "exec", "model_provider": "openai"})
        while written < target:
            said = text(rng, 300)
            line("response_item", {"type": "message", "role": "user", "content": [{"type": "input_text", "text": said}]})
            line("event_msg", {"type": "user_message", "message": said, "images": []})
            for _ in range(rng.randrange(2, 9)):
                line("response_item", {"type": "reasoning", "summary": [], "content": None, "encrypted_content": "gAAAA" + "B" * 600})
                call = f"call_{n:024d}"
                line("response_item", {"type": "function_call", "name": "exec_command", "arguments": json.dumps({"cmd": text(rng, 80)}), "call_id": call})
                line("response_item", {"type": "function_call_output", "call_id": call, "output": text(rng, sizes(rng))})
                line("event_msg", {"type": "token_count", "info": {"total_token_usage": {"input_tokens": 1, "output_tokens": 2}}})
            line("response_item", {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text(rng, 500)}]})


def measure(command: list[str]) -> tuple[float, int, int]:
    """Run a command; return its CPU seconds (user + system), peak memory in KiB, and exit code."""
    with open(os.devnull, "wb") as nothing:
        child = subprocess.Popen(command, stdout=nothing, stderr=nothing, cwd=WORK)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss, child.returncode


def median_pair(a: list[str], b: list[str], runs: int) -> tuple[float, float, int]:
    """Run two commands in turn; return both CPU medians and the first one's peak memory in KiB."""
    measure(a), measure(b)
    pairs = [(measure(a), measure(b)) for _ in range(runs)]
    for (_, _, code), _ in pairs:
        if code not in (0, 1):
            raise SystemExit(f"{' '.join(a)}: exit {code}")
    return statistics.median(x[0] for x, _ in pairs), statistics.median(y[0] for _, y in pairs), max(x[1] for x, _ in pairs)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--big", action="store_true", help="also the 1 GB session")
    parser.add_argument("--only", default="", help="rows whose name contains this")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    os.makedirs(WORK, exist_ok=True)
    os.environ["XDG_STATE_HOME"] = os.path.join(WORK, "state")
    os.environ.pop("PYTHONUNBUFFERED", None)
    compileall.compile_dir(os.path.join(HERE, "condense_cli"), quiet=2)  # as an installation does
    files = {}
    for name, make, size in (("pi", pi, 50_000_000), ("claude", claude, 50_000_000), ("codex", codex, 50_000_000), ("tiny", pi, 1), ("usual", pi, 400_000), ("tiny-claude", claude, 1), ("tiny-codex", codex, 1), *((("big", pi, 1_000_000_000),) if options.big else ())):
        files[name] = os.path.join(WORK, f"{name}.jsonl")
        if not os.path.exists(files[name]):
            make(files[name] + ".part", size)
            os.replace(files[name] + ".part", files[name])
    out = os.path.join(WORK, "out.jsonl")
    broken = os.path.join(WORK, "broken.jsonl")
    if not os.path.exists(broken):
        with open(files["pi"], "rb") as source, open(broken, "wb") as target:
            for n, line in enumerate(source, 1):
                if b'"toolResult"' in line and n % 997 == 0:
                    continue
                target.write(line)
    rows = [
        # name, arguments, file, file for start-up, limit of the ratio, limit of memory in MiB
        ("check-orphans pi 50 MB", ["check-orphans"], "pi", "tiny", 2.0, 60),
        ("check pi 50 MB", ["check"], "pi", "tiny", None, None),
        ("check --contract all pi 50 MB", ["check", "--contract", "all", "--fail-on", "never"], "pi", "tiny", None, None),
        ("render -o pi 50 MB", ["render", "-o", out], "pi", "tiny", 6.0, None),
        ("repair -o pi 50 MB, sound", ["repair", "-o", out], "pi", "tiny", 7.0, 150),
        ("repair -o pi 50 MB, broken", ["repair", "-o", out], "broken", "tiny", 7.0, 150),
        ("compact -o pi 50 MB", ["compact", "-o", out, "--now", "1767225600000"], "pi", "tiny", 10.0, 150),
        ("check claude-code 50 MB", ["check"], "claude", "tiny-claude", 2.5, 80),
        ("check codex 50 MB", ["check"], "codex", "tiny-codex", 2.5, 80),
        ("check-orphans pi 1 GB", ["check-orphans"], "big", None, 2.0, 200),
    ]
    files["broken"] = broken
    print(f"{'':34}{'condense':>10}{'bare loop':>11}{'ratio':>8}{'limit':>7}{'MiB':>7}{'limit':>7}")
    for name, arguments, file, small, limit, memory in rows:
        if file not in files or options.only not in name:
            continue
        bare = [PYTHON, "-c", BARE, files[file]]
        ours, loop, peak = median_pair([*CONDENSE, *arguments, files[file]], bare, options.runs)
        if small:
            start, start_loop, _ = median_pair([*CONDENSE, *arguments, files[small]], [PYTHON, "-c", BARE, os.devnull], options.runs)
            ours, loop = ours - start, loop - start_loop
        print(f"{name:34}{ours:9.2f}s{loop:10.2f}s{ours / loop:8.2f}{limit or '':>7}{peak / 1024:7.0f}{memory or '':>7}", flush=True)
    if options.only in "version":
        ours, loop, _ = median_pair([*CONDENSE, "--version"], [PYTHON, "-c", "import typer"], options.runs)
        print(f"{'--version / import typer':34}{ours:9.2f}s{loop:10.2f}s{ours / loop:8.2f}{2.0:>7}")
    store(options)
    return 0


def store(options: argparse.Namespace) -> None:
    """Check 1,000 files of 400 KB with one and with all processors; wall time."""
    if options.only not in "store of 1,000 files":
        return
    import time

    with tempfile.TemporaryDirectory(dir=WORK) as folder:
        for n in range(1000):
            os.link(os.path.join(WORK, "usual.jsonl"), os.path.join(folder, f"{n}.jsonl"))
        took = {}
        for jobs in (1, os.cpu_count() or 1):
            start, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
            measure([*CONDENSE, "check", "-j", str(jobs), "--output-format", "json", folder])
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            wall = time.monotonic() - start
            took[jobs] = wall
            cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            print(f"{f'store of 1,000 files, -j {jobs}':34}{wall:9.2f}s wall, {cpu / wall:.2f} processors busy")


if __name__ == "__main__":
    sys.exit(main())
