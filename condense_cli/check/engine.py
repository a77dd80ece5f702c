"""Check: all findings of a document, judged by one or more contracts. Nothing is changed.

The layers run in the order in which a repair works, and each looks at what the one before would leave, so that one
fault gives one finding: a call is not called unanswered because its result is in a torn line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from condense_cli.check.judge import judge
from condense_cli.check.layers import Choose, everything, scan_file
from condense_cli.document.tables import active_view
from condense_cli.model.findings import Finding, Report
from condense_cli.rules.catalogue import RULES
from condense_cli.rules.contracts import rejects
from condense_cli.rules.rule import Layer
from condense_cli.rules.thread import FaultScan, Thread

if TYPE_CHECKING:
    from condense_cli.document.document import Document
    from condense_cli.document.views import View

__all__ = ["Found", "check", "find", "thread_findings"]

_FIRST = {
    Layer.PAIRING: 0,
    "invalid-tool-name": 1,
    "invalid-call-id": 2,
}  # of several findings at one place, these come first
_SCANNED = sorted(RULES.values(), key=lambda rule: _FIRST.get(rule.layer, _FIRST.get(rule.name, 3)))


class Found(NamedTuple):
    """What is wrong with a document, not yet judged, and the virtual document in which nothing is wrong with the
    file itself.
    """

    document: Document
    findings: tuple[Finding, ...]


def check(
    document: Document,
    contracts: Sequence[str],
    *,
    leaf: str | None = None,
    every: bool = False,
    stored: bool = False,
    exempt: frozenset[str] = frozenset(),
) -> Report:
    """Find everything that is wrong and judge it by each contract.

    every: all threads; stored: whole paths, whatever compaction and edits leave out; exempt: tools whose calls need no
    result.
    """
    messages, calls, results = document.format.count(document)
    found = find(document, contracts, leaf=leaf, every=every, stored=stored, exempt=exempt)
    virtual, own = found.document, document.format.contract
    several = list(contracts) != [own]
    return Report(
        document.path,
        document.format.name if not document.neutral else "messages",
        document.format.version(virtual),
        document.format.threads(virtual),
        messages,
        calls,
        results,
        tuple(f for contract in contracts for f in judge(virtual, found.findings, contract, own, named=several)),
        own_contract=own,
        notice=virtual.notice(),
        unknown_kinds=tuple(virtual.format.unknown_kinds(virtual).most_common()),
    )


def find(
    document: Document, contracts: Sequence[str], *, leaf: str | None = None, every: bool = False, stored: bool = False,
    past: Choose = everything, exempt: frozenset[str] = frozenset(),
) -> Found:  # fmt: skip
    """Find everything that is wrong, without judging it; past says which findings of the file's layers are looked
    past.
    """
    scanned = scan_file(document, past)
    found = [
        finding for finding in scanned.findings if leaf is None or finding.rule != "hidden-history"
    ]  # who names a leaf has chosen
    virtual = scanned.document
    usual = not (every or stored or leaf is not None)
    for number, view in enumerate(_asked(virtual, leaf, every=every, whole=stored)):
        looked_at = view._replace(messages=virtual.format.stored(virtual, view)) if stored else view
        thread = Thread(virtual, looked_at, contracts, first=not number, exempt=exempt)
        found.extend(findings_once(thread, number) if usual else thread_findings(thread))
    return Found(virtual, tuple(found))


def _asked(document: Document, leaf: str | None, *, every: bool, whole: bool) -> Iterable[View]:
    """Return the threads that are looked at: the active one, or those that were asked for. A file of conversations has
    no active one: each is looked at.
    """
    if every and leaf is None and not whole:
        return document.format.looked_at(document)
    if every or leaf is not None or len(document.bodies) > 1:
        return document.format.views(document, leaf, every)
    return (document.derived(active_view),)


def findings_once(thread: Thread, number: int) -> tuple[Finding, ...]:
    """Return what is wrong with a thread that the client resumes, the first or another one of several conversations:
    looked for once in each document.
    """
    known = thread.document.derived(_known)
    key = (number, tuple(thread.contracts), thread.exempt)
    if key not in known:
        known[key] = tuple(thread_findings(thread))
    return known[key]


def _known(_: Document) -> dict[tuple[int, tuple[str, ...], frozenset[str]], tuple[Finding, ...]]:
    return {}


@cache
def _scans(contracts: tuple[str, ...]) -> tuple[Callable[[Thread], Iterable[Finding]], ...]:
    """Return the scans of the rules that any of the contracts rejects; of all rules, where there are no contracts."""
    return tuple(
        rule.scan_thread
        for rule in _SCANNED
        if rule.scan_thread is not None and (not contracts or any(rejects(rule.name, one) for one in contracts))
    )


def thread_findings(thread: Thread) -> Iterator[Finding]:
    """Yield what is wrong with one thread as its client reads it: pairing, calls, content.

    A rule that none of the thread's contracts rejects is not looked for.
    """
    clean = thread.is_clean
    for scan in _scans((*thread.contracts, thread.document.format.contract) if thread.contracts else ()):
        if not (type(scan) is FaultScan and clean):
            yield from scan(thread)
    yield from thread.document.format.thread_findings(thread.document, thread.view, thread.pairing)
