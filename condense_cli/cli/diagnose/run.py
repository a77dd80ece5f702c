"""Run `condense` alone: what is wrong with the newest session of this folder, why, and what to do about it."""

from __future__ import annotations

import os
import sys
import time

from condense_cli.check.engine import check
from condense_cli.cli import options
from condense_cli.cli.repair import planned
from condense_cli.errors import CondenseError, ExitCode
from condense_cli.model.findings import Report, Severity
from condense_cli.model.plan import Plan
from condense_cli.model.policies import Policies
from condense_cli.output import newest as writer
from condense_cli.rules.refusals import recognise
from condense_cli.session.opened import Session, open_session
from condense_cli.session.repaired import plan_of
from condense_cli.session.stored_error import StoredError, last_error
from condense_cli.storage.clients.newest import Candidate, candidates
from condense_cli.storage.clients.table import resume_words, session_id


def run() -> int:
    """Diagnose the newest session of the working folder; return the exit code that `check` has for it."""
    color = options.coloured(sys.stdout)
    found = candidates(os.getcwd(), os.environ)
    if not found:
        writer.write_first_steps(sys.stdout, color=color)
        return int(ExitCode.FINE)
    newest, older = found[0], len(found) - 1
    with open_session(newest.path) as session:
        report = check(session.document, [session.format.contract])
        error = last_error(session.document)
        plan, refusal = _plan(session, report)
        about = writer.About(
            client=newest.client,
            id=session_id(newest.path, newest.client),
            path=newest.path,
            age=_age(newest),
            report=report,
            error=error,
            means=_means(error),
            plan=plan,
            refusal=refusal,
            resume=resume_words(session.format.name, newest.path),
            older=older,
        )
        writer.write(about, sys.stdout, color=color)
    return int(ExitCode.FOUND if any(_fails(finding.severity) for finding in report.findings) else ExitCode.FINE)


def _plan(session: Session, report: Report) -> tuple[Plan | None, str]:
    """Return what a repair would do, or why it is refused; nothing where there is nothing to repair."""
    if not any(_fails(finding.severity) and finding.fixable for finding in report.findings):
        return None, ""
    try:
        plan = plan_of(session, planned.choice_of(None, None, None, Policies(), None), bind=False)
    except CondenseError as problem:
        return None, f"{problem.problem}; {problem.advice}" if problem.advice else problem.problem
    return plan, ""


def _means(error: StoredError | None) -> str:
    """Return what is known of a stored error: the note of the first refusal that it is recognised as."""
    matches = recognise(error.text) if error is not None else ()
    return matches[0].note if matches else ""


def _age(newest: Candidate) -> float:
    return max(0.0, time.time() - newest.mtime)


def _fails(severity: Severity | None) -> bool:
    return severity in (Severity.ERROR, Severity.WARNING)
