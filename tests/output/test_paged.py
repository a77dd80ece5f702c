"""Lines in a pager."""

import io
import re

from condense_cli.output import paged


def test_a_pager_gets_the_text(terminal, monkeypatch, tmp_path):
    """$PAGER reads the lines on a terminal; a dumb one and a pipe get them directly."""
    seen = tmp_path / "seen"
    pager = tmp_path / "pager"
    pager.write_text(f'#!/bin/sh\ncat > "{seen}"\n', encoding="utf-8")
    pager.chmod(0o755)
    monkeypatch.setenv("PAGER", str(pager))
    monkeypatch.setenv("TERM", "xterm")
    paged.write([(("a…", "bold"),)], terminal, color=False)
    assert (seen.read_text(encoding="utf-8"), terminal.getvalue()) == ("a…\n", "")

    monkeypatch.setenv("TERM", "dumb")
    paged.write([(("b", "bold"),)], terminal, color=True)
    assert re.sub(r"\x1b\[[0-9;]*m", "", terminal.getvalue()) == "b\n"
    pipe = io.StringIO()
    paged.write([(("c", ""),)], pipe, color=False)
    assert pipe.getvalue() == "c\n"
