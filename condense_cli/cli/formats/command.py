"""What `condense formats` takes."""

from __future__ import annotations

from typing import Annotated

import typer

from condense_cli.cli.options import TextOrJson


def formats(
    output_format: Annotated[
        TextOrJson, typer.Option("--output-format", help="text for people, json for programs.")
    ] = TextOrJson.TEXT,
) -> None:
    """List the session formats, and what condense can do with each of them."""
