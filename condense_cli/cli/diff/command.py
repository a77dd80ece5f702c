"""What `condense diff` takes."""

from __future__ import annotations

from typing import Annotated

import typer

from condense_cli.cli import declared
from condense_cli.cli.diff.values import Between
from condense_cli.cli.repair import options
from condense_cli.model.policies import Displaced, Ids, Orphan, Trailing, Unanswered


def diff(
    session: declared.Session = None,
    view: Annotated[
        Between, typer.Option("--view", help="repaired: what repair would change; rendered: what pruning changes.")
    ] = Between.REPAIRED,
    side_by_side: Annotated[
        bool, typer.Option("--side-by-side", help="Old text on the left, new text on the right.")
    ] = False,
    stat: Annotated[bool, typer.Option("--stat", help="Only numbers: what each rule changes, and where.")] = False,
    raw: Annotated[
        bool, typer.Option("--raw", help="JSON lines: every changed record as it is and as it would be.")
    ] = False,
    contract: options.Contract = None,
    select: options.Select = None,
    ignore: options.Ignore = None,
    exempt_tool: declared.ExemptTool = None,
    displaced: options.DisplacedOption = Displaced.MOVE,
    unanswered: options.UnansweredOption = Unanswered.ANSWER,
    trailing: options.TrailingOption = Trailing.AUTO,
    orphan: options.OrphanOption = Orphan.DROP,
    ids: options.IdsOption = Ids.AUTO,
    shrink: options.ShrinkOption = False,
    settings: Annotated[
        str | None,
        typer.Option("--settings", metavar="FILE", help="pi's settings.json, for --view rendered.", show_default=False),
    ] = None,
    format_name: declared.Format = "auto",
    leaf: declared.Leaf = None,
) -> None:
    """Show record by record what `repair` would change and why, or what `render` changes. Nothing is written."""
