"""What `condense render` takes."""

from __future__ import annotations

from typing import Annotated

import typer

from condense_cli.cli import declared
from condense_cli.cli.render.values import Api, Shape, ShownView, Sweep


def render(
    session: declared.Session = None,
    *,
    view: Annotated[
        ShownView,
        typer.Option(
            "--view", help="stored: all entries; context: the active thread; rendered: after pruning; wire: as sent."
        ),
    ] = ShownView.RENDERED,
    output_format: Annotated[
        Shape | None, typer.Option("--output-format", help="Default: text on a terminal, else jsonl.")
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", metavar="FILE", help="Write here, whole or not at all; never onto the input."),
    ] = None,
    settings: Annotated[
        str | None,
        typer.Option(
            "--settings", metavar="FILE", help="pi's settings.json; default: pruning on, pi-condense's defaults."
        ),
    ] = None,
    contract: Annotated[
        str | None,
        typer.Option(
            "--contract",
            metavar="NAME",
            help="Whose contract: a contract sweep changes only what it flags, and what it still flags afterwards is told. With --view wire: anthropic.",  # noqa: E501 - a sentence is one text
        ),
    ] = None,
    sweep: Annotated[
        Sweep | None,
        typer.Option("--sweep", help="The rule for results without calls. Default: turn for pi, else contract."),
    ] = None,
    exempt_tool: declared.ExemptTool = None,
    api: Annotated[
        Api | None, typer.Option("--as", help="One JSON request for this API, complete and accepted by it.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("-n", "--dry-run", "--diff", help="Show what pruning changes instead of the messages.")
    ] = False,
    outline: Annotated[bool, typer.Option("--outline", help="A line per message.")] = False,
    around: Annotated[
        int | None,
        typer.Option(
            "--around",
            metavar="LINE",
            min=1,
            help="The message of this line of the file, whole, and some before and after it.",
            show_default=False,
        ),
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Fold nothing. A pipe and -o always get everything.")] = False,
    leaf: declared.Leaf = None,
    format_name: declared.Format = "auto",
) -> None:
    """Show the messages of a session after pruning."""
