"""Proof of a repair: the new file is read back through the whole check before it is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from condense_cli.check.engine import find
from condense_cli.check.judge import judge
from condense_cli.document.document import Document
from condense_cli.errors import RefusedError
from condense_cli.model.findings import Finding, Severity
from condense_cli.model.plan import Copy, Plan, Put, Reader
from condense_cli.repair.engine import end_of_thread

_ADVICE = "nothing was written; please report this, with the output of `condense check --output-format json`"
_CHUNK = 1 << 20


def prove(plan: Plan, document: Document, old: Reader, new: Reader) -> None:
    """Raise RefusedError unless the new file has no new finding, the same leaf, and the old bytes where nothing was edited.

    document is the new file as it was read; the plan says what was promised.
    """
    _same_bytes(plan, old, new)
    left = _counted(plan.remaining)
    own = document.format.contract
    # What the plan left broken in the file's own layers is left here, too: the thread is the one that it was made for.
    broken = {finding.rule for finding in plan.remaining}
    found = find(document, plan.contracts, past=lambda f: f.rule not in broken, exempt=frozenset(plan.exempt))
    now: Counter[str] = Counter()
    for contract in plan.contracts:
        now |= _counted(judge(found.document, found.findings, contract, own))
    for rule, number in now.items():
        if number > left[rule]:
            raise RefusedError(f"{plan.path}: the repaired file would still break {rule}", _ADVICE)
    if plan.leaf is not None and end_of_thread(document) != plan.leaf:
        raise RefusedError(f"{plan.path}: the repaired file would end at another entry", _ADVICE)


def _counted(findings: Iterable[Finding]) -> Counter[str]:
    return Counter(f.rule for f in findings if f.severity in (Severity.ERROR, Severity.WARNING))


def _same_bytes(plan: Plan, old: Reader, new: Reader) -> None:
    at = 0
    for segment in plan.segments:
        if isinstance(segment, Put):
            if new.read(at, at + len(segment.data)) != segment.data:
                raise RefusedError(f"{plan.path}: the new file is not what was written", _ADVICE)
            at += len(segment.data)
            continue
        assert isinstance(segment, Copy)
        for start in range(segment.start, segment.end, _CHUNK):
            end = min(start + _CHUNK, segment.end)
            if old.read(start, end) != new.read(at, at + end - start):
                raise RefusedError(f"{plan.path}: bytes that were not edited changed", _ADVICE)
            at += end - start
