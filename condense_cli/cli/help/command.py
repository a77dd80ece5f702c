"""What `condense help` takes."""

from __future__ import annotations

from typing import Annotated

import typer


def help(  # noqa: A001 - the command's name
    command: Annotated[
        str | None,
        typer.Argument(metavar="[COMMAND]", help="The command; without one: condense itself.", show_default=False),
    ] = None,
) -> None:
    """Show the help of condense, or of one command."""
