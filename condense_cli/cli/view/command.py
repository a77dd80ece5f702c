"""What `condense view` takes."""

from __future__ import annotations

from typing import Annotated

import typer

from condense_cli.cli import declared


def view(
    session: declared.Session = None,
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write the page here; - is stdout. Default: SESSION.html in this folder.",
            show_default=False,
        ),
    ] = None,
    show: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    settings: Annotated[
        str | None,
        typer.Option(
            "--settings", metavar="FILE", help="pi's settings.json, for the rendered view.", show_default=False
        ),
    ] = None,
    format_name: declared.Format = "auto",
    leaf: declared.Leaf = None,
) -> None:
    """Write one HTML page: timeline, conversation, findings in place, before and after a repair.

    It needs no network.
    """
