"""All sessions with what was found in them: what did not change since the last run comes from the cache."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence

from condense_cli.model.findings import Finding, Report, Severity
from condense_cli.model.messages import Record
from condense_cli.output.doctor import Patient
from condense_cli.storage import cache
from condense_cli.storage.cache import CacheRow, Stamp
from condense_cli.storage.clients.folders import head, same_folder, text_of
from condense_cli.storage.program import program_version

_FACTS = ("format", "client_version", "threads", "messages", "calls", "results", "own_contract", "notice")
_FINDING = ("rule", "line", "severity", "variant", "part", "call_id", "related", "detail", "index", "entry", "fixable")


def patients(clients: Mapping[str, str], jobs: int, max_size: int, folder: str) -> list[Patient]:
    """Return all sessions, those of the folder first. clients: path -> client."""
    version = program_version()
    before = cache.known(version)
    stamps = {path: cache.stamp_of(path) for path in clients}
    found = {
        path: patient
        for path in clients
        if (patient := _kept(path, clients[path], stamps[path], before.get(path))) is not None
    }
    todo = [path for path in clients if path not in found]
    todo.sort(key=lambda path: (not _is_here(path, folder), -(stamps[path] or (0,) * 5)[3]))
    made = _look(todo, clients, jobs, max_size)
    found |= made
    rows = {
        path: CacheRow(stamp, packed(patient))
        for path, patient in made.items()
        if (stamp := stamps[path]) is not None and patient.report.error is None
    }
    gone = [path for path in before if path not in clients and not os.path.exists(path)]
    if rows or gone:
        cache.keep(version, rows, gone)
    here = {named for named in {found[path].folder for path in clients} if named and same_folder(named, folder)}
    return [found[path]._replace(here=found[path].folder in here) for path in clients]


def _kept(path: str, client: str, stamp: Stamp | None, row: CacheRow | None) -> Patient | None:
    return (
        unpacked(path, client, stamp[3] / 1e9, row.data)
        if row is not None and stamp is not None and row.stamp == stamp
        else None
    )


def _is_here(path: str, folder: str) -> bool:
    named = text_of(head(path), "cwd")
    return named is not None and same_folder(named, folder)


def _look(paths: Sequence[str], clients: Mapping[str, str], jobs: int, max_size: int) -> dict[str, Patient]:
    """Check sessions; what reads formats is imported only where there is one to check."""
    if not paths:
        return {}
    from condense_cli.cli.check.files import Job, reports
    from condense_cli.cli.targets import Target
    from condense_cli.rules.catalogue import RULES
    from condense_cli.session.title import title_of

    job = Job("auto", (), None, every=False, stored=False, rules=frozenset(RULES), max_size=max_size)
    made: dict[str, Patient] = {}
    # A file in a store that is no session any more is what this command is for, so all count as named.
    for report in reports([Target(path, named=True) for path in paths], job, jobs):
        data = head(report.path)
        modified = (cache.stamp_of(report.path) or (0,) * 5)[3] / 1e9
        made[report.path] = Patient(clients[report.path], modified, report, title_of(data), text_of(data, "cwd") or "")
    return made


# ---------------------------------------------------------------------- as text
def packed(patient: Patient) -> str:
    """Write what was found in a session as JSON."""
    report = patient.report
    findings = [[getattr(finding, name) for name in _FINDING] for finding in report.findings]
    return json.dumps([patient.title, patient.folder, [getattr(report, name) for name in _FACTS], findings])


def unpacked(path: str, client: str, modified: float, data: str) -> Patient | None:
    """Read what `packed` wrote; None where that is not what it is."""
    try:
        title, folder, facts, rows = json.loads(data)
        findings = tuple(_finding(dict(zip(_FINDING, row, strict=True))) for row in rows)
        report = Report(path=path, findings=findings, **dict(zip(_FACTS, facts, strict=True)))
        return Patient(client, modified, report, str(title), str(folder))
    except (ValueError, TypeError, AssertionError):
        return None


def _finding(value: dict[str, object]) -> Finding:
    severity, related = value.pop("severity"), value.pop("related")
    line = value["line"]
    assert isinstance(line, int)
    assert isinstance(related, list)
    how_bad = None if severity is None else Severity(str(severity))
    record = Record(line, 0, 0)
    return Finding(record=record, severity=how_bad, related=tuple(related), **value)  # type: ignore[arg-type]
