"""What `condense hook` takes."""

from __future__ import annotations

from typing import Annotated

import typer


def hook(
    install: Annotated[
        str | None,
        typer.Option(
            "--install",
            metavar="CLIENT",
            help="Put the hook into the settings of claude-code, codex, gemini, qwen or pi.",
            show_default=False,
        ),
    ] = None,
    uninstall: Annotated[
        str | None, typer.Option("--uninstall", metavar="CLIENT", help="Take it out again.", show_default=False)
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("-n", "--dry-run", help="Show what would change in the settings, and write nothing.")
    ] = False,
) -> None:
    """Answer a client's hook: the event is read from stdin, the answer is empty, or a sentence with a command.

    It reads only, and ends with 0 whatever it is given.
    """
