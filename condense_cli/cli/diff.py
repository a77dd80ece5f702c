"""condense diff: what repair would change, or what pruning changes."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer

from condense_cli.cli import options, repairing
from condense_cli.errors import ExitCode
from condense_cli.repair.policies import Displaced, Ids, Orphan, Policies, Trailing, Unanswered


class Between(StrEnum):
    """Which difference is shown."""

    REPAIRED = "repaired"
    RENDERED = "rendered"


def diff(
    session: Annotated[str, typer.Argument(metavar="SESSION", help="A session file; - for stdin.")],
    view: Annotated[Between, typer.Option("--view", help="repaired: what repair would change; rendered: what pruning changes.")] = Between.REPAIRED,
    contract: repairing.Contract = None,
    select: repairing.Select = None,
    ignore: repairing.Ignore = None,
    displaced: repairing.DisplacedOption = Displaced.MOVE,
    unanswered: repairing.UnansweredOption = Unanswered.ANSWER,
    trailing: repairing.TrailingOption = Trailing.KEEP,
    orphan: repairing.OrphanOption = Orphan.DROP,
    ids: repairing.IdsOption = Ids.AUTO,
    settings: Annotated[str | None, typer.Option("--settings", metavar="FILE", help="pi's settings.json, for --view rendered.", show_default=False)] = None,
    format_name: options.Format = "auto",
    leaf: options.Leaf = None,
) -> int:
    """Show record by record what `repair` would change and why, or what `render` changes. Nothing is written."""
    if view is Between.RENDERED:
        from condense_cli.cli.render import show_pruning

        return show_pruning(session, settings=settings, format_name=format_name, leaf=leaf)
    from condense_cli.output.changes import summary, write_plan
    from condense_cli.output.plain import one_line
    from condense_cli.session.opened import open_session

    choice = repairing.choice_of(contract, select, ignore, Policies(displaced, unanswered, trailing, orphan, ids), leaf)
    with open_session(session, format_name) as opened:
        plan = repairing.plan_of(opened, choice)
        write_plan(plan, opened.source, sys.stdout, color=options.coloured(sys.stdout), diff=True)
        options.note(f"{one_line(plan.path)}: {summary(plan) if plan.changes else 'nothing to repair'}")
        return int(ExitCode.FOUND if plan.changes else ExitCode.FINE)
