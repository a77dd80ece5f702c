"""Check files: one after the other, or several at the same time; a bug in one never hides the reports of the others."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from condense_cli.check.engine import check
from condense_cli.check.judge import judge
from condense_cli.check.passed_over import reason_of
from condense_cli.cli.boundary import BUG_ADVICE, bug_in_words, in_words, show_traceback
from condense_cli.cli.targets import Target
from condense_cli.errors import CondenseError, ExitCode, UsageError
from condense_cli.model.findings import Finding, Report
from condense_cli.model.messages import Record
from condense_cli.rules.catalogue import PAIRING_RULES
from condense_cli.session.opened import Session, open_session
from condense_cli.session.pruned import NOTICED, pruning_findings, rendered_findings
from condense_cli.storage.source import UNPACK_LIMIT

_FEW_FILES = 3  # another process costs more than they do
_MANY_FILES = 20
_MANY_BYTES = 32 << 20
_RECORD = Finding._fields.index("record")


class Job(NamedTuple):
    """What is looked at in every file; max_size: bytes to which a compressed one may unpack."""

    format: str
    contracts: tuple[str, ...]
    leaf: str | None
    every: bool
    stored: bool
    rules: frozenset[str]
    max_size: int = UNPACK_LIMIT
    exempt: frozenset[str] = frozenset()
    rendered: bool = False  # calls and results are those that pruning leaves


def reports(found: list[Target], job: Job, jobs: int) -> Iterator[Report]:
    """Check files and yield their reports in the same order; a bar shows how far long work is.

    While there is a bar on the terminal nothing else may be written there, so the reports come when it has gone.
    """
    checked = _checked(found, job, jobs)
    if not sys.stderr.isatty() or not _takes_long(found):
        yield from checked
        return
    from condense_cli.output.terminal import progress

    with progress(len(found) if len(found) > 1 else None, "checking", sys.stderr) as advance:
        kept = []
        for report in checked:
            kept.append(report)
            advance()
    yield from kept


def _takes_long(found: list[Target]) -> bool:
    """Say whether there is enough to do for a bar: many files, or much to read."""
    if len(found) > _MANY_FILES:
        return True
    return sum(os.path.getsize(target.path) for target in found if os.path.isfile(target.path)) > _MANY_BYTES


def _checked(found: list[Target], job: Job, jobs: int) -> Iterator[Report]:
    workers = min(jobs or os.cpu_count() or 1, len(found))
    one = partial(check_file, job=job)
    if workers < 2 or len(found) <= _FEW_FILES:
        yield from map(one, found)
        return
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    done = 0
    try:
        with ProcessPoolExecutor(workers, initializer=_work_quietly) as pool:
            for report in pool.map(one, found, chunksize=max(1, min(16, len(found) // (workers * 4)))):
                yield report
                done += 1
    except BrokenProcessPool:  # the system killed a worker, for its memory as a rule: go on with one file at a time
        yield from map(one, found[done:])


def _work_quietly() -> None:
    """Leave Ctrl-C to the process that was started: a worker would only print a traceback."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def check_file(target: Target, job: Job) -> Report:
    """Check one file; one that was found below a folder and is no session says why. A bug is an error."""
    try:
        with open_session(target.path, job.format, max_size=job.max_size, judged_by=job.contracts) as session:
            contracts = job.contracts or (session.format.contract,)
            report = check(
                session.document, list(contracts), leaf=job.leaf, every=job.every, stored=job.stored, exempt=job.exempt
            )
            report = with_pruning(report, session, contracts, job)
    except UsageError:
        raise
    except CondenseError as problem:
        failed = _failed(target, problem)
        return failed if target.named else failed._replace(passed_over=reason_of(target.path))
    except (OSError, MemoryError) as problem:
        return _failed(target, in_words(problem))
    except Exception as bug:  # noqa: BLE001 - the boundary of one file
        show_traceback(bug)
        return _failed(target, CondenseError(bug_in_words(bug), BUG_ADVICE))._replace(exit_code=ExitCode.BUG)
    return report._replace(findings=tuple(_detached(f) for f in report.findings if f.rule in job.rules))


def with_pruning(report: Report, session: Session, contracts: Sequence[str], job: Job) -> Report:
    """Add what pruning notices; with the view `rendered` the pairing findings are those of what pruning leaves."""
    if not session.format.pruned:
        return report
    found = pruning_findings(session, job.leaf) if job.rules & NOTICED else []
    kept = report.findings
    if job.rendered:
        found += rendered_findings(session, job.leaf, job.exempt)
        kept = tuple(finding for finding in kept if finding.rule not in PAIRING_RULES)
    if not found and kept == report.findings:
        return report
    own = session.format.contract
    named = list(contracts) != [own]
    judged = (one for contract in contracts for one in judge(session.document, found, contract, own, named=named))
    return report._replace(findings=tuple(sorted((*kept, *judged), key=lambda finding: finding.line)))


def _failed(target: Target, problem: CondenseError) -> Report:
    error = Report(target.path, "", None, 0, 0, 0, 0, (), problem.problem, problem.advice)
    return error._replace(exit_code=problem.exit_code)


def _detached(finding: Finding) -> Finding:
    """Let go of the record, which holds on to the whole document and is slow to send to another process."""
    # Quicker than `_replace`: there may be thousands.
    return Finding._make((*finding[:_RECORD], Record(finding.line, 0, 0), *finding[_RECORD + 1 :]))
