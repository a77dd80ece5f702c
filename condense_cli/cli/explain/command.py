"""What `condense explain` takes."""

from __future__ import annotations

from typing import Annotated

import typer

from condense_cli.cli import declared
from condense_cli.cli.options import TextOrJson

What = Annotated[
    list[str] | None,
    typer.Argument(
        metavar='RULE|"ERROR TEXT"|-',
        help="A rule, or an error as it was shown; - reads it from stdin.",
        show_default=False,
    ),
]
SessionPath = Annotated[
    str | None,
    typer.Option(
        "--session", metavar="PATH", help="Show where in this session the error comes from.", show_default=False
    ),
]
Contracts = Annotated[bool, typer.Option("--contracts", help="The table: which client or provider rejects what.")]
OutputFormat = Annotated[TextOrJson, typer.Option("--output-format", help="text for people, json for programs.")]


def explain(
    what: What = None,
    session: SessionPath = None,
    contracts: Contracts = False,
    output_format: OutputFormat = TextOrJson.TEXT,
    format_name: declared.Format = "auto",
    leaf: declared.Leaf = None,
) -> None:
    """Say what a rule means, or recognise the error that a provider answered with."""
