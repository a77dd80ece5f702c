"""What `condense doctor` takes."""

from __future__ import annotations

from typing import Annotated

import typer

from condense_cli.cli.check import options
from condense_cli.cli.check.values import FailOn
from condense_cli.cli.options import TextOrJson


def doctor(
    client: Annotated[
        list[str] | None,
        typer.Option("--client", metavar="NAME", help="Only the sessions of this client.", show_default=False),
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(
            "--since",
            metavar="TIME",
            help="Only what was written since: 7d, 12h, 2w, or a day as 2026-11-30.",
            show_default=False,
        ),
    ] = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Go on, and write a line for each session that changes for better or worse.")
    ] = False,
    fail_on: Annotated[FailOn, typer.Option("--fail-on", help="Exit with 1 from this severity on.")] = FailOn.WARNING,
    output_format: Annotated[
        TextOrJson, typer.Option("--output-format", help="text for people, json for programs.")
    ] = TextOrJson.TEXT,
    jobs: options.Jobs = 0,
    max_size: options.MaxSize = "1G",
) -> None:
    """Check the session stores of all known clients on this machine. A session that did not change is not read again.

    Sessions of this folder come first. Nothing is written but a cache of what was found.
    """
