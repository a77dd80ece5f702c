"""Reports and streams for the writers."""

from __future__ import annotations

import io

import pytest
from condense_cli.model.findings import Finding, Report, Severity
from condense_cli.model.messages import Record

HOSTILE = "\x1b]0;owned\x07[bold]x[/bold]:smile:\u202egnp.\n::error::no\r{0} <b>&'\"\ud800\x00 %41"


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal() -> Terminal:
    """A stream that says it is a terminal."""
    return Terminal()


@pytest.fixture
def hostile() -> str:
    """What a session may use as an id to steer whoever prints it."""
    return HOSTILE


@pytest.fixture
def finding():
    """Make one finding; what is not said is what an orphan result on line 4 has."""

    def make(rule="orphan-result", line=4, severity=Severity.ERROR, **more) -> Finding:
        return Finding(rule, line, Record(line, 0, 0), severity, **more)

    return make


@pytest.fixture
def report():
    """Make the report of one file."""

    def make(*findings: Finding, path="s.jsonl", **more) -> Report:
        return Report(path, "pi", "1.6.0", 1, 10, 3, 2, findings, **more)

    return make


@pytest.fixture
def unreadable() -> Report:
    """The report of a file that is no session."""
    return Report(
        "notes.jsonl", "", None, 0, 0, 0, 0, (), error="notes.jsonl: no session", advice="name its format with --format"
    )


@pytest.fixture
def written():
    """Call a writer and return its text."""

    def write(writer, *reports: Report, **options) -> str:
        stream = io.StringIO()
        writer.write(iter(reports), stream, **options)
        return stream.getvalue()

    return write
