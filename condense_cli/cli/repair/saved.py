"""A saved plan: applied only where its edits and its bytes are those that condense makes by the same choices."""

from __future__ import annotations

from condense_cli.errors import RefusedError, UsageError
from condense_cli.model.plan import join
from condense_cli.output import plan_file
from condense_cli.output.plan_file import Saved
from condense_cli.session import repaired
from condense_cli.session.opened import Session
from condense_cli.storage.source import open_source

_SMALLEST_LIMIT = 64 << 20
_TIMES_ITS_SESSION = 8  # every byte may be escaped in the plan
_AGAIN = "nothing was written; make it again with --plan-out"


def saved_plan(session: Session, path: str) -> Saved:
    """Return the plan of a file, with the choices that it was made by.

    Whoever reviews a plan reads its edits, and its segments decide what is written. So the plan is made again, and
    both must be the same: a plan cannot do more than it says. Raises UsageError for what is no plan, RefusedError for a
    plan of other bytes or one that does something else.
    """
    with open_source(path) as source:
        if source.size > max(_SMALLEST_LIMIT, _TIMES_ITS_SESSION * session.source.size):
            raise UsageError(
                f"{path}: too large for a plan of this session",
                "make one with `condense repair SESSION --plan-out FILE`",
            )
        saved = plan_file.load(path, source.read(0, source.size))
    plan = saved.plan
    if plan.sha256 != session.source.sha256():
        raise RefusedError(
            f"{session.path}: not the bytes that the plan was made for", "make a new plan with --plan-out"
        )
    if plan.format != session.format.name:
        raise UsageError(f"{path}: made for a session read as {plan.format}", "name that format with --format")
    made = repaired.plan_of(session, saved.choice, saved.method)
    if join(plan.segments) != made.segments:
        raise RefusedError(f"{path}: the plan does more than its edits say", _AGAIN)
    if plan.edits != made.edits:
        raise RefusedError(f"{path}: its edits are not those that it makes", _AGAIN)
    return saved._replace(plan=made._replace(path=session.path))
