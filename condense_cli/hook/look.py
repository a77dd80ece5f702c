"""What is wrong with a session that its user has not been told: a session that did not change is not read again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli import __version__
from condense_cli.storage import looks
from condense_cli.storage.looks import Look, Sight

if TYPE_CHECKING:
    from condense_cli.hook.event import Event
    from condense_cli.model.findings import Finding

CUT_OFF = "trailing-call"
"""The rule of a call that may still run. When a session is taken up again, nothing runs in it."""

_MOST = 500


def news(event: Event) -> tuple[Sight, ...]:
    """Return the errors and warnings of the session that are new since the last look, all when it is taken up again."""
    stamp = looks.stamp_of(event.path)
    if stamp is None:
        return ()
    before = looks.remembered(event.path)
    if before is not None and (before.version, before.stamp) == (__version__, stamp):
        found = before.found
    else:
        found = _check(event.path)
    told = before.told if before is not None else frozenset()
    bad = tuple(sight for sight in found if sight.severity != "info" or (event.begins and sight.rule == CUT_OFF))
    new = bad if event.begins else tuple(sight for sight in bad if sight.key not in told)
    now = Look(__version__, stamp, found, frozenset(sight.key for sight in bad))
    if now != before:
        looks.remember(event.path, now)
    return new


def _check(path: str) -> tuple[Sight, ...]:
    from condense_cli.check.engine import check
    from condense_cli.session.opened import open_session

    with open_session(path) as session:
        report = check(session.document, [session.format.contract])
    kept = [finding for finding in report.findings if finding.severity != "info" or finding.rule == CUT_OFF]
    return tuple(map(_sight, kept[:_MOST]))


def _sight(finding: Finding) -> Sight:
    assert finding.severity is not None
    place = finding.call_id or finding.entry or str(finding.line)
    key = f"{finding.rule} {finding.part or 0} {place}"
    return Sight(finding.rule, finding.line, finding.severity.value, finding.fixable or finding.rule == CUT_OFF, key)
