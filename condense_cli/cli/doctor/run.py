"""Run `condense doctor`: check the stores of all known clients."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Collection

from condense_cli.cli import options
from condense_cli.cli.check.values import FailOn
from condense_cli.cli.doctor.sessions import patients
from condense_cli.cli.doctor.since import since as moment
from condense_cli.cli.options import TextOrJson, size_of
from condense_cli.errors import ExitCode, UnreadableError, UsageError
from condense_cli.model.findings import Severity
from condense_cli.output import doctor as writer
from condense_cli.output.doctor import Practice
from condense_cli.storage.clients.folders import modified
from condense_cli.storage.clients.indexes import lost
from condense_cli.storage.clients.table import BY_NAME, stores, unread

_LEAST = {FailOn.ERROR: 3, FailOn.WARNING: 2, FailOn.INFO: 1, FailOn.NEVER: 9}
_PAUSE = 2.0  # seconds between two looks of --watch


def run(
    client: list[str] | None,
    since: str | None,
    watch: bool,
    fail_on: FailOn,
    output_format: TextOrJson,
    jobs: int,
    max_size: str,
) -> int:
    """Check every session that is found, and return the exit code."""
    unknown = set(client or ()) - set(BY_NAME)
    if unknown:
        raise UsageError(f"there is no client {min(unknown)!r}", f"one of: {', '.join(BY_NAME)}")
    if watch and output_format is TextOrJson.JSON:
        raise UsageError("--watch writes lines for people", "leave --output-format json out")
    limit = size_of("--max-size", max_size)
    start = moment(since)
    infos = fail_on is FailOn.INFO
    practice = _practice(client or (), start, jobs, limit, infos=infos)
    if output_format is TextOrJson.JSON:
        writer.as_json(practice, sys.stdout)
    else:
        writer.write(practice, sys.stdout, color=options.coloured(sys.stdout))
    while watch:
        sys.stdout.flush()
        time.sleep(_PAUSE)
        now = _practice(client or (), start, jobs, limit, infos=infos)
        writer.write_changes(practice, now, sys.stdout, color=options.coloured(sys.stdout))
        practice = now
    failing = any(patient.rank >= _LEAST[fail_on] for patient in practice.patients)
    return int(ExitCode.FOUND if failing else ExitCode.FINE)


def _practice(only: Collection[str], start: float, jobs: int, max_size: int, *, infos: bool) -> Practice:
    """Look at all sessions that are found; with infos, those that only have infos count as sessions with problems."""
    found = [store for store in stores(os.environ) if not only or store.client in only]
    others = [store for store in unread(os.environ) if not only or store.client in only]
    if not found and not others:
        raise UnreadableError(
            "no client's sessions were found on this machine", "`condense check FOLDER` looks below a folder"
        )
    clients = {
        path: store.client for store in found for path in store.sessions if not start or _modified(path) >= start
    }
    seen = patients(clients, jobs, max_size, os.getcwd())
    gone = [
        one
        for name in dict.fromkeys(store.client for store in found)
        for one in lost(name, [p for s in found if s.client == name for p in s.sessions], os.environ)
    ]
    moved = sorted(
        {patient.folder for patient in seen if os.path.isabs(patient.folder) and not os.path.isdir(patient.folder)}
    )
    return Practice(found, others, seen, (Severity.INFO if infos else Severity.WARNING).rank, gone, moved)


def _modified(path: str) -> float:
    try:
        return modified(path)
    except OSError:
        return 0.0
