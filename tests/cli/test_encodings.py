"""Every command for people, in every kind of terminal: nothing breaks, and nothing is lost."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios

import pytest
from condense_cli.output.encoding import writable
from tests.strategies import as_lines, calls, pi_records

COMMANDS = {
    "check": ("check", "s.jsonl"),
    "diff": ("diff", "s.jsonl"),
    "diff side by side": ("diff", "--side-by-side", "s.jsonl"),
    "diff stat": ("diff", "--stat", "s.jsonl"),
    "repair": ("repair", "s.jsonl"),
    "query": ("query", "--session", "s.jsonl"),
    "query one": ("query", "a", "--session", "s.jsonl"),
    "render outline": ("render", "--outline", "s.jsonl"),
    "render around": ("render", "--around", "3", "s.jsonl"),
    "render dry run": ("render", "--dry-run", "s.jsonl"),
    "explain": ("explain", "orphan-result"),
    "explain contracts": ("explain", "--contracts"),
    "doctor": ("doctor",),
    "formats": ("formats",),
}

BYTES = ("query one", "render outline", "render around")
"""What these write into a pipe is text of the session in UTF-8, whatever the terminal's encoding is."""


@pytest.fixture
def folder(tmp_path):
    """A folder with a damaged session whose texts are not ASCII."""
    records = pi_records([("user",), calls(["a"]), ("result", "a"), ("user",), ("result", "b"), ("text",)])
    for record in records[1:]:
        for block in record["message"]["content"] if isinstance(record["message"]["content"], list) else []:
            if "text" in block:
                block["text"] += " naïve 漢字 😀 …"
    data = b"".join(as_lines(records))
    (tmp_path / "s.jsonl").write_bytes(data)
    os.utime(tmp_path / "s.jsonl", (1767225600, 1767225600))
    store = tmp_path / "home" / ".pi" / "agent" / "sessions" / "--work--"
    store.mkdir(parents=True)
    (store / "2026-01-01T00-00-00-000Z_5e551011.jsonl").write_bytes(data)
    assert any(ord(char) > 255 for char in json.dumps(records, ensure_ascii=False))
    return tmp_path


def environment(folder, **more):
    kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "PYTHONIOENCODING", "TERM")}
    return {**kept, "HOME": str(folder / "home"), "XDG_STATE_HOME": str(folder / "state"), "PAGER": "cat", **more}


def run(folder, words, encoding, **more):
    """Run a command in a pipe; return its exit code and both streams as text."""
    command = [sys.executable, "-m", "condense_cli", *words]
    env = environment(folder, PYTHONIOENCODING=encoding, **more)
    done = subprocess.run(command, cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return done.returncode, done.stdout.decode(encoding), done.stderr.decode(encoding)


class Stream:
    """A stream of an encoding."""

    def __init__(self, encoding: str) -> None:
        self.encoding = encoding


@pytest.mark.slow
@pytest.mark.parametrize("words", [words for name, words in COMMANDS.items() if name not in BYTES])
def test_any_encoding_says_the_same(folder, words):
    """In ASCII and latin-1 each line is the one of UTF-8, with escapes for what the encoding does not have."""
    code, out, err = run(folder, words, "utf-8")
    assert code in (0, 1), err
    for encoding in ("ascii", "latin-1"):
        other = run(folder, words, encoding)
        assert other[0] == code, other[2]
        for ours, theirs in ((out, other[1]), (err, other[2])):
            expected = "\n".join(writable(line, Stream(encoding)) for line in ours.split("\n"))
            assert theirs.split() == expected.split()


@pytest.mark.slow
@pytest.mark.parametrize("more", [{"NO_COLOR": "1", "TERM": "xterm"}, {"TERM": "dumb"}], ids=["NO_COLOR", "dumb"])
@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_a_narrow_terminal_without_colour(folder, words, more):
    """At 40 columns no escape is written, and every word of the output in a pipe is there."""
    code, out, _ = run(folder, words, "utf-8")
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
    env = environment(folder, PYTHONIOENCODING="utf-8", **more)
    command = [sys.executable, "-m", "condense_cli", *words]
    with subprocess.Popen(command, cwd=folder, env=env, stdin=slave, stdout=slave, stderr=subprocess.DEVNULL) as process:
        os.close(slave)
        said = b""
        while True:
            try:
                part = os.read(master, 1 << 16)
            except OSError:
                break
            if not part:
                break
            said += part
    os.close(master)
    text = said.decode()

    assert process.returncode == code
    assert "\x1b" not in text
    if words[0] in ("check", "repair", "query"):  # elsewhere columns are next to each other
        assert re.sub(r"\s", "", text) == re.sub(r"\s", "", out)
