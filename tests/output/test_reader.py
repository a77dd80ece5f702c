"""A transcript for a reader at a terminal."""

import io
import re

import pytest
from condense_cli.output import reader

LONG = "\n".join(f"row {n}" for n in range(50))


def text(lines):
    """Lines as text."""
    return ["".join(part for part, _ in line) for line in lines]


def test_long_messages_are_folded_and_counted():
    """A long text shows its beginning and how much more there is; the end has the command that shows all."""
    shown = text(reader.folded([{"role": "user", "content": "short"}, {"role": "tool", "content": LONG}], "a b.jsonl", 80))

    assert shown[:2] == ["[1] user", "  short"]
    assert shown[2:4] == ["[2] tool", "  row 0  … 49 more lines"]
    assert shown[-1] == "1 message folded; to see all of them: condense render --full 'a b.jsonl'"


def test_a_long_line_is_folded_too():
    """A line of many rows ends with the number of characters that are left out; nothing is said where all is shown."""
    shown = text(reader.folded([{"role": "user", "content": "x" * 1000}], "s.jsonl", 80))

    assert shown[1] == f"  {'x' * 238}… 762 more characters"
    assert len(text(reader.folded([{"role": "user", "content": "x" * 100}], "s.jsonl", 80))) == 2


@pytest.mark.parametrize("width", [40, 80])
def test_an_outline_has_a_line_per_message(width):
    """Each line fits the width."""
    messages = [{"role": "user", "content": LONG}, {"role": "assistant", "content": [{"type": "text", "text": "yes " * 40}]}]
    shown = text(reader.outline(messages, width))

    assert [line.split("  ")[0] for line in shown] == ["[1] user", "[2] assistant"]
    assert all(len(line) <= width for line in shown)
    assert shown[0].startswith("[1] user  row 0 row 1")


def test_the_stored_error_is_shown():
    """What the client stored of a failed request is part of its turn."""
    shown = text(reader.folded([{"role": "assistant", "content": [], "stopReason": "error", "errorMessage": "400 \x1b[31mno"}], "s", 80))

    assert shown == ["[1] assistant error", r"  error: 400 \x1b[31mno"]


def test_a_pager_gets_the_text(terminal, monkeypatch, tmp_path):
    """$PAGER reads the lines on a terminal; a dumb one and a pipe get them directly."""
    seen = tmp_path / "seen"
    pager = tmp_path / "pager"
    pager.write_text(f'#!/bin/sh\ncat > "{seen}"\n', encoding="utf-8")
    pager.chmod(0o755)
    monkeypatch.setenv("PAGER", str(pager))
    monkeypatch.setenv("TERM", "xterm")
    reader.write([(("a…", "bold"),)], terminal, color=False)
    assert (seen.read_text(encoding="utf-8"), terminal.getvalue()) == ("a…\n", "")

    monkeypatch.setenv("TERM", "dumb")
    reader.write([(("b", "bold"),)], terminal, color=True)
    assert re.sub(r"\x1b\[[0-9;]*m", "", terminal.getvalue()) == "b\n"
    pipe = io.StringIO()
    reader.write([(("c", ""),)], pipe, color=False)
    assert pipe.getvalue() == "c\n"
