"""What `condense minimize` takes."""

from __future__ import annotations

from typing import Annotated

import typer

from condense_cli.cli import declared


def minimize(
    session: declared.Session = None,
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write the file here; - is stdout. Default: nothing is written.",
            show_default=False,
        ),
    ] = None,
    rule: Annotated[
        str | None,
        typer.Option("--rule", metavar="RULE", help="The finding to show. Default: the worst.", show_default=False),
    ] = None,
    contract: Annotated[
        str | None,
        typer.Option(
            "--contract", metavar="NAME", help="Who judges. Default: the session's own client.", show_default=False
        ),
    ] = None,
    format_name: declared.Format = "auto",
) -> None:
    """Write the smallest file that still shows a finding, with other letters for its words, and print a report's
    text.
    """
