"""Run `condense render`: the messages after pi-condense's pruning, or before it, or as sent."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from condense_cli.cli import options
from condense_cli.cli.render.put import Put, Reading, placed, stored, words_of
from condense_cli.cli.render.request import (
    declared_in_pi,
    declared_in_thread,
    said_in_pi,
    said_in_thread,
    write_request,
)
from condense_cli.cli.render.values import Api, Shape, ShownView, Sweep
from condense_cli.cli.sessions import session_of
from condense_cli.errors import ExitCode, UsageError
from condense_cli.output import messages, swept
from condense_cli.output.pruned import as_json, write_differences
from condense_cli.output.tables import diagnostics_table
from condense_cli.pi_condense.prune.context import BriefWatch
from condense_cli.pi_condense.prune.diagnostics import Diagnostic
from condense_cli.pi_condense.prune.difference import Summary, differences
from condense_cli.pi_condense.prune.facts import facts_of
from condense_cli.pi_condense.prune.settings import read_settings
from condense_cli.pi_condense.prune.sweeps import Narrow, as_outlines, sweep_rule
from condense_cli.pi_condense.prune.views import Rendering
from condense_cli.pi_condense.prune.views import render as render_pi
from condense_cli.request.judged import flagged, only_flagged
from condense_cli.request.thread import Thread, outline_of
from condense_cli.rules.contracts import CONTRACTS
from condense_cli.session.opened import Session, open_session


def run(
    session: str | None,
    *,
    view: ShownView,
    output_format: Shape | None,
    output: str | None,
    settings: str | None,
    contract: str | None,
    sweep: Sweep | None,
    exempt_tool: list[str] | None,
    api: Api | None,
    dry_run: bool,
    outline: bool,
    around: int | None,
    full: bool,
    leaf: str | None,
    format_name: str,
) -> int:
    """Write the messages, or what pruning changes, and return the exit code."""
    _must_know(contract, view)
    if api is not None and (view is not ShownView.RENDERED or output_format not in (None, Shape.JSON) or dry_run):
        raise UsageError(
            "--as writes a request: one JSON object of what is rendered",
            "leave out --view, --output-format and --dry-run",
        )
    if (outline or around is not None) and (api is not None or dry_run or output_format not in (None, Shape.TEXT)):
        raise UsageError("--outline and --around are text for people", "leave out --as, --dry-run and --output-format")
    if outline and around is not None:
        raise UsageError("--outline and --around exclude each other", "leave one out")

    reads = outline or around is not None  # what a check finds is shown beside the messages
    shape = output_format or (Shape.TEXT if reads or (output is None and sys.stdout.isatty()) else Shape.JSONL)
    watch = BriefWatch(alone=shape is not Shape.TEXT)
    path = session_of(session, writes=output is not None)
    with open_session(path, format_name, leaf, None if view is ShownView.STORED else watch) as opened:
        put = Put(opened, output, Reading(words_of(session), leaf, outline=outline, around=around, full=full))
        if view is ShownView.STORED:
            put.write(shape, lambda: stored(opened), lambda: _stored_bytes(opened, shape))
            return int(ExitCode.FINE)
        if not opened.format.pruned:
            _of_any_format(put, view, shape, sweep, exempt_tool, contract=contract, dry_run=dry_run, api=api)
            return int(ExitCode.FINE)
        rendering = _rendering(
            opened, watch, leaf, settings, sweep, exempt_tool, contract if view is ShownView.RENDERED else None
        )
        _warn(rendering)
        if api is not None:
            write_request(opened, list(said_in_pi(rendering)), api, output, declared_in_pi(rendering))
            return int(ExitCode.FINE)
        if dry_run:
            _differences(rendering, shape)
            _tell(rendering.pruning.diagnostics)
            return int(ExitCode.FINE)
        put.write(shape, lambda: placed(rendering, view), lambda: _pieces(rendering, view, shape))
        if view is not ShownView.CONTEXT:
            _tell(rendering.pruning.diagnostics)
    return int(ExitCode.FINE)


def _tell(found: Iterable[Diagnostic]) -> None:
    if not options.quiet():
        diagnostics_table(found, sys.stderr, color=options.coloured(sys.stderr))


def _must_know(contract: str | None, view: ShownView) -> None:
    if contract is None:
        return
    if contract not in CONTRACTS:
        raise UsageError(f"no contract is called {contract}", f"known: {', '.join(CONTRACTS)}")
    if view is ShownView.WIRE and contract != "anthropic":
        raise UsageError("--view wire is what pi sends to Anthropic", "leave out --contract, or name anthropic")
    if view in (ShownView.STORED, ShownView.CONTEXT):
        raise UsageError(f"--contract has no meaning for the view {view.value}, which is not swept", "leave it out")


def _of_any_format(
    put: Put,
    view: ShownView,
    shape: Shape,
    sweep: Sweep | None,
    exempt: list[str] | None,
    *,
    contract: str | None,
    dry_run: bool,
    api: Api | None,
) -> None:
    """Render a session that is not pi's: nothing is pruned from it, it is only swept."""
    opened = put.opened
    if view is ShownView.WIRE:
        raise UsageError(
            f"the wire view is pi's; this is a {opened.format.name} session",
            "`--as anthropic`, or another API, builds a request",
        )
    if opened.conversations > 1:
        options.note(
            f"condense: {opened.conversations} conversations are in {opened.path}, the first is shown; "
            "check, query and repair look at all of them"
        )
    thread = Thread(opened.document, opened.view())
    decision = (
        None
        if view is ShownView.CONTEXT and not dry_run
        else thread.decide((sweep or Sweep.CONTRACT).value, frozenset(exempt or ()))
    )
    notes: tuple[Diagnostic, ...] = ()
    if decision is not None:
        if contract is not None and sweep in (None, Sweep.CONTRACT):
            decision = only_flagged(decision, thread.outlines, contract)
        notes = swept.diagnostics(thread, decision)
        if contract is not None:
            left = (outline_of(out.turn, number=n).message for n, out in enumerate(thread.swept(decision, whole=True)))
            fmt = opened.format
            notes += tuple(flagged(left, contract, shared_results=fmt.shared_results, together=fmt.together))
    if api is not None and decision is not None:
        write_request(opened, list(said_in_thread(thread, decision)), api, put.output, declared_in_thread(thread))
        return
    if dry_run and decision is not None:
        _show(swept.differences(thread, decision), shape)
        _tell(notes)
        return
    pieces = swept.lines if shape is Shape.JSONL else functools.partial(swept.document, notes=notes)
    put.write(shape, lambda: swept.placed(thread, decision), lambda: pieces(thread, decision))
    _tell(notes)


def _rendering(
    opened: Session,
    watch: BriefWatch,
    leaf: str | None,
    settings: str | None,
    sweep: Sweep | None,
    exempt: list[str] | None,
    contract: str | None = None,
) -> Rendering:
    rule = sweep_rule((sweep or Sweep.TURN).value, frozenset(exempt or ()), _keeps(contract))
    seen = () if opened.migrates else watch.seen
    rendering = render_pi(opened.branch(leaf), opened.loader(), read_settings(settings), rule, seen)
    if contract is None:
        return rendering
    left = (outline.message for outline in as_outlines([facts_of(message) for message in rendering.rendered()]))
    pruning = rendering.pruning
    return rendering._replace(pruning=pruning._replace(diagnostics=(*pruning.diagnostics, *flagged(left, contract))))


def _keeps(contract: str | None) -> Narrow | None:
    return None if contract is None else functools.partial(only_flagged, contract=contract)


def _stored_bytes(opened: Session, shape: Shape) -> Iterator[bytes]:
    if shape is Shape.JSON:
        return messages.document(placed.message for placed in stored(opened))
    return (opened.document.raw(record).rstrip(b"\r\n") + b"\n" for record in opened.document.readable())


def _shown(rendering: Rendering, view: ShownView) -> Iterable[Any]:
    return {
        ShownView.CONTEXT: rendering.context,
        ShownView.RENDERED: rendering.rendered,
        ShownView.WIRE: rendering.wire,
    }[view]()


def _pieces(rendering: Rendering, view: ShownView, shape: Shape) -> Iterator[bytes]:
    shown = _shown(rendering, view)
    if shape is Shape.JSONL:
        return messages.lines(shown)
    if view is ShownView.RENDERED:
        return messages.rendered_document(rendering)
    pruning = rendering.pruning
    if view is ShownView.CONTEXT:
        return messages.document(shown)
    return messages.document(shown, pruning.diagnostics, pruned=pruning.pruned, size=messages.size(rendering))


def show_pruning(session: str, *, settings: str | None, format_name: str, leaf: str | None) -> int:
    """Show what pruning changes in a session; return the exit code of a comparison: 1 when there are changes."""
    watch = BriefWatch()
    with open_session(session, format_name, leaf, watch) as opened:
        if not opened.format.pruned:
            thread = Thread(opened.document, opened.view())
            changed = _show(swept.differences(thread, thread.decide(Sweep.CONTRACT.value)), Shape.TEXT)
        else:
            rendering = _rendering(opened, watch, leaf, settings, None, None)
            _warn(rendering)
            changed = _differences(rendering, Shape.TEXT)
        return int(ExitCode.FOUND if changed else ExitCode.FINE)


def _warn(rendering: Rendering) -> None:
    failure = rendering.pruning.failure
    if failure:
        options.note(
            f"condense: pi-condense fails on this session ({failure}) and leaves it unpruned, and so does this"
        )


def _differences(rendering: Rendering, shape: Shape) -> bool:

    return _show(differences(rendering), shape)


def _show(summary: Summary, shape: Shape) -> bool:

    if shape is Shape.JSON:
        sys.stdout.write(as_json(summary).decode())
    else:
        write_differences(summary, sys.stdout, color=options.coloured(sys.stdout))
    return bool(summary.differences)
