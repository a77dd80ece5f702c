"""Run `condense help`: the same text as --help."""

from __future__ import annotations

from condense_cli.cli import app


def run(command: str | None) -> int:
    """Print the help of a command; a command that does not exist is a usage error."""
    return app.call(["--help"] if command is None else [command, "--help"])
