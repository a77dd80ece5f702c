"""condense doctor: every session of every known client on this machine, worst first. Nothing is written."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from condense_cli.cli import checking, options
from condense_cli.cli.options import TextOrJson
from condense_cli.errors import ExitCode, UnreadableError

if TYPE_CHECKING:
    from condense_cli.output.doctor import Practice


_LEAST = {checking.FailOn.ERROR: 3, checking.FailOn.WARNING: 2, checking.FailOn.INFO: 1, checking.FailOn.NEVER: 9}


def doctor(
    fail_on: Annotated[checking.FailOn, typer.Option("--fail-on", help="Exit with 1 from this severity on.")] = checking.FailOn.WARNING,
    output_format: Annotated[TextOrJson, typer.Option("--output-format", help="text for people, json for programs.")] = TextOrJson.TEXT,
    jobs: checking.Jobs = 0,
) -> int:
    """Check the session stores of all known clients on this machine. Nothing is written, and nothing imported."""
    from condense_cli.output import doctor as writer

    practice = _practice(jobs, infos=fail_on is checking.FailOn.INFO)
    if output_format is TextOrJson.JSON:
        writer.as_json(practice, sys.stdout)
    else:
        writer.write(practice, sys.stdout, color=options.coloured(sys.stdout))
    failing = any(patient.rank >= _LEAST[fail_on] for patient in practice.patients)
    return int(ExitCode.FOUND if failing else ExitCode.FINE)


def _practice(jobs: int, *, infos: bool) -> Practice:
    """Check all sessions that are found; with infos, those that only have infos count as sessions with problems."""
    from condense_cli.cli.targets import Target
    from condense_cli.model.findings import Severity
    from condense_cli.output.doctor import Patient, Practice
    from condense_cli.rules.catalogue import RULES
    from condense_cli.storage.clients import stores, unread

    found, others = stores(os.environ), unread(os.environ)
    if not found and not others:
        raise UnreadableError("no client's sessions were found on this machine", "`condense check FOLDER` looks below a folder")
    client = {path: store.client for store in found for path in store.sessions}
    job = checking.Job("auto", (), None, every=False, stored=False, rules=frozenset(RULES))
    # A file in a store that is no session any more is what this command is for, so all count as named.
    reports = checking.reports([Target(path, named=True) for path in client], job, jobs)
    patients = [Patient(client[report.path], _modified(report.path), report) for report in reports]
    return Practice(found, others, patients, (Severity.INFO if infos else Severity.WARNING).rank)


def _modified(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0
