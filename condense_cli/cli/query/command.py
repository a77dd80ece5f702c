"""What `condense query` takes."""

from __future__ import annotations

from typing import Annotated

import typer

from condense_cli.cli import declared
from condense_cli.cli.options import TextOrJson


def query(
    refs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[REF]... [SESSION]",
            help="t5, bash_23, bash_23@1786500002150, bash_23#2, L120 for a line, bash_*; without one: the list of "
            "them. The last word may be the session.",
            show_default=False,
        ),
    ] = None,
    *,
    session: Annotated[
        str | None,
        typer.Option(
            "--session", metavar="SESSION", help="Default: $CONDENSE_SESSION, else the newest session of this folder."
        ),
    ] = None,
    raw: Annotated[bool, typer.Option("--raw", help="The bytes of the output and nothing else.")] = False,
    output_format: Annotated[TextOrJson, typer.Option("--output-format", help="How to write them.")] = TextOrJson.TEXT,
    grep: Annotated[str | None, typer.Option("--grep", metavar="REGEX", help="Only the lines that match.")] = None,
    no_truncate: Annotated[
        bool, typer.Option("--no-truncate", help="Whole outputs, not 2000 lines or 50 KB of each.")
    ] = False,
    index_only: Annotated[
        bool, typer.Option("--index-only", help="What pi-condense recorded, not the transcript.")
    ] = False,
    outside: Annotated[
        bool, typer.Option("--allow-outside-blobs", help="Read spilled outputs outside the session's folder too.")
    ] = False,
    images: Annotated[
        str | None, typer.Option("--images", metavar="DIR", help="Write the pictures of the outputs into this folder.")
    ] = None,
    leaf: declared.Leaf = None,
    format_name: declared.Format = "auto",
) -> None:
    """Give back tool outputs by reference. Exit code 1 if one is not found."""
