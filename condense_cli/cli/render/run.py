"""Run `condense render`: the messages after pi-condense's pruning, or before it, or as sent."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from condense_cli.cli import options
from condense_cli.cli.render.request import said_in_pi, said_in_thread, write_request
from condense_cli.cli.render.values import Api, Shape, Sweep, View
from condense_cli.cli.sessions import session_of
from condense_cli.errors import ExitCode, UsageError
from condense_cli.output import messages, swept
from condense_cli.output.pruned import as_json, write_differences
from condense_cli.output.tables import diagnostics_table
from condense_cli.output.transcript import plain_lines, transcript
from condense_cli.pi_condense.prune.context import BriefWatch
from condense_cli.pi_condense.prune.difference import Summary, differences
from condense_cli.pi_condense.prune.settings import read_settings
from condense_cli.pi_condense.prune.sweeps import sweep_rule
from condense_cli.pi_condense.prune.views import Rendering
from condense_cli.pi_condense.prune.views import render as render_pi
from condense_cli.request.thread import Thread
from condense_cli.session.opened import Session, open_session
from condense_cli.storage.new_file import write_new


def run(
    session: str | None,
    *,
    view: View,
    output_format: Shape | None,
    output: str | None,
    settings: str | None,
    contract: str | None,
    sweep: Sweep | None,
    exempt_tool: list[str] | None,
    api: Api | None,
    dry_run: bool,
    leaf: str | None,
    format_name: str,
) -> int:
    """Write the messages, or what pruning changes, and return the exit code."""
    if contract not in (None, "anthropic") or (contract and view is not View.WIRE):
        raise UsageError("--contract of render is anthropic, with --view wire", "`condense check --contract NAME` checks for others")
    if api is not None and (view is not View.RENDERED or output_format not in (None, Shape.JSON) or dry_run):
        raise UsageError("--as writes a request: one JSON object of what is rendered", "leave out --view, --output-format and --dry-run")

    watch = BriefWatch()
    path = session_of(session, writes=output is not None)
    with open_session(path, format_name, leaf, None if view is View.STORED else watch) as opened:
        shape = output_format or (Shape.TEXT if output is None and sys.stdout.isatty() else Shape.JSONL)
        if view is View.STORED:
            write_new(output or "-", _stored(opened, shape), source=opened.source)
            return int(ExitCode.FINE)
        if not opened.format.pruned:
            _of_any_format(opened, view, shape, output, sweep, exempt_tool, dry_run=dry_run, api=api)
            return int(ExitCode.FINE)
        rendering = _rendering(opened, watch, leaf, settings, sweep, exempt_tool)
        _warn(rendering)
        if api is not None:
            write_request(opened, list(said_in_pi(rendering)), api, output)
            return int(ExitCode.FINE)
        if dry_run:
            _differences(rendering, shape)
            return int(ExitCode.FINE)
        write_new(output or "-", _pieces(rendering, view, shape), source=opened.source)
        if view is not View.CONTEXT and not options.quiet():
            diagnostics_table(rendering.pruning.diagnostics, sys.stderr, color=options.coloured(sys.stderr))
    return int(ExitCode.FINE)


def _of_any_format(
    opened: Session, view: View, shape: Shape, output: str | None, sweep: Sweep | None, exempt: list[str] | None, *, dry_run: bool, api: Api | None
) -> None:
    """Render a session that is not pi's: nothing is pruned from it, it is only swept."""
    if view is View.WIRE:
        raise UsageError(f"the wire view is pi's; this is a {opened.format.name} session", "`--as anthropic` or `--as openai-chat` builds a request")
    thread = Thread(opened.document, opened.view())
    decision = None if view is View.CONTEXT and not dry_run else thread.decide((sweep or Sweep.CONTRACT).value, frozenset(exempt or ()))
    if api is not None and decision is not None:
        write_request(opened, list(said_in_thread(thread, decision)), api, output)
        return
    if dry_run and decision is not None:
        _show(swept.differences(thread, decision), shape)
        return
    if shape is Shape.JSON:
        pieces = messages.document(swept.messages(thread, None)) if decision is None else swept.document(thread, decision)
    else:
        shown = swept.messages(thread, decision)
        pieces = plain_lines(transcript(shown)) if shape is Shape.TEXT else messages.lines(shown)
    write_new(output or "-", pieces, source=opened.source)
    if decision is not None and not options.quiet():

        diagnostics_table(swept.diagnostics(thread, decision), sys.stderr, color=options.coloured(sys.stderr))


def _rendering(opened: Session, watch: BriefWatch, leaf: str | None, settings: str | None, sweep: Sweep | None, exempt: list[str] | None) -> Rendering:

    rule = sweep_rule((sweep or Sweep.TURN).value, frozenset(exempt or ()))
    seen = None if opened.migrates else watch.seen
    return render_pi(opened.branch(leaf), opened.loader(), read_settings(settings), rule, seen)




def _stored(opened: Session, shape: Shape) -> Iterator[bytes]:

    entries = (opened.document.value(record) for record in opened.document.readable())
    writers: dict[Shape, Callable[[], Iterator[bytes]]] = {
        Shape.TEXT: lambda: plain_lines(transcript(entries)),
        Shape.JSON: lambda: messages.document(entries),
        Shape.JSONL: lambda: (opened.document.raw(record).rstrip(b"\r\n") + b"\n" for record in opened.document.readable()),
    }
    return writers[shape]()


def _pieces(rendering: Rendering, view: View, shape: Shape) -> Iterator[bytes]:

    shown = {View.CONTEXT: rendering.context, View.RENDERED: rendering.rendered, View.WIRE: rendering.wire}[view]()
    if shape is Shape.TEXT:
        return plain_lines(transcript(shown))
    if shape is Shape.JSONL:
        return messages.lines(shown)
    if view is View.RENDERED:
        return messages.rendered_document(rendering)
    pruning = rendering.pruning
    if view is View.CONTEXT:
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
        options.note(f"condense: pi-condense fails on this session ({failure}) and leaves it unpruned, and so does this")


def _differences(rendering: Rendering, shape: Shape) -> bool:

    return _show(differences(rendering), shape)


def _show(summary: Summary, shape: Shape) -> bool:

    if shape is Shape.JSON:
        sys.stdout.write(as_json(summary).decode())
    else:
        write_differences(summary, sys.stdout, color=options.coloured(sys.stdout))
    return bool(summary.differences)
