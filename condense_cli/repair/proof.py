"""Proof of a repair: the new file is read back, and it must not be worse than the old one in anything.

No new finding of any severity, the same bytes where nothing was edited, the same end of the thread, and every text,
call and result that the client sent of the old file, unless an edit names its record or its call.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from condense_cli.check.client_texts import Missing, missing
from condense_cli.check.engine import find
from condense_cli.check.judge import judged
from condense_cli.check.layers import scan_file
from condense_cli.errors import RefusedError
from condense_cli.model.findings import Severity
from condense_cli.model.plan import Change, Copy, Put
from condense_cli.repair.engine import end_of_thread
from condense_cli.rules.catalogue import RULES
from condense_cli.rules.rule import Layer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from condense_cli.document.document import Document
    from condense_cli.model.findings import Finding
    from condense_cli.model.plan import Plan, Reader

_DAMAGED = "nothing was written; if the disk is sound, `condense repair` once more makes a new plan"
_PLAN = "nothing was written; make a new plan with --plan-out"
_CHUNK = 1 << 20
_LOOK = "nothing was written; `condense diff` shows the change, --select repairs one rule alone"
_TAKE_NOTHING = frozenset({Change.REPARENT, Change.MOVE, Change.INSERT})
_REORDERS = frozenset({Change.DROP, Change.MOVE, Change.INSERT})
_SHAPE = frozenset({"roles-not-alternating", "ends-with-assistant"})
_LEAF_MAY_GO = frozenset({Change.DROP, Change.MOVE})


def prove(plan: Plan, old: Document, new: Document) -> None:
    """Raise RefusedError unless the new file is what the plan promises, and not worse than the old one."""
    _same_bytes(plan, old.source, new.source)
    _no_new_finding(plan, old, new)
    _same_leaf(plan, old, new)
    _same_texts(plan, old, new)


def _no_new_finding(plan: Plan, old: Document, new: Document) -> None:
    # What the plan left broken in the file's own layers is left here, too: the thread is the one that it was made for.
    broken = {finding.rule for finding in plan.remaining}
    now, promised = _found(new, plan, broken), _counted(plan.remaining)
    for rule, number in _counted(now).items():
        if number > promised[rule]:
            first = next(finding.line for finding in now if finding.rule == rule)
            raise RefusedError(
                f"{plan.path}: the repaired file would still break {rule} (its line {first})", _without(rule)
            )
    before = list(plan.findings)
    more = _more(plan.remaining, before)
    if more:
        # The thread was looked at as if all of the file's own damage were repaired; this plan may leave some of it.
        before += _found(old, plan, broken)
        more &= _more(plan.remaining, before)
    for finding in _not_accepted([f for f in plan.remaining if f.rule in more], plan, before):
        problem = f"{plan.path}:{finding.line}: the repair would bring {finding.rule}, which the session does not have"
        raise RefusedError(problem, _without(finding.rule))


def _found(document: Document, plan: Plan, broken: set[str]) -> list[Finding]:
    found = find(document, plan.contracts, past=lambda f: f.rule not in broken, exempt=frozenset(plan.exempt))
    return judged(found.document, found.findings, plan.contracts, document.format.contract)


def _more(after: Iterable[Finding], before: Iterable[Finding]) -> set[str]:
    """Return the rules that are broken more often than before."""
    counted = _counted(before)
    return {rule for rule, number in _counted(after).items() if number > counted[rule]}


def _not_accepted(new: list[Finding], plan: Plan, before: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the findings that are worse than what the record, or the call, had before under other rules."""
    worst: dict[object, int] = {}
    for finding in before:
        for key in _keys(finding):
            worst[key] = max(_rank(finding), worst.get(key, 0))
    reordered = any(edit.change in _REORDERS for edit in plan.edits)
    for finding in new:
        if _rank(finding) == Severity.INFO.rank and finding.rule in _SHAPE and reordered:
            continue  # the neighbours of what was taken out or moved: the API takes them
        if all(worst.get(key, 0) < _rank(finding) for key in _keys(finding)):
            yield finding


def _keys(finding: Finding) -> tuple[object, ...]:
    place = (finding.line, finding.index)
    return (place,) if finding.call_id is None else (place, finding.call_id)


def _rank(finding: Finding) -> int:
    return finding.severity.rank if finding.severity is not None else 0


def _without(rule: str) -> str:
    return f"nothing was written; `condense diff` shows the change, `condense explain {rule}` says what the rule means, --select repairs one rule alone"  # noqa: E501 - a sentence is one text


def _counted(findings: Iterable[Finding]) -> Counter[str]:
    return Counter(finding.rule for finding in findings)


def _same_leaf(plan: Plan, old: Document, new: Document) -> None:
    """The thread ends where the plan says, and where it ended before unless an edit drops or moves one of the two."""
    now = end_of_thread(new)
    if plan.leaf is not None and now != plan.leaf:
        raise RefusedError(f"{plan.path}: the repaired file would end at another record than the plan says", _PLAN)
    view = next(old.format.views(old, None, every=False), None)
    leaf = view.leaf if view is not None else None
    if leaf is None or leaf.id is None or now == leaf.id or now not in old.taken or leaf.id not in new.taken:
        return
    ends = {leaf.line, *(record.line for record in old.records if record.id == now)}
    if not any(edit.line in ends and edit.change in _LEAF_MAY_GO for edit in plan.edits):
        raise RefusedError(f"{plan.path}: the client would go on from another record than before", _LOOK)


def _same_texts(plan: Plan, old: Document, new: Document) -> None:
    """What the client sent is sent: each missing piece must be at a place, or of a call, that an edit changes or
    drops.
    """
    lost = _unnamed(missing(old, new), plan)
    if lost:
        # A record that a damaged line gives back may be a compaction: it hides what it was made to hide.
        lost &= _unnamed(missing(_with_readable_lines(old, plan), new), plan)
    if lost:
        problem = f"{plan.path}:{min(lost)[0]}: what the client sends of this line"
        more = f" and of {len(lost) - 1} more" if len(lost) > 1 else ""
        raise RefusedError(f"{problem}{more} would not reach the model any more, and no edit says so", _LOOK)


def _unnamed(lost: Missing, plan: Plan) -> set[tuple[int, int]]:
    """Return the places (line from 1, index in an array or -1) of missing pieces that no edit names."""
    edits = [
        edit
        for edit in plan.edits
        if edit.change not in _TAKE_NOTHING or (edit.change is Change.INSERT and edit.line != edit.target)
    ]
    places = {(edit.line, edit.index) for edit in edits}
    calls = {edit.call_id for edit in edits if edit.call_id is not None}
    unnamed = [p for p in lost.pieces if (p.line, p.index) not in places and p.call_id not in calls]
    left = lost.times.copy()
    left.subtract(piece.digest for piece in lost.pieces)
    left.update(piece.digest for piece in unnamed)
    return {(piece.line, -1 if piece.index is None else piece.index) for piece in unnamed if left[piece.digest] > 0}


def _with_readable_lines(old: Document, plan: Plan) -> Document:
    """Return the old file with its damaged lines as the plan makes them readable, and nothing else repaired."""
    rules = {edit.rule for edit in plan.edits}
    return scan_file(old, lambda f: f.rule in rules and RULES[f.rule].layer is Layer.LINE).document


def _same_bytes(plan: Plan, old: Reader, new: Reader) -> None:
    at = 0
    for segment in plan.segments:
        if isinstance(segment, Put):
            if new.read(at, at + len(segment.data)) != segment.data:
                raise RefusedError(f"{plan.path}: the new file is not what was written", _DAMAGED)
            at += len(segment.data)
            continue
        assert isinstance(segment, Copy)
        for start in range(segment.start, segment.end, _CHUNK):
            end = min(start + _CHUNK, segment.end)
            if old.read(start, end) != new.read(at, at + end - start):
                raise RefusedError(f"{plan.path}: bytes that were not edited changed", _DAMAGED)
            at += end - start
