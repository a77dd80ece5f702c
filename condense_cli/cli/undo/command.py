"""What `condense undo` takes."""

from __future__ import annotations

from typing import Annotated

import typer

from condense_cli.cli.options import TextOrJson


def undo(
    repair: Annotated[
        str | None, typer.Argument(metavar="ID", help="The repair, as the list names it; the start of it will do.")
    ] = None,
    last: Annotated[bool, typer.Option("--last", help="The newest repair that is not undone.")] = False,
    prune: Annotated[
        bool, typer.Option("--prune", help="Remove old repairs for good, never the newest of a session.")
    ] = False,
    max_days: Annotated[
        float, typer.Option("--max-days", metavar="DAYS", min=0, help="With --prune: repairs that are older.")
    ] = 90,
    max_size: Annotated[
        str,
        typer.Option(
            "--max-size", metavar="SIZE", help="With --prune: the oldest repairs beyond this size, as 500M or 2G."
        ),
    ] = "2G",
    force: Annotated[
        bool, typer.Option("--force", help="Also when a client seems to be at work on the session.")
    ] = False,
    output_format: Annotated[
        TextOrJson, typer.Option("--output-format", help="For people or for programs.")
    ] = TextOrJson.TEXT,
) -> None:
    """Put back the bytes a session had before an in-place repair; without an ID, list the repairs, newest first.

    Lines that a client appended since are kept after the old ones. A session that changed in any other way
    is not touched.
    """
