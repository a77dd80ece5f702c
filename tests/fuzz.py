"""Mutated sessions of every format: `make fuzz` runs 20,000 of them. Usage: python -m tests.fuzz [COUNT] [SEED].

Each mutation is checked, shown and repaired in this process. No exit 70, no traceback, nothing above five seconds,
the input is untouched, and what a repair wrote is read again, sound where it said so, and repaired to itself.
"""

from __future__ import annotations

import contextlib
import gc
import io
import os
import pathlib
import random
import sys
import tempfile
import time

SECONDS = 5.0
FIXTURES = pathlib.Path(__file__).parent.parent / "fixtures"
SHARED = pathlib.Path(__file__).parent.parent.parent / "shared"
LARGEST = 40_000
TOKENS = (b"\0", b"\xff", b"\n", b"\r\n", b"{", b"}", b"[", b"]", b'"', b"null", b"1e999", b"-1", b"\\ud800", b"{}", b'""', b",")
VALUES = (b"null", b"true", b"0", b"-1", b"1e999", b"1" * 400, b'""', b'"\\ud800"', b"[]", b"{}", b"[[]]", b'{"a":{}}', b'"x"', b"[null]")


def seeds():
    """Return small sessions, healthy and damaged: those of the fixtures, and more where they are beside the project."""
    folders = [FIXTURES, *(SHARED / name for name in ("cases", "field"))]
    found = [path for folder in folders if folder.is_dir() for path in sorted(folder.rglob("*.json*"))]
    found = [path for path in found if path.is_file() and 0 < path.stat().st_size <= LARGEST]
    return [(path.suffix, path.read_bytes()) for path in found]


def mutate(data, rng, other):
    """Change a session in one to four ways."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        data = rng.choice(WAYS)(data, rng, other)
    return data


def _place(data, rng):
    return rng.randrange(len(data) + 1)


def _cut(data, rng, _):
    return data[: _place(data, rng)]


def _insert(data, rng, _):
    at = _place(data, rng)
    return data[:at] + rng.choice(TOKENS) + data[at:]


def _flip(data, rng, _):
    at = _place(data, rng)
    return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]


def _remove(data, rng, _):
    at = _place(data, rng)
    return data[:at] + data[at + rng.randrange(1, 200) :]


def _lines(change):
    def way(data, rng, other):
        lines = data.split(b"\n")
        change(lines, rng, other.split(b"\n"))
        return b"\n".join(lines)

    return way


def _drop_line(lines, rng, _):
    lines.pop(rng.randrange(len(lines)))


def _repeat_line(lines, rng, _):
    lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines))


def _foreign_line(lines, rng, other):
    lines.insert(rng.randrange(len(lines) + 1), rng.choice(other))


def _swap_lines(lines, rng, _):
    one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[two] = lines[two], lines[one]


def _fuse_lines(lines, rng, _):
    at = rng.randrange(len(lines))
    lines[at : at + 2] = [b"".join(lines[at : at + 2])]


def _value(data, rng, _):
    """Put another value after one of the colons."""
    at = -1
    for _ in range(rng.randrange(1, 40)):
        at = data.find(b":", data.find(b":", at + 1) if rng.random() < 0.3 else at + 1)
        if at < 0:
            return data
    end = min((found for mark in (b",", b"}", b"]") if (found := data.find(mark, at)) >= 0), default=len(data))
    return data[: at + 1] + rng.choice(VALUES) + data[end:]


WAYS = (
    _cut, _insert, _flip, _remove, _value, _value, _value, _value,
    *map(_lines, (_drop_line, _repeat_line, _foreign_line, _swap_lines, _fuse_lines)),
)  # fmt: skip


SHOWN = (
    *[("render", "--output-format", "jsonl")] * 4,
    ("render", "--output-format", "text"), ("render", "--view", "wire"), ("render", "--as", "openai-chat"), ("render", "--as", "anthropic"),
    ("query", "--json", "--session"), ("query", "t1", "--session"), ("diff",), ("compact", "-n"), ("view", "-o", "/dev/null"),
    ("check", "--contract", "all"), ("check", "--all-threads", "--output-format", "sarif"), ("explain", "400 tool_use ids", "--session"),
)  # fmt: skip
POLICIES = (
    ("--displaced", "drop"), ("--unanswered", "drop"), ("--unanswered", "keep"), ("--trailing", "answer"), ("--trailing", "drop"),
    ("--orphan", "note"), ("--ids", "keep"), ("--ids", "rename"),
)  # fmt: skip


def options(rng):
    """Return options of a repair, half of the time none, and those that a check of the outcome has in common with it."""
    if rng.random() < 0.5:
        return (), ()
    from condense_cli.rules.catalogue import RULES
    from condense_cli.rules.contracts import CONTRACTS

    how = [word for policy in rng.sample(POLICIES, rng.choice((0, 1, 1, 2))) for word in policy]
    judged = []
    if rng.random() < 0.4:
        judged += ["--contract", rng.choice(sorted(CONTRACTS))]
    if rng.random() < 0.4:
        judged += [rng.choice(("--select", "--ignore")), ",".join(rng.sample(sorted(RULES), rng.choice((1, 2, 5))))]
    return (*how, *judged), tuple(judged)


class Runner:
    """Runs commands in this process and notices what may never happen."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.slowest = 0.0
        from condense_cli.cli import run

        self._run = run

    def run(self, *arguments):
        """Return the exit code of one command, and its words; raise AssertionError for a bug or a slow one."""
        out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        start = time.process_time()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = self._run(list(arguments))
        took = time.process_time() - start
        self.slowest = max(self.slowest, took)
        out.flush()
        err.flush()
        words = err.buffer.getvalue().decode("utf-8", "replace")
        assert code in (0, 1, 2, 3, 4), f"{arguments[0]}: exit {code}: {words[-300:]}"
        assert "Traceback" not in words, words[-300:]
        assert took < SECONDS, f"{arguments[0]} took {took:.1f} s"
        return code, words

    def judge(self, suffix, data, rng):
        """Run what is run on a session; raise AssertionError for what is wrong."""
        path = self.folder / f"s{suffix}"
        new, again = self.folder / f"new{suffix}", self.folder / f"again{suffix}"
        for left in (new, again):
            left.unlink(missing_ok=True)
        path.write_bytes(data)
        self.run("check", "--output-format", "json", str(path))
        self.run(*rng.choice(SHOWN), str(path))
        how, judged = options(rng)
        code, words = self.run("repair", "-q", "--no-backup", *how, "-o", str(new), str(path))
        assert path.read_bytes() == data, "the input was touched"
        if code in (0, 1) and new.exists():
            checked, said = self.run("check", "-q", "--fail-on", "warning", *judged, str(new))
            assert checked in (0, 1), f"what was repaired is not read: {checked} {said[-300:]}"
            assert not (code == 0 and checked == 1), f"repair says 0, and check 1 after it {how}"
            code2, said = self.run("repair", "-q", "--no-backup", *how, "-o", str(again), str(new))
            assert code2 in (0, 1), f"what was repaired is not repaired again: {code2} {said[-300:]} {how}"
            if "--ignore" not in how:  # what a rule that is ignored leaves can be the end of the file only afterwards
                assert again.read_bytes() == new.read_bytes(), f"the second repair changes something {how}"
        assert "please report" not in words, f"{words[-400:]} {how}"


def fuzz(count, seed=1, keep=None):
    """Judge so many mutations; return what went wrong as (number, reason), and the slowest run in seconds."""
    rng = random.Random(seed)
    sessions = seeds()
    wrong = []
    before = os.getcwd()
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as folder:
        runner = Runner(folder)
        os.chdir(folder)
        try:
            for number in range(count):
                suffix, data = rng.choice(sessions)
                mutated = mutate(data, rng, rng.choice(sessions)[1])
                try:
                    runner.judge(suffix, mutated, rng)
                except AssertionError as reason:
                    wrong.append((number, str(reason).strip()))
                    if keep is not None:
                        (pathlib.Path(keep) / f"fuzz-{seed}-{number}{suffix}").write_bytes(mutated)
                if number % 200 == 0:
                    gc.collect()
        finally:
            os.chdir(before)
    return wrong, runner.slowest


def main():
    """Run from the command line; what went wrong is kept in .fuzz/."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    keep = pathlib.Path(".fuzz").resolve()
    keep.mkdir(exist_ok=True)
    start = time.monotonic()
    wrong, slowest = fuzz(count, seed, keep)
    for number, reason in wrong:
        print(f"{number}: {reason}")
    print(f"{count} mutations (seed {seed}), {len(wrong)} wrong, slowest run {slowest:.2f} s of CPU, {time.monotonic() - start:.0f} s")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
