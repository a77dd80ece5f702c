"""Repair: find, mend, look again, until nothing new is found; the outcome is a plan.

Order: bytes, header, ids and parents, pairing, calls, content. One rule is mended in each round, for a drop
can create the next defect.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from condense_cli.check.engine import is_fixable, judge, mend_file, thread_findings
from condense_cli.document.document import Document
from condense_cli.document.format import View
from condense_cli.model.findings import Finding, Severity
from condense_cli.model.messages import Record
from condense_cli.model.plan import Plan
from condense_cli.pairing.pair import pair
from condense_cli.repair import calls, content, halves
from condense_cli.repair.halves import Context, Fixer
from condense_cli.repair.links import Surgery
from condense_cli.repair.policies import Ids, Policies, Trailing, Unanswered
from condense_cli.rules.catalogue import RULES
from condense_cli.rules.contracts import severity
from condense_cli.rules.line import mend_tail
from condense_cli.rules.tree import LINKS, drop_copies, mend_tree

# In the order in which they are asked; what stands before another must not undo it.
FIXERS: dict[str, Fixer] = {
    "duplicate-call-id": halves.split_duplicate_ids,
    "result-of-skipped-call": halves.drop_lost_results,
    "partial-call": halves.drop_partial_calls,
    "orphan-result": halves.drop_orphans,
    "duplicate-result": halves.drop_second_results,
    "displaced-result": halves.move_results,
    "result-before-call": halves.move_results,
    "invalid-call-id": halves.rename_bad_ids,
    "unanswered-call": halves.answer_calls,
    "trailing-call": halves.answer_calls,
    "reused-id": halves.rename_reused_ids,
    "invalid-tool-name": calls.mend_names,
    "missing-arguments": calls.add_arguments,
    "invalid-arguments": calls.mend_arguments,
    "nul-character": content.clean_nul,
    "invalid-image": content.replace_images,
    "unsigned-thinking": content.drop_blocks,
    "dangling-reasoning": content.drop_records,
    "foreign-reasoning": content.drop_records,
    "missing-reasoning": content.add_reasoning,
    "blank-text": content.drop_blocks,
    "empty-message": content.fill_empty,
    "results-not-first": content.results_first,
    "text-after-call": content.calls_last,
    "starts-without-user": content.add_first_user,
    "roles-not-alternating": content.merge_turns,
}
_MOST_ROUNDS = 200
_MOST_TRIES = 3


class Choice(NamedTuple):
    """What is to be mended: by which contracts, which rules, and how."""

    contracts: tuple[str, ...] = ()
    select: frozenset[str] = frozenset()
    ignore: frozenset[str] = frozenset()
    policies: Policies = Policies()
    leaf: str | None = None


def make_plan(document: Document, choice: Choice, *, bind: bool = True) -> Plan:
    """Mend the document in memory and return what that changes. The file is not touched. Raises UsageError for a leaf that is not there.

    bind: the plan carries the SHA-256 of the input, as one needs that is applied later or in place.
    """
    own = document.format.contract
    contracts = choice.contracts or (own,)
    wanted = Wanted(choice, contracts, own)
    mend_file(document, wanted.in_file)
    drop_copies(document)
    if choice.leaf is not None:
        next(iter(document.format.views(document, choice.leaf, every=False)), None)  # raises where there is no such entry
    first: list[Finding] | None = None
    limits = _Limits(set(), set(), set(), Counter())
    leaf: Record | None = None
    for _ in range(_MOST_ROUNDS):
        now, todo, end = _look(document, choice, contracts, own, wanted, limits)
        if first is None:
            first = now
        if todo is None:
            break
        view, rule, findings = todo
        before = len(document.edits)
        try:
            leaf = _mend(document, view, rule, findings, choice.policies, contracts) or leaf
        except ValueError:
            # A record is shaped as no client writes it, and a fixer found no place to write to.
            document.settle()
            limits.failed(rule, findings)
        drop_copies(document)
        limits.saw(findings, changed=len(document.edits) > before)
    behind = _tree_again(document, wanted)
    while mend_tail(document, wanted.in_file):
        behind = True
    if behind:
        now, _, end = _look(document, choice, contracts, own, wanted, limits)
    if _keep_leaf(document, choice, leaf):
        end = end_of_thread(document, choice.leaf)
    remaining = _remaining(document, now, wanted)
    segments = document.segments()
    return Plan(
        document.path,
        document.format.name,
        document.source.sha256() if bind else "",
        document.source.size,
        tuple(first or ()),
        tuple(remaining),
        tuple(document.edits),
        segments,
        tuple(contracts),
        end,
    )


def _tree_again(document: Document, wanted: Wanted) -> bool:
    """Look at the tree once more where faults were left in it: what hung on a record that went hangs on its parent now."""
    left = {rule for rule in LINKS if not wanted.in_file(rule)}
    if not any(f.rule in left for f in document.findings):
        return False
    # A record that nobody changed is at fault as before; a format may have put its facts as the client sees them.
    kept = [f for f in document.findings if f.rule not in left or f.detail or f.record.data is None]
    known = {(f.rule, id(f.record)) for f in kept}
    document.findings.clear()
    mend_tree(document, lambda _: False)
    document.findings[:] = kept + [f for f in document.findings if f.rule in left and (f.rule, id(f.record)) not in known]
    return True


def end_of_thread(document: Document, leaf: str | None = None) -> str | None:
    """Return the id of the record that ends the active thread, where records have ids."""
    view = next(iter(document.format.views(document, _still(document, leaf), every=False)), None)
    return view.leaf.id if view is not None and view.leaf is not None else None


class _Limits(NamedTuple):
    """What cannot be mended: without an end, rounds would pile up edits that change nothing for the better."""

    hopeless: set[tuple[str, Record, int | None]]
    stuck: set[tuple[str, Record, int | None]]  # nothing was done about them; they are tried again when something else has changed
    one_by_one: set[str]
    tried: Counter[tuple[str, Record, int | None]]

    def left(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Return the findings of one rule that are worth a try: all at once, unless that failed before."""
        left = tuple(f for f in findings if (key := (f.rule, f.record, f.part)) not in self.hopeless and key not in self.stuck)
        return left[:1] if left and left[0].rule in self.one_by_one else left

    def failed(self, rule: str, findings: tuple[Finding, ...]) -> None:
        """Remember that a fixer gave up on these findings."""
        self.one_by_one.add(rule)
        if len(findings) == 1:
            self.hopeless.add((findings[0].rule, findings[0].record, findings[0].part))

    def saw(self, findings: tuple[Finding, ...], *, changed: bool) -> None:
        """Remember that these findings were tried once more."""
        keys = [(f.rule, f.record, f.part) for f in findings]
        if changed:
            self.stuck.clear()
            self.tried.update(keys)
            self.hopeless.update(k for k in keys if self.tried[k] >= _MOST_TRIES)
        elif findings[0].rule not in self.one_by_one or len(findings) == 1:
            self.stuck.update(keys)


class Wanted:
    """Which findings are to be mended: error and warning by default, with --select whatever it names."""

    def __init__(self, choice: Choice, contracts: Sequence[str], own: str) -> None:
        self.choice = choice
        self.contracts = contracts
        self.own = own

    def in_file(self, rule: str) -> bool:
        """Decide for a rule (`rule:variant`) of the line, header and tree layers."""
        name, _, variant = rule.partition(":")
        how_bad = severity(name, variant, self.own, self.own)
        return how_bad is not None and self.rule(name, how_bad)

    def rule(self, name: str, how_bad: Severity) -> bool:
        """Decide for a rule of this severity."""
        choice, policies = self.choice, self.choice.policies
        if name in choice.ignore or not RULES[name].repair:
            return False
        if choice.select and name not in choice.select:
            return False
        by_policy = _POLICY.get(name)
        decided = by_policy(policies) if by_policy else None
        if decided is not None:
            return decided
        if name in choice.select:
            return True
        return how_bad is not Severity.INFO and not RULES[name].on_request

    def finding(self, finding: Finding) -> bool:
        """Decide for a judged finding."""
        if finding.severity is None or not self.rule(finding.rule, finding.severity):
            return False
        return is_fixable(finding, Severity.ERROR) or RULES[finding.rule].on_request


_POLICY: dict[str, Callable[[Policies], bool | None]] = {
    "unanswered-call": lambda p: False if p.unanswered is Unanswered.KEEP else None,
    "trailing-call": lambda p: p.trailing is not Trailing.KEEP or None,
    "reused-id": lambda p: {Ids.KEEP: False, Ids.RENAME: True, Ids.AUTO: None}[p.ids],
}

Todo = tuple[View, str, tuple[Finding, ...]]


def _look(
    document: Document, choice: Choice, contracts: Sequence[str], own: str, wanted: Wanted, limits: _Limits
) -> tuple[list[Finding], Todo | None, str | None]:
    """Return all findings as they are now, the first rule that has something to mend, and the entry that ends the thread."""
    found = judged(document, document.findings, contracts, own)
    todo: Todo | None = None
    end: str | None = None
    for view in document.format.views(document, _still(document, choice.leaf), every=False):
        end = end or (view.leaf.id if view.leaf is not None else None)
        on_thread = judged(document, thread_findings(document, view, contracts=contracts), contracts, own)
        found.extend(on_thread)
        if todo is not None:
            continue
        for rule in FIXERS:
            mine = limits.left(f for f in on_thread if f.rule == rule and wanted.finding(f))
            if mine:
                todo = (view, rule, mine)
                break
    return found, todo, end


def _still(document: Document, leaf: str | None) -> str | None:
    return leaf if leaf is None or any(r.id == leaf for r in document.records) else None


def judged(document: Document, found: Iterable[Finding], contracts: Sequence[str], own: str) -> list[Finding]:
    """Return the findings with the worst severity that any of the contracts gives them."""
    findings = list(found)
    best: dict[tuple[object, ...], Finding] = {}
    for contract in contracts:
        for finding in judge(document, findings, contract, own):
            key = (finding.rule, id(finding.record), finding.part, finding.call_id)
            before = best.get(key)
            if before is None or (finding.severity and before.severity and finding.severity.rank > before.severity.rank):
                best[key] = finding
    return list(best.values())


def _mend(document: Document, view: View, rule: str, findings: tuple[Finding, ...], policies: Policies, contracts: Sequence[str]) -> Record | None:
    pairing = pair(view.messages, shared_results=document.format.shared_results)
    surgery = Surgery(document, view)
    FIXERS[rule](Context(document, view, pairing, findings, policies, tuple(contracts), surgery))
    surgery.finish()
    return surgery.leaf


def _keep_leaf(document: Document, choice: Choice, leaf: Record | None) -> bool:
    """The leaf stays the leaf: when another branch's record became the last one, mark the end again."""
    if leaf is None or choice.leaf is not None or leaf.gone:
        return False
    value = document.format.keep_leaf(document, leaf)
    if value is None:
        return False
    document.add(value, document.format.leaf_place(document, leaf), "orphan-result", detail="keeps the leaf")
    document.settle()
    return True


def _remaining(document: Document, now: list[Finding], wanted: Wanted) -> list[Finding]:
    """Return what is left: of the file's own layers what was not to be mended, of the thread what is still found."""
    in_file = {(f.rule, id(f.record)) for f in document.findings}
    now = [f for f in now if not f.record.gone or f.rule == "missing-header"]
    return [f for f in now if (f.rule, id(f.record)) not in in_file or not wanted.finding(f)]
