"""Run `condense doctor`: check the stores of all known clients."""

from __future__ import annotations

import os
import sys

from condense_cli.cli import options
from condense_cli.cli.check.files import Job, reports
from condense_cli.cli.check.values import FailOn
from condense_cli.cli.options import TextOrJson, size_of
from condense_cli.cli.targets import Target
from condense_cli.errors import ExitCode, UnreadableError
from condense_cli.model.findings import Severity
from condense_cli.output import doctor as writer
from condense_cli.output.doctor import Patient, Practice
from condense_cli.rules.catalogue import RULES
from condense_cli.storage.clients.table import stores, unread

_LEAST = {FailOn.ERROR: 3, FailOn.WARNING: 2, FailOn.INFO: 1, FailOn.NEVER: 9}


def run(
    fail_on: FailOn,
    output_format: TextOrJson,
    jobs: int,
    max_size: str,
) -> int:
    """Check every session that is found, and return the exit code."""
    practice = _practice(jobs, size_of("--max-size", max_size), infos=fail_on is FailOn.INFO)
    if output_format is TextOrJson.JSON:
        writer.as_json(practice, sys.stdout)
    else:
        writer.write(practice, sys.stdout, color=options.coloured(sys.stdout))
    failing = any(patient.rank >= _LEAST[fail_on] for patient in practice.patients)
    return int(ExitCode.FOUND if failing else ExitCode.FINE)


def _practice(jobs: int, max_size: int, *, infos: bool) -> Practice:
    """Check all sessions that are found; with infos, those that only have infos count as sessions with problems."""
    found, others = stores(os.environ), unread(os.environ)
    if not found and not others:
        raise UnreadableError("no client's sessions were found on this machine", "`condense check FOLDER` looks below a folder")
    client = {path: store.client for store in found for path in store.sessions}
    job = Job("auto", (), None, every=False, stored=False, rules=frozenset(RULES), max_size=max_size)
    # A file in a store that is no session any more is what this command is for, so all count as named.
    checked = reports([Target(path, named=True) for path in client], job, jobs)
    patients = [Patient(client[report.path], _modified(report.path), report) for report in checked]
    return Practice(found, others, patients, (Severity.INFO if infos else Severity.WARNING).rank)


def _modified(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0
