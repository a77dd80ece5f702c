"""What `view` shows: one session in four views, its report, its repair. Only this knows both engines and the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import islice
from typing import NamedTuple

from condense_cli.check.engine import check
from condense_cli.formats.read import read_document
from condense_cli.model.findings import Report
from condense_cli.model.plan import Plan, apply
from condense_cli.output.changes import summary
from condense_cli.output.html.build import Material
from condense_cli.output.html.order import Lane, Paths, lane
from condense_cli.output.html.page import Seen, Thread
from condense_cli.output.html.viewed_turn import ViewedTurn, of_turns, pruned, stored
from condense_cli.output.plain import one_line
from condense_cli.output.shell import command, path_word
from condense_cli.pi_condense.prune.difference import differences
from condense_cli.pi_condense.prune.settings import read_settings
from condense_cli.pi_condense.prune.views import render
from condense_cli.repair.engine import Choice, make_plan
from condense_cli.request.thread import Thread as Turns
from condense_cli.session.opened import Session
from condense_cli.storage.source import spooled

_MOST_THREADS = 20


class _Rendered(NamedTuple):
    """The rendered view: how its turns are made, and why records were pruned, by their first bytes."""

    make: Callable[[], Iterator[ViewedTurn]]
    reasons: dict[int, str]


def material(session: Session, settings: str | None, leaf: str | None, stack: ExitStack) -> Material:
    """Read a session in all views. The stack closes the repaired session, which is in an unnamed temporary file."""
    report = _report(session, leaf)
    plan, refusal = _plan(session, leaf)
    document = session.document
    view = session.view(leaf)
    thread = Turns(document, view)
    apart = frozenset(finding.record.start for finding in report.findings)
    rendered = _rendered(session, settings, leaf)
    lanes: list[Lane] = [lane(Seen.STORED, lambda: stored(document, apart))]
    lanes.append(lane(Seen.CONTEXT, lambda: of_turns(document, thread.turns())))
    lanes.append(lane(Seen.RENDERED, rendered.make))
    lanes.append(
        _repaired(session, plan, leaf, stack)
        if plan is not None and plan.changes
        else lanes[1]._replace(seen=Seen.REPAIRED)
    )
    on_thread = {record.start for record in (*view.path, *view.beside)}
    end = view.leaf or (view.path[-1] if view.path else None)
    others = {
        record.start
        for record in document.records
        if end is not None
        and record.start not in on_thread
        and record.message is not None
        and end.message is not None
        and session.format.owner(record) != session.format.owner(end)
    }
    following, says = _next(session, report, plan, refusal, leaf)
    edits = plan.edits if plan is not None else ()
    return Material(
        report,
        lanes,
        Paths(on_thread, others, rendered.reasons),
        edits,
        following,
        says,
        _threads(session, leaf),
        session.source.size,
    )


def _report(session: Session, leaf: str | None) -> Report:
    return check(session.document, [session.format.contract], leaf=leaf)


def _plan(session: Session, leaf: str | None) -> tuple[Plan | None, str]:
    """Return the plan of a repair, or why there is none."""
    document = session.document
    if session.source.packing is not None:
        return None, "A compressed file is only read: unpack it, and repair the plain file."
    if (refusal := document.refusal()) is not None:
        return None, f"{refusal[0]}: {refusal[1]}"
    return make_plan(document, Choice(leaf=leaf), bind=False), ""


def _rendered(session: Session, settings: str | None, leaf: str | None) -> _Rendered:
    document = session.document
    if not session.format.pruned:
        thread = Turns(document, session.view(leaf))
        decision = thread.decide("contract")
        return _Rendered(lambda: of_turns(document, (out.turn for out in thread.swept(decision))), {})
    rendering = render(session.branch(leaf), session.loader(), read_settings(settings))
    places = rendering.pruning.places
    reasons = {
        places[d.position].record.start: d.reason
        for d in differences(rendering).differences
        if d.change != "insert"
    }
    return _Rendered(lambda: pruned(document, rendering), reasons)


def _repaired(session: Session, plan: Plan, leaf: str | None, stack: ExitStack) -> Lane:
    """Return the view of the repaired session: it is put together in an unnamed file and read back."""
    source = stack.enter_context(spooled(session.path, apply(plan.segments, session.source)))
    document = read_document(session.path, source, session.format.name)
    thread = Turns(document, next(iter(session.format.views(document, leaf, every=False))))
    return lane(Seen.REPAIRED, lambda: of_turns(document, thread.turns()))


def _threads(session: Session, leaf: str | None) -> list[Thread]:
    """Return the first threads of the session, the one that is shown among them."""
    shown = session.view(leaf).leaf
    found: list[Thread] = []
    for view in islice(session.format.views(session.document, None, every=True), _MOST_THREADS):
        if view.leaf is not None and view.leaf.id:
            how = command("condense", "view", "--leaf", view.leaf.id, path_word(session.path))
            found.append(Thread(one_line(view.leaf.id[:80]), len(view.messages), how, view.leaf is shown))
    return found


def _next(session: Session, report: Report, plan: Plan | None, refusal: str, leaf: str | None) -> tuple[str, str]:
    """Return the command that repairs, and what it does; without one, why there is none."""
    if plan is None:
        return (command("condense", "check", path_word(session.path)), refusal) if report.findings else ("", "")
    if not plan.changes:
        return ("", "")
    extra = ("--leaf", leaf) if leaf else ()
    target = ("-", "-o", "FILE") if session.source.real is None else ("-i", path_word(session.path))
    left = len([finding for finding in plan.remaining if finding.severity in ("error", "warning")])
    after = f" {left} of the findings are left after it." if left else ""
    return command(
        "condense", "repair", *extra, *target
    ), f"The repair: {summary(plan)}.{after} `condense undo` takes it back."
