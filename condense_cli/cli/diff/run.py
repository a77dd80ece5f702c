"""Run `condense diff`: what repair would change, or what pruning changes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from condense_cli.cli import options
from condense_cli.cli.diff.values import Between
from condense_cli.cli.repair import planned
from condense_cli.cli.sessions import session_of
from condense_cli.errors import ExitCode, UsageError
from condense_cli.model.policies import Displaced, Ids, Orphan, Policies, Trailing, Unanswered
from condense_cli.output.changes import summary
from condense_cli.output.difference.raw import raw_lines
from condense_cli.output.difference.show import show
from condense_cli.output.difference.stat import write_stat
from condense_cli.output.difference.write import Look
from condense_cli.output.lines import terminal_width
from condense_cli.output.plain import one_line
from condense_cli.session.after import document_after
from condense_cli.session.opened import Session, open_session
from condense_cli.session.repaired import plan_of

if TYPE_CHECKING:
    from condense_cli.model.plan import Plan


def run(
    session: str | None,
    view: Between,
    side_by_side: bool,
    stat: bool,
    raw: bool,
    contract: list[str] | None,
    select: list[str] | None,
    ignore: list[str] | None,
    exempt_tool: list[str] | None,
    displaced: Displaced,
    unanswered: Unanswered,
    trailing: Trailing,
    orphan: Orphan,
    ids: Ids,
    shrink: bool,
    settings: str | None,
    format_name: str,
    leaf: str | None,
) -> int:
    """Show the difference; return 1 when there is one."""
    if side_by_side + stat + raw > 1 or (view is Between.RENDERED and (side_by_side or stat or raw)):
        raise UsageError(
            "--side-by-side, --stat and --raw exclude each other, and are of --view repaired", "leave all but one out"
        )
    path = session_of(session)
    if view is Between.RENDERED:
        from condense_cli.cli.render.run import show_pruning  # start-up: who looks at a repair needs no pruning

        return show_pruning(path, settings=settings, format_name=format_name, leaf=leaf)

    choice = planned.choice_of(
        contract, select, ignore, Policies(displaced, unanswered, trailing, orphan, ids, shrink), leaf, exempt_tool
    )
    with open_session(path, format_name) as opened:
        plan = plan_of(opened, choice)
        _write(plan, opened, side_by_side=side_by_side, stat=stat, raw=raw)
        options.note(f"{one_line(plan.path)}: {summary(plan) if plan.changes else 'nothing to repair'}")
        return int(ExitCode.FOUND if plan.changes else ExitCode.FINE)


def _write(plan: Plan, session: Session, *, side_by_side: bool, stat: bool, raw: bool) -> None:
    """Write the difference in the shape that was asked for."""
    color = options.coloured(sys.stdout)
    if not stat and not raw:
        show(plan, session, sys.stdout, Look(color, terminal_width(sys.stdout), side_by_side), records=True, pager=True)
        return
    with document_after(session, plan) as new:
        if stat:
            write_stat(plan, session.document, new, sys.stdout, color=color)
            return
        for line in raw_lines(plan, session.document, new):
            print(line)
