"""The count rule: per id, a call needs a later result and a result an earlier call, one each, wherever they stand.

First calls are counted off from the end, then results from the beginning; then reasoning that nothing follows
goes. Halves without an id stay; an empty id is a defect. The calls of exempt tools stay, answered or not, and
use up a later result all the same.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from condense_cli.model.messages import Call, Half, Role
from condense_cli.pairing.decision import Decision, MessageOutline, emptied, in_order

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_Key = tuple[str, str]


def count(outlines: Sequence[MessageOutline], exempt: frozenset[str] = frozenset()) -> Decision:
    """Take out the halves that are left over when calls and results are counted off; exempt are tool names."""
    halves = [half for outline in outlines for half in _in_order(outline)]
    gone: set[Half] = set()
    waiting: Counter[_Key] = Counter()
    for half in reversed(halves):
        key = (half.id or "", half.family)
        if not isinstance(half, Call):
            waiting[key] += 1
        elif waiting[key]:
            waiting[key] -= 1
        elif half.name not in exempt:
            gone.add(half)
    asked: Counter[_Key] = Counter()
    for half in halves:
        key = (half.id or "", half.family)
        if isinstance(half, Call):
            asked[key] += half not in gone
        elif asked[key]:
            asked[key] -= 1
        else:
            gone.add(half)
    reasons: dict[Half, str] = {
        half: "unanswered-call" if isinstance(half, Call) else "orphan-result" for half in in_order(gone)
    }
    decision = Decision(frozenset(gone), reasons=reasons)
    decision = decision._replace(parts=_dangling(outlines, decision))
    return decision._replace(dropped=emptied(outlines, decision))


def _in_order(outline: MessageOutline) -> Iterator[Half]:
    message = outline.message
    halves = sorted(message.halves, key=lambda half: half.part) if message.calls and message.results else message.halves
    return (half for half in halves if half.id is not None)


def _dangling(outlines: Sequence[MessageOutline], decision: Decision) -> dict[int, frozenset[int]]:
    """Return the blocks of reasoning runs that neither text nor call of an assistant follows, by message."""
    found: dict[int, set[int]] = {}
    run: list[tuple[int, int]] = []
    for number, outline in enumerate(outlines):
        without = decision.without(number, outline)
        spoken = outline.message.role is Role.ASSISTANT
        for part, kind in enumerate(outline.kinds):
            if part in without:
                continue
            if spoken and kind == "h":
                run.append((number, part))
                continue
            if not spoken or kind == "r":
                _add(found, run)
            run.clear()
        if not outline.kinds and not spoken:
            _add(found, run)
            run.clear()
    _add(found, run)
    return {number: frozenset(parts) for number, parts in found.items()}


def _add(found: dict[int, set[int]], run: Sequence[tuple[int, int]]) -> None:
    for number, part in run:
        found.setdefault(number, set()).add(part)
