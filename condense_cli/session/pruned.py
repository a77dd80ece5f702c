"""What pi-condense notices in a session while it prunes, and what it has written down: findings at the records
concerned.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from condense_cli.document.views import View
from condense_cli.jsonbytes.javascript import string
from condense_cli.model.findings import Finding
from condense_cli.pi_condense.prune.decide import ORPHAN
from condense_cli.pi_condense.prune.facts import OWN_TYPES
from condense_cli.pi_condense.prune.settings import Settings
from condense_cli.pi_condense.prune.sweeps import as_outlines
from condense_cli.pi_condense.prune.views import Rendering, render
from condense_cli.rules.catalogue import PAIRING_RULES
from condense_cli.rules.thread import Thread

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense_cli.model.messages import Record
    from condense_cli.pi_condense.prune.diagnostics import Diagnostic
    from condense_cli.session.opened import Session

NOTICED = frozenset({"unresolved-range", "range-id-mismatch", "orphan-sweep", "backfill-empty"})
"""The rules that are looked for here alone."""

DIAGNOSTIC_TYPE = "context-prune-diagnostic"
_DETAIL = re.compile(r"blockId=\S{1,80} [ -~]{1,160}|swept [0-9]+ orphan toolResult\(s\): [ -~]{0,400}|middles=[0-9]+")


def pruning_findings(session: Session, leaf: str | None = None) -> list[Finding]:
    """Return what pruning the active thread notices, then what the thread has stored of that; equal ones once.

    A thread without any record of pi-condense is not pruned for this: its orphans are findings of their own.
    """
    if not session.format.pruned:
        return []
    if not any(map(_is_own, session.records)):
        return []
    branch = session.branch(leaf)
    if not any(map(_is_own, branch)):
        return []
    found = list(_noticed(render(branch, session.loader(), Settings())))
    told = {(finding.rule, finding.detail) for finding in found}
    stored = _stored(session, [r for r in branch if r.kind == "custom" and r.extra == DIAGNOSTIC_TYPE])
    return [*found, *(finding for finding in stored if (finding.rule, finding.detail) not in told)]


def _is_own(record: Record) -> bool:
    return record.kind in ("custom", "custom_message") and str(record.extra).startswith(OWN_TYPES)


def _stored(session: Session, records: Sequence[Record]) -> Iterator[Finding]:
    """Yield the records in which pi-condense wrote down what it noticed; a text that is not its own is left out."""
    seen: set[tuple[str, str]] = set()
    for record in records:
        data = session.load(record).get("data")
        kind, detail = (data.get("kind"), data.get("detail")) if isinstance(data, dict) else (None, None)
        if not isinstance(kind, str) or kind not in NOTICED:
            continue
        known = detail if isinstance(detail, str) and _DETAIL.fullmatch(detail) else ""
        if (kind, known) not in seen:
            seen.add((kind, known))
            yield Finding(kind, record.line, record, detail=known)


def _noticed(rendering: Rendering) -> Iterator[Finding]:
    chains = {string(chain.block_id): chain.record for chain in rendering.branch.records.chains()}
    pruning = rendering.pruning
    orphans = [pruning.places[n].record for n, reason in sorted(pruning.dropped.items()) if reason == ORPHAN]
    for diagnostic in pruning.diagnostics:
        record = _record(diagnostic, chains, orphans)
        if record is not None:
            related = tuple(one.line for one in orphans[1:]) if diagnostic.kind == "orphan-sweep" else ()
            yield Finding(diagnostic.kind, record.line, record, detail=diagnostic.detail, related=related)


def _record(diagnostic: Diagnostic, chains: dict[str, Record], orphans: Sequence[Record]) -> Record | None:
    if diagnostic.kind == "orphan-sweep":
        return orphans[0] if orphans else None
    return chains.get(diagnostic.key.removeprefix("overlap:"))


def rendered_findings(session: Session, leaf: str | None = None, exempt: frozenset[str] = frozenset()) -> list[Finding]:
    """Return the broken pairs that are left in the messages after pruning, each at the record that the message comes
    from.
    """
    rendering = render(session.branch(leaf), session.loader(), Settings())
    pruning = rendering.pruning
    steps = [step for step in pruning.steps if isinstance(step, int)]
    records = [pruning.places[step].record for step in steps]
    outlines = as_outlines([pruning.places[step].facts for step in steps])
    thread = Thread(session.document, View((), [outline.message for outline in outlines]), exempt=exempt)
    return [_at(finding, records) for rule in sorted(PAIRING_RULES) for finding in thread.faults(rule)]


def _at(finding: Finding, records: Sequence[Record]) -> Finding:
    """Put a finding over numbers of messages at their records."""
    record = records[finding.line]
    return finding._replace(
        line=record.line, record=record, related=tuple(sorted({records[n].line for n in finding.related}))
    )
