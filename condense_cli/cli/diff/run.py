"""Run `condense diff`: what repair would change, or what pruning changes."""

from __future__ import annotations

import sys

from condense_cli.cli import options
from condense_cli.cli.diff.values import Between
from condense_cli.cli.render.run import show_pruning
from condense_cli.cli.repair import planned
from condense_cli.cli.sessions import session_of
from condense_cli.errors import ExitCode
from condense_cli.model.policies import Displaced, Ids, Orphan, Policies, Trailing, Unanswered
from condense_cli.output.changes import summary, write_plan
from condense_cli.output.plain import one_line
from condense_cli.session.opened import open_session
from condense_cli.session.repaired import plan_of


def run(
    session: str | None,
    view: Between,
    contract: list[str] | None,
    select: list[str] | None,
    ignore: list[str] | None,
    displaced: Displaced,
    unanswered: Unanswered,
    trailing: Trailing,
    orphan: Orphan,
    ids: Ids,
    settings: str | None,
    format_name: str,
    leaf: str | None,
) -> int:
    """Show the difference; return 1 when there is one."""
    path = session_of(session)
    if view is Between.RENDERED:

        return show_pruning(path, settings=settings, format_name=format_name, leaf=leaf)

    choice = planned.choice_of(contract, select, ignore, Policies(displaced, unanswered, trailing, orphan, ids), leaf)
    with open_session(path, format_name) as opened:
        plan = plan_of(opened, choice)
        write_plan(plan, opened.source, sys.stdout, color=options.coloured(sys.stdout), diff=True)
        options.note(f"{one_line(plan.path)}: {summary(plan) if plan.changes else 'nothing to repair'}")
        return int(ExitCode.FOUND if plan.changes else ExitCode.FINE)
