"""What a repair leaves, and a plan in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.model.findings import Severity
from condense_cli.model.plan import Change, Plan
from condense_cli.output.contract_table import STYLES
from condense_cli.output.grouping import Group, groups_of, places_of
from condense_cli.output.sentence import counted, evidence, facts, lines_of, sentence
from condense_cli.output.wrapped import wrap
from condense_cli.rules.catalogue import RULES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense_cli.model.findings import Finding
    from condense_cli.output.wrapped import Line

_INDENT = "    "
_CHANGING = frozenset({Change.STRIP, Change.REPLACE, Change.REPARENT})


def summary(plan: Plan) -> str:
    """Return how many records a plan touches: `3 records changed, 1 removed, 1 inserted`."""
    numbers = (
        (len({(edit.line, edit.index) for edit in plan.edits if edit.change in _CHANGING}), "changed"),
        (_number(plan, Change.DROP), "removed"),
        (_number(plan, Change.MOVE), "moved"),
        (_number(plan, Change.INSERT), "inserted"),
    )
    first, *others = [(number, what) for number, what in numbers if number] or [(0, "changed")]
    return ", ".join([f"{counted(first[0], 'record')} {first[1]}", *(f"{number} {what}" for number, what in others)])


def _number(plan: Plan, change: Change) -> int:
    return sum(edit.change is change for edit in plan.edits)


def remaining_lines(plan: Plan, width: int | None) -> Iterator[Line]:
    """Yield what the repair leaves, equal findings as one, and why."""
    if plan.remaining:
        yield (("not repaired:", "bold"),)
    for group in groups_of(places_of(plan.remaining)):
        first = group.first
        severity = first.severity or Severity.INFO
        times = f" ×{len(group.places)}" if len(group.places) > 1 else ""
        head = (
            ("  ", ""),
            (severity.value, STYLES[severity]),
            (f" {first.rule}{times}", "bold"),
            (f" at {lines_of(group.lines)}: {sentence(first.rule, first.detail)}", ""),
        )
        yield from wrap(head, width, _INDENT)
        for text in _why_not(group):
            yield from wrap(((f"{_INDENT}{text}", "dim"),), width, _INDENT)


def _why_not(group: Group) -> Iterator[str]:
    finding: Finding = group.first
    if known := facts(finding) if len(group.places) == 1 else evidence([place[0] for place in group.places]):
        yield known
    rule = RULES.get(finding.rule)
    if rule is None:
        return
    if not rule.repair:
        yield "reported only: there is no safe repair"
    elif rule.on_request:
        yield f"on request: {rule.repair}"
    elif finding.severity is Severity.INFO:
        yield f"on request: --select {rule.name}"
