"""A plan as `repair`, `diff` and the library show it: record by record, or a line per edit, then what stays."""

from __future__ import annotations

from contextlib import nullcontext
from itertools import chain
from typing import TYPE_CHECKING, TextIO

from condense_cli.output import paged
from condense_cli.output.changes import remaining_lines
from condense_cli.output.difference.write import Look, edit_lines, lines
from condense_cli.output.lines import line_writer
from condense_cli.session.after import document_after

if TYPE_CHECKING:
    from condense_cli.model.plan import Plan
    from condense_cli.session.opened import Session

MOST = 40
"""Records that a dry run shows; `diff` shows all."""


def show(plan: Plan, session: Session, stream: TextIO, look: Look, *, records: bool, pager: bool = False) -> None:
    """Write what a plan changes and leaves; records: with the old and new text of each record."""
    with document_after(session, plan) if records else nullcontext() as new:
        changes = lines(plan, session.document, new, look) if new is not None else edit_lines(plan, look.width)
        shown = chain(changes, remaining_lines(plan, look.width))
        if pager:
            paged.write(shown, stream, color=look.color)
            return
        say = line_writer(stream, color=look.color)
        for line in shown:
            say(*line)
