"""What `condense repair` takes."""

from __future__ import annotations

from typing import Annotated

import typer

from condense_cli.cli import declared
from condense_cli.cli.options import TextOrJson
from condense_cli.cli.repair import options
from condense_cli.model.policies import Displaced, Ids, Method, Orphan, Trailing, Unanswered


def repair(
    sessions: declared.Sessions = None,
    output: Annotated[
        str | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Write the repaired session here; - is stdout.", show_default=False
        ),
    ] = None,
    in_place: Annotated[
        bool, typer.Option("-i", "--in-place", help="Replace the session. `condense undo` takes it back.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("-n", "--dry-run", help="Write nothing: show the plan, even with -i or -o.")
    ] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Show old and new text of what changes.")] = False,
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
    method: options.MethodOption = Method.REWRITE,
    plan_out: Annotated[
        str | None,
        typer.Option(
            "--plan-out", metavar="FILE", help="Write the plan, to be reviewed and applied later.", show_default=False
        ),
    ] = None,
    plan: Annotated[
        str | None,
        typer.Option(
            "--plan",
            metavar="FILE",
            help="Apply this plan; refused when the session is not the one it was made for.",
            show_default=False,
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace a session even if a client seems to work on it.")
    ] = False,
    wait: Annotated[
        bool, typer.Option("--wait", help="Wait until the client that works on the session is done.")
    ] = False,
    no_backup: Annotated[bool, typer.Option("--no-backup", help="Keep nothing for `undo`.")] = False,
    output_format: Annotated[
        TextOrJson, typer.Option("--output-format", help="How the plan is shown.")
    ] = TextOrJson.TEXT,
    format_name: declared.Format = "auto",
    leaf: declared.Leaf = None,
) -> None:
    """Repair sessions. Without -o or -i nothing is written: the plan is shown, and the command that applies it."""
