"""The rounds of a repair: scan the threads, fix the first rule that is broken in each, scan again, until nothing new
is found.

One rule is fixed in each round, for a drop can create the next finding; all its findings at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from condense_cli.check.engine import findings_once, thread_findings
from condense_cli.check.judge import judged
from condense_cli.document.edits import RecordEdit, apply_edits
from condense_cli.document.index import Index
from condense_cli.model.findings import Severity
from condense_cli.rules.catalogue import FIX_ORDER, RULES
from condense_cli.rules.thread import Thread
from condense_cli.rules.tree.duplicates import outdated_copies

if TYPE_CHECKING:
    from condense_cli.document.document import Document
    from condense_cli.document.views import View
    from condense_cli.model.findings import Finding
    from condense_cli.model.messages import Record
    from condense_cli.pairing.pair import Pairing
    from condense_cli.repair.choice import Choice

_MOST_ROUNDS = 200
_MOST_TRIES = 3

_Key = tuple[str, "Record", int | None]


class Task(NamedTuple):
    """A thread with the findings of the one rule that is fixed in it now."""

    view: View
    pairing: Pairing
    findings: tuple[Finding, ...]


class Tried:
    """What was tried: without an end, rounds would pile up edits that change nothing for the better."""

    def __init__(self) -> None:
        self._hopeless: set[_Key] = set()
        self._stuck: set[_Key] = (
            set()
        )  # nothing was done about them; they are tried again when something else has changed
        self._times: Counter[_Key] = Counter()

    def left(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Return the findings that are worth a try."""
        return tuple(f for f in findings if (key := _key(f)) not in self._hopeless and key not in self._stuck)

    def give_up(self, finding: Finding) -> None:
        """Remember that a record is shaped as no client writes it, and the fix found no place to write to."""
        self._hopeless.add(_key(finding))

    def saw(self, findings: Iterable[Finding], *, changed: bool) -> None:
        """Remember that findings were tried once more."""
        keys = [_key(finding) for finding in findings]
        if changed:
            self._stuck.clear()
            self._times.update(keys)
            self._hopeless.update(key for key in keys if self._times[key] >= _MOST_TRIES)
        else:
            self._stuck.update(keys)


class Sides:
    """Which turns were beside one of the same side before anything was repaired.

    An API that wants the sides to alternate refuses two of one side. Where the repair itself brings two together, by
    taking out what was between them, it joins them; what the session had is joined on request alone.
    """

    def __init__(self) -> None:
        self._known: set[Record] = set()
        self._closed = False

    def look(self, findings: Iterable[Finding]) -> None:
        """Remember what is there in the first round."""
        if not self._closed:
            self._known.update(finding.record.as_read for finding in findings if finding.rule == _SIDES)

    def close(self) -> None:
        """End the first round."""
        self._closed = True

    def are_new(self, finding: Finding) -> bool:
        """Say whether a finding is about two turns that the repair brought together, and an error."""
        return (
            self._closed
            and finding.rule == _SIDES
            and finding.severity is Severity.ERROR
            and finding.record.as_read not in self._known
        )


_SIDES = "roles-not-alternating"


def _key(finding: Finding) -> _Key:
    return finding.rule, finding.record.as_read, finding.part


class Outcome(NamedTuple):
    """The repaired document, the edits that made it, and the records that ended the threads whose end a fix moved."""

    document: Document
    edits: tuple[RecordEdit, ...]
    leaf: Record | None


def repair_threads(
    document: Document, choice: Choice, contracts: tuple[str, ...], copies: frozenset[Record]
) -> Outcome:
    """Fix what is chosen in the active thread, or in each conversation.

    copies: records that repeat an earlier one and stay.
    """
    edits: list[RecordEdit] = []
    leaf: Record | None = None
    tried, sides = Tried(), Sides()
    for _ in range(_MOST_ROUNDS):
        tasks = list(_tasks(document, choice, contracts, tried, sides))
        sides.close()
        if not tasks:
            break
        made: list[RecordEdit] = []
        for task in tasks:
            index = Index(document, task.view, task.pairing, choice.policies, contracts, task.findings)
            mine, end = _fix(index, tried)
            made.extend(mine)
            leaf = end or leaf
        document = apply_edits(document, made)
        stale = outdated_copies(document, copies, Index(document)) if made else ()
        document = apply_edits(document, stale)
        edits += (*made, *stale)
        tried.saw((finding for task in tasks for finding in task.findings), changed=bool(made))
    return Outcome(document, tuple(edits), leaf)


def _tasks(
    document: Document, choice: Choice, contracts: tuple[str, ...], tried: Tried, sides: Sides
) -> Iterator[Task]:
    own = document.format.contract
    taken: dict[tuple[object, ...], bool] = {}  # asked once for all findings of a kind
    for number, view in enumerate(views(document, choice.leaf)):
        thread = Thread(document, view, contracts, first=not number, exempt=choice.exempt)
        groups: dict[str, list[Finding]] = {}
        found = findings_once(thread, number) if choice.leaf is None else thread_findings(thread)
        findings = judged(document, found, contracts, own)
        sides.look(findings)
        for finding in findings:
            kind = finding.rule, finding.variant, finding.severity, finding.possible
            if kind not in taken:
                taken[kind] = choice.takes(finding)
            if taken[kind] or (sides.are_new(finding) and finding.rule not in choice.ignore):
                groups.setdefault(finding.rule, []).append(finding)
        for rule in FIX_ORDER:
            mine = tried.left(groups.get(rule, ()))
            if mine:
                yield Task(view, thread.pairs, mine)
                break


def views(document: Document, leaf: str | None) -> Iterator[View]:
    """Yield the active thread, or the one that ends at a leaf as long as that is there."""
    there = leaf if leaf is None or leaf in document.taken else None
    return document.format.views(document, there, every=False)


def _fix(index: Index, tried: Tried) -> tuple[Sequence[RecordEdit], Record | None]:
    """Return the edits for the findings of a round, and the new end of the thread if that moved."""
    fix = RULES[index.findings[0].rule].fix
    assert fix is not None
    try:
        return fix(index.findings, index), index.end
    except ValueError:
        return _fix_by_halves(index, tried)


def _fix_by_halves(index: Index, tried: Tried) -> tuple[Sequence[RecordEdit], Record | None]:
    """Look for the findings that cannot be fixed: leave them out, and fix one half of the rest now, the other in the
    next round.
    """
    findings = tuple(index.findings)
    if len(findings) == 1:
        tried.give_up(findings[0])
        return (), None
    middle = len(findings) // 2
    first, end = _fix(index.among(findings[:middle]), tried)
    if first:
        return first, end
    return _fix(index.among(findings[middle:]), tried)
