"""Proof of a compaction into a new file: it is read back before it takes its name."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from condense_cli.check.engine import find
from condense_cli.check.judge import judge
from condense_cli.errors import RefusedError
from condense_cli.model.findings import Severity
from condense_cli.pi_condense.compact.stand_in import marks
from condense_cli.repair.engine import end_of_thread

if TYPE_CHECKING:
    from condense_cli.document.document import Document
    from condense_cli.pi_condense.compact.rewrite import Rewriting

_ADVICE = "nothing was written; please report this, with the output of `condense check --output-format json`"


def prove(old: Document, new: Document, rewriting: Rewriting) -> None:
    """Raise RefusedError unless the new file ends where the old one does, breaks no more rules, and says what left.

    Both documents are read afresh.
    """
    path = old.path
    if end_of_thread(old) != end_of_thread(new):
        raise RefusedError(f"{path}: the compacted file would end at another entry", _ADVICE)
    said = sum(len(view.messages) for view in new.format.views(new, None, every=False))
    if said != rewriting.messages:
        raise RefusedError(f"{path}: the compacted file would say something else", _ADVICE)
    found = {mark.block: mark.refs for mark in marks(new)}
    for row in rewriting.compressed:
        if found.get(int(row.block[1:])) != tuple(int(kept.ref[1:]) for kept in row.kept):
            raise RefusedError(f"{path}: the compacted file would not say what {row.block} replaces", _ADVICE)
    before, now = _broken(old), _broken(new)
    for rule, number in now.items():
        if number > before[rule]:
            raise RefusedError(
                f"{path}: the compacted file would break {rule}", f"`condense repair` the session first; {_ADVICE}"
            )


def _broken(document: Document) -> Counter[str]:
    """Count the errors and warnings of the client's own contract."""
    own = document.format.contract
    found = find(document, (own,), every=True)
    return Counter(
        f.rule
        for f in judge(found.document, found.findings, own, own)
        if f.severity in (Severity.ERROR, Severity.WARNING)
    )
