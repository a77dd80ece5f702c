"""A plan for people: each edit with its reason, the bytes it changes, and what stays as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TextIO

from condense_cli.model.findings import Severity
from condense_cli.model.plan import Change, Edit, Plan, Reader
from condense_cli.output.hunks import Hunk, hunks
from condense_cli.output.lines import Say, line_writer
from condense_cli.output.plain import one_line
from condense_cli.output.sentence import counted, facts, sentence, shortened
from condense_cli.output.terminal import finding_line
from condense_cli.output.window import View, partners, view, views
from condense_cli.rules.catalogue import RULES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense_cli.model.findings import Finding

_INDENT = "    "
_LONGEST_ID = 80
_CHANGING = frozenset({Change.STRIP, Change.REPLACE, Change.REPARENT})


class _Block(NamedTuple):
    line: int
    edits: list[Edit]
    hunks: list[Hunk]


def write_plan(plan: Plan, source: Reader, stream: TextIO, *, color: bool, diff: bool) -> None:
    """Write what a plan changes, top to bottom, then what it leaves; with diff the old and new lines too."""
    say = line_writer(stream, color=color)
    for block in _blocks(plan.edits, list(hunks(plan, source)) if diff else []):
        for edit in block.edits:
            _write_edit(say, plan.path, edit)
        for hunk in block.hunks:
            _write_hunk(say, hunk)
    if plan.remaining:
        say(("not fixed:", "bold"))
    for finding in plan.remaining:
        finding_line(say, plan.path, finding)
        for text in _why_not(finding):
            say((f"{_INDENT}{text}", "dim"))


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


def _write_edit(say: Say, path: str, edit: Edit) -> None:
    say(
        (f"{one_line(path)}:{edit.line}:", "bold"),
        (" ", ""),
        (edit.change.value, "magenta"),
        (f" {edit.rule}: {sentence(edit.rule, edit.detail)}", ""),
    )
    known = (
        ("", _where(edit)),
        ("call ", None if edit.call_id is None else shortened(edit.call_id, _LONGEST_ID) or "(empty)"),
        ("message ", edit.index),
        ("part ", edit.part),
    )
    if text := "; ".join(f"{name}{value}" for name, value in known if value is not None):
        say((f"{_INDENT}{text}", "dim"))


def _where(edit: Edit) -> str | None:
    if edit.target is None:
        return None
    return f"behind line {edit.target}" if edit.target else "in front of all"


def _blocks(edits: tuple[Edit, ...], changed: list[Hunk]) -> list[_Block]:
    """Put each edit with the places it changes: a move has two, and neighbouring edits share one.

    A place that belongs to no edit, such as the comma between two elements of an array, stands alone.
    """
    at_line: dict[int, list[Hunk]] = {}
    for hunk in changed:
        for line in range(min(hunk.line, hunk.last), hunk.last + 1):
            at_line.setdefault(line, []).append(hunk)
        if hunk.line <= hunk.last and len(hunk.new) > len(hunk.old):
            at_line.setdefault(hunk.line - 1, []).append(hunk)
    owner: dict[int, _Block] = {id(hunk): _Block(hunk.line, [], [hunk]) for hunk in changed}
    blocks = {id(block): block for block in owner.values()}
    for edit in sorted(edits, key=lambda edit: edit.line):
        own = _Block(edit.line, [edit], [])
        touched = [hunk for line in (edit.line, edit.target) if line is not None for hunk in at_line.get(line, ())]
        for other in {id(owner[id(hunk)]): owner[id(hunk)] for hunk in touched}.values():
            own = _Block(min(own.line, other.line), other.edits + own.edits, sorted(own.hunks + other.hunks, key=_line))
            del blocks[id(other)]
        blocks[id(own)] = own
        owner.update((id(hunk), own) for hunk in own.hunks)
    return sorted(blocks.values(), key=_line)


def _line(one: Hunk | _Block) -> int:
    return one.line


def _write_hunk(say: Say, hunk: Hunk) -> None:
    say((f"@@ {_place(hunk)} @@", "cyan"))
    for old, new in partners(hunk.old, hunk.new):
        cut = {
            "head_cut": hunk.head_cut and (old is hunk.old[0] if old else new is hunk.new[0]),
            "tail_cut": hunk.tail_cut and (old is hunk.old[-1] if old else new is hunk.new[-1]),
        }
        both = views(old, new, **cut) if old and new else (view(old or new or b"", **cut),) * 2
        if old:
            _write_line(say, "-", both[0], "red", ended=old.endswith(b"\n") or hunk.tail_cut)
        if new:
            _write_line(say, "+", both[1], "green", ended=new.endswith(b"\n") or hunk.tail_cut)


def _write_line(say: Say, sign: str, shown: View, style: str, *, ended: bool) -> None:
    say((sign, style), (shown.before, "dim"), (shown.changed, style), (shown.after, "dim"))
    if not ended:
        say(("\\ no newline at the end of the file", "dim"))


def _place(hunk: Hunk) -> str:
    if hunk.last < hunk.line:
        return f"behind line {hunk.last}" if hunk.last else "in front of all"
    return f"line {hunk.line}" if hunk.last == hunk.line else f"lines {hunk.line}-{hunk.last}"


def _why_not(finding: Finding) -> Iterator[str]:
    if known := facts(finding):
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
