"""Repair: fix the file's layers, then the threads round by round; the outcome is a plan. The file is not touched.

Order: bytes, header, ids and parents, pairing, calls, content.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from condense_cli.check.engine import find
from condense_cli.check.judge import judged, key_of
from condense_cli.check.layers import scan_file
from condense_cli.document.edits import RecordEdit, apply_edits
from condense_cli.document.index import Index
from condense_cli.errors import RefusedError
from condense_cli.model.plan import Plan
from condense_cli.repair.choice import Choice
from condense_cli.repair.rounds import repair_threads, views
from condense_cli.rules.tree.duplicates import COPIES, outdated_copies

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.document.document import Document
    from condense_cli.model.findings import Finding
    from condense_cli.model.messages import Record

__all__ = ["Choice", "Repaired", "end_of_thread", "make_plan", "repair"]

_MOST_PASSES = 50


class Repaired(NamedTuple):
    """A repaired document, the edits that made it, and the record that ended the thread before."""

    document: Document
    edits: tuple[RecordEdit, ...] = ()
    leaf: Record | None = None

    def after(
        self, edits: tuple[RecordEdit, ...], document: Document | None = None, leaf: Record | None = None
    ) -> Repaired:
        """Return the same after more edits."""
        made = document if document is not None else apply_edits(self.document, edits)
        return Repaired(made, (*self.edits, *edits), leaf or self.leaf)


def make_plan(document: Document, choice: Choice, *, bind: bool = True) -> Plan:
    """Return what a repair changes in a document.

    Raises UsageError for a leaf that is not there, RefusedError where no message would be left.

    bind: the plan carries the SHA-256 of the input, as one needs that is applied later or in place.
    """
    own = document.format.contract
    contracts = choice.contracts or (own,)
    first = find(document, contracts, leaf=choice.leaf, exempt=choice.exempt)
    found = judged(first.document, first.findings, contracts, own)
    done = repair(document, choice)
    # What is left broken in the file's own layers is what the client has, too: nothing after it is looked at as if it
    # were not.
    left = find(
        done.document,
        contracts,
        leaf=still(done.document, choice.leaf),
        past=lambda f: choice.takes_in_file(f, own),
        exempt=choice.exempt,
    )
    remaining = judged(left.document, left.findings, contracts, own)
    if choice.select or choice.ignore:
        remaining += _of_a_check(done.document, choice, contracts, remaining)
    return Plan(
        document.path,
        document.format.name,
        document.source.sha256() if bind else "",
        document.source.size,
        tuple(found),
        tuple(remaining),
        tuple(edit.edit for edit in done.edits if edit.edit is not None),
        done.document.segments(),
        tuple(contracts),
        end_of_thread(done.document, choice.leaf),
        tuple(sorted(choice.exempt)),
    )


def _of_a_check(
    document: Document, choice: Choice, contracts: tuple[str, ...], known: Sequence[Finding]
) -> Iterator[Finding]:
    """Yield what a check finds besides: it leaves aside all damage of the file, a repair what it was to repair."""
    whole = find(document, contracts, leaf=still(document, choice.leaf), exempt=choice.exempt)
    keys = {key_of(finding) for finding in known}
    for finding in judged(whole.document, whole.findings, contracts, document.format.contract):
        if key_of(finding) not in keys:
            yield finding


def repair(document: Document, choice: Choice) -> Repaired:
    """Fix what is chosen: the file's layers, the threads, and again what the layers have to say of the outcome."""
    own = document.format.contract
    contracts = choice.contracts or (own,)

    def choose(finding: Finding) -> bool:
        return choice.takes_in_file(finding, own)

    scanned = scan_file(document, choose)
    copies = frozenset(f.record.as_read for f in scanned.findings if f.rule in COPIES and f.record.id and not choose(f))
    stale = outdated_copies(scanned.document, copies, Index(scanned.document))
    done = Repaired(document).after(scanned.edits, scanned.document).after(stale)
    if choice.leaf is not None:
        next(
            document.format.views(done.document, choice.leaf, every=False), None
        )  # raises where there is no such record
    before = done.document
    threads = repair_threads(before, choice, contracts, copies)
    done = done.after(threads.edits, threads.document, threads.leaf)
    if done.edits:
        for _ in range(_MOST_PASSES):
            # What was dropped can make a line the torn tail, or leave a parent that is not there.
            again = scan_file(done.document, choose)
            if not again.edits:
                break
            done = done.after(again.edits, again.document)
    _refuse_nothing(document, done)
    kept = _keep_leaf(before, done, choice)
    if kept is done:
        return done
    # While another branch's record was the last one, the client's thread was not the one that is kept.
    threads = repair_threads(kept.document, choice, contracts, copies)
    return kept.after(threads.edits, threads.document, threads.leaf)


def _refuse_nothing(document: Document, done: Repaired) -> None:
    """Raise RefusedError where there were messages and a repair leaves none: a client could not read that."""
    count = document.format.count
    if done.edits and count(document)[0] and not count(done.document)[0]:
        raise RefusedError(
            f"{document.path}: no message would be left",
            "nothing was written; the file stays as it is, start a new session",
        )


def still(document: Document, leaf: str | None) -> str | None:
    """Return the leaf, or None where no record has its id any more."""
    return leaf if leaf is not None and leaf in document.taken else None


def end_of_thread(document: Document, leaf: str | None = None) -> str | None:
    """Return the id of the record that ends the active thread, where records have ids."""
    view = next(views(document, leaf), None)
    return view.leaf.id if view is not None and view.leaf is not None else None


def _keep_leaf(before: Document, done: Repaired, choice: Choice) -> Repaired:
    """The leaf stays the leaf: when another branch's record became the last one, mark the end again."""
    document = done.document
    now = document.derived(_by_id).get(done.leaf.id or "") if done.leaf is not None else None
    if now is None or choice.leaf is not None:
        return done
    after = _after_dropped_leaf(before, document)
    if after is not None:
        return Repaired(document, done.edits, after)
    value = document.format.keep_leaf(document, now)
    if value is None:
        return done
    draft = Index(document).draft()
    draft.add(value, document.format.leaf_place(document, now), "orphan-result", detail="keeps the leaf")
    return done.after(draft.edits)


def _after_dropped_leaf(before: Document, now: Document) -> Record | None:
    """Return the record that ends the thread now, where it descends from a leaf that was dropped."""
    leaf, end = end_of_thread(before), end_of_thread(now)
    if leaf is None or end is None or leaf in now.taken:
        return None
    owners, seen = before.derived(_by_id), set[str]()
    at = owners.get(end)
    while at is not None and at.id not in seen:
        seen.add(at.id or "")
        above = before.format.parent_of(before, at)
        if above == leaf:
            return now.derived(_by_id)[end]
        at = owners.get(above or "")
    return None


def _by_id(document: Document) -> dict[str, Record]:
    return {record.id: record for record in document.records if record.id is not None}
