"""condense render: the messages of a session after pi-condense's pruning, or before it, or as sent."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from condense_cli.cli import options
from condense_cli.cli.requesting import Api, said_in_pi, said_in_thread, write_request
from condense_cli.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from condense_cli.pi_condense.prune.context import BriefWatch
    from condense_cli.pi_condense.prune.difference import Summary
    from condense_cli.pi_condense.prune.views import Rendering
    from condense_cli.session.opened import Session


class View(StrEnum):
    """Which messages are shown."""

    STORED = "stored"
    CONTEXT = "context"
    RENDERED = "rendered"
    WIRE = "wire"


class Shape(StrEnum):
    """How they are written."""

    TEXT = "text"
    JSONL = "jsonl"
    JSON = "json"


class Sweep(StrEnum):
    """Whose rule takes out results without calls."""

    TURN = "turn"
    COUNT = "count"
    CONTRACT = "contract"


def render(
    session: Annotated[str, typer.Argument(metavar="SESSION", help="A session file, or - for standard input.")],
    *,
    view: Annotated[View, typer.Option("--view", help="stored: all entries; context: the active thread; rendered: after pruning; wire: as sent.")] = View.RENDERED,
    shape: Annotated[Shape | None, typer.Option("--output-format", help="Default: text on a terminal, else jsonl.")] = None,
    output: Annotated[str | None, typer.Option("-o", "--output", metavar="FILE", help="Write here, whole or not at all; never onto the input.")] = None,
    settings: Annotated[str | None, typer.Option("--settings", metavar="FILE", help="pi's settings.json; default: pruning on, pi-condense's defaults.")] = None,
    contract: Annotated[str | None, typer.Option("--contract", metavar="NAME", help="With --view wire: the provider (anthropic).")] = None,
    sweep: Annotated[Sweep | None, typer.Option("--sweep", help="The rule for results without calls. Default: turn for pi, else contract.")] = None,
    exempt_tool: Annotated[list[str] | None, typer.Option("--exempt-tool", metavar="NAME", help="A tool whose calls need no result.")] = None,
    api: Annotated[Api | None, typer.Option("--as", help="One JSON request for this API, complete and accepted by it.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", "--diff", help="Show what pruning changes instead of the messages.")] = False,
    leaf: options.Leaf = None,
    format_name: options.Format = "auto",
) -> None:
    """Show the messages of a session after pruning."""
    if contract not in (None, "anthropic") or (contract and view is not View.WIRE):
        raise UsageError("--contract of render is anthropic, with --view wire", "`condense check --contract NAME` checks for others")
    if api is not None and (view is not View.RENDERED or shape not in (None, Shape.JSON) or dry_run):
        raise UsageError("--as writes a request: one JSON object of what is rendered", "leave out --view, --output-format and --dry-run")
    from condense_cli.pi_condense.prune.context import BriefWatch
    from condense_cli.session.opened import open_session
    from condense_cli.storage.new_file import write_new

    watch = BriefWatch()
    with open_session(session, format_name, leaf, None if view is View.STORED else watch) as opened:
        shape = shape or (Shape.TEXT if output is None and sys.stdout.isatty() else Shape.JSONL)
        if view is View.STORED:
            write_new(output or "-", _stored(opened, shape), source=opened.source)
            return
        if not opened.format.pruned:
            _of_any_format(opened, view, shape, output, sweep, exempt_tool, dry_run=dry_run, api=api)
            return
        rendering = _rendering(opened, watch, leaf, settings, sweep, exempt_tool)
        _warn(rendering)
        if api is not None:
            write_request(opened, list(said_in_pi(rendering)), api, output)
            return
        if dry_run:
            _differences(rendering, shape)
            return
        write_new(output or "-", _pieces(rendering, view, shape), source=opened.source)
        if view is not View.CONTEXT and not options.quiet():
            from condense_cli.output.tables import diagnostics_table

            diagnostics_table(rendering.pruning.diagnostics, sys.stderr, color=options.coloured(sys.stderr))


def _of_any_format(
    opened: Session, view: View, shape: Shape, output: str | None, sweep: Sweep | None, exempt: list[str] | None, *, dry_run: bool, api: Api | None
) -> None:
    """Render a session that is not pi's: nothing is pruned from it, it is only swept."""
    from condense_cli.output import messages, swept
    from condense_cli.output.transcript import plain_lines, transcript
    from condense_cli.request.thread import Thread
    from condense_cli.storage.new_file import write_new

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
        from condense_cli.output.tables import diagnostics_table

        diagnostics_table(swept.diagnostics(thread, decision), sys.stderr, color=options.coloured(sys.stderr))


def _rendering(opened: Session, watch: BriefWatch, leaf: str | None, settings: str | None, sweep: Sweep | None, exempt: list[str] | None) -> Rendering:
    from condense_cli.pi_condense.prune.settings import read_settings
    from condense_cli.pi_condense.prune.sweeps import sweep_rule
    from condense_cli.pi_condense.prune.views import render as render_pi

    rule = sweep_rule((sweep or Sweep.TURN).value, frozenset(exempt or ()))
    seen = None if opened.migrates else watch.seen
    return render_pi(opened.branch(leaf), opened.loader(), read_settings(settings), rule, seen)




def _stored(opened: Session, shape: Shape) -> Iterator[bytes]:
    from condense_cli.output import messages
    from condense_cli.output.transcript import plain_lines, transcript

    entries = (opened.document.value(record) for record in opened.document.readable())
    writers: dict[Shape, Callable[[], Iterator[bytes]]] = {
        Shape.TEXT: lambda: plain_lines(transcript(entries)),
        Shape.JSON: lambda: messages.document(entries),
        Shape.JSONL: lambda: (opened.document.raw(record).rstrip(b"\r\n") + b"\n" for record in opened.document.readable()),
    }
    return writers[shape]()


def _pieces(rendering: Rendering, view: View, shape: Shape) -> Iterator[bytes]:
    from condense_cli.output import messages
    from condense_cli.output.transcript import plain_lines, transcript

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
    from condense_cli.pi_condense.prune.context import BriefWatch
    from condense_cli.session.opened import open_session

    watch = BriefWatch()
    with open_session(session, format_name, leaf, watch) as opened:
        if not opened.format.pruned:
            from condense_cli.output.swept import differences
            from condense_cli.request.thread import Thread

            thread = Thread(opened.document, opened.view())
            changed = _show(differences(thread, thread.decide(Sweep.CONTRACT.value)), Shape.TEXT)
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
    from condense_cli.pi_condense.prune.difference import differences

    return _show(differences(rendering), shape)


def _show(summary: Summary, shape: Shape) -> bool:
    from condense_cli.output.pruned import as_json, write_differences

    if shape is Shape.JSON:
        sys.stdout.write(as_json(summary).decode())
    else:
        write_differences(summary, sys.stdout, color=options.coloured(sys.stdout))
    return bool(summary.differences)
