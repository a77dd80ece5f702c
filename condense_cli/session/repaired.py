"""The plan of an opened session, proved and written: to a new file, or in the place of the session."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable

from condense_cli.document.memory import BytesInMemory
from condense_cli.document.records import Bytes
from condense_cli.errors import RefusedError, UnreadableError
from condense_cli.formats.read import read_document
from condense_cli.model.findings import Finding, Severity
from condense_cli.model.plan import Plan, apply
from condense_cli.model.policies import Method, Trailing
from condense_cli.repair.append import append_plan
from condense_cli.repair.engine import Choice, make_plan
from condense_cli.repair.proof import prove
from condense_cli.rules.catalogue import RULES
from condense_cli.session.opened import Session
from condense_cli.storage.copied import keep_removed
from condense_cli.storage.databases.replace import replace_in_database
from condense_cli.storage.files import Replaced, replace_in_place
from condense_cli.storage.in_use import writers
from condense_cli.storage.journal_record import Repair
from condense_cli.storage.new_file import write_new
from condense_cli.storage.source import open_source, spooled

_TOO_LITTLE = "nothing was written; too little of it is left: take what is needed out by hand"
_LEFT = (Severity.ERROR, Severity.WARNING)


def plan_of(session: Session, choice: Choice, method: Method = Method.REWRITE, *, bind: bool = True) -> Plan:
    """Make the plan for an opened session.

    Raises RefusedError where its file is never repaired, UsageError for an unknown leaf.

    bind: the plan carries the SHA-256 of the input, as one needs that is applied later or in place.
    """
    if (packing := session.source.packing) is not None:
        unpack = f"{packing.command} {shlex.quote(session.path)}"
        raise RefusedError(
            f"{session.path}: a compressed file is only read", f"unpack it first: `{unpack}`, and repair the plain file"
        )
    if (refusal := _refusal(session)) is not None:
        # Nothing has to be refused for a session in which there is nothing to repair.
        plan = make_plan(session.document, choice._replace(ignore=frozenset(RULES)))
        if any(_is_asked(finding, choice) for finding in plan.findings):
            raise RefusedError(f"{session.path}: {refusal[0]}", refusal[1])
        return plan
    if method is Method.APPEND:
        return append_plan(session.document, choice)
    plan = make_plan(session.document, choice, bind=bind)
    answers = choice.policies.trailing is Trailing.AUTO and any(edit.rule == "trailing-call" for edit in plan.edits)
    if answers and _is_written(session.path):
        kept = choice._replace(policies=choice.policies._replace(trailing=Trailing.KEEP))
        return make_plan(session.document, kept, bind=bind)
    return plan


def _is_written(path: str) -> bool:
    """Say whether a client has the session open: a call at its end may be running, then."""
    try:
        facts = os.stat(path)
    except (OSError, ValueError):
        return False
    return next(writers(facts.st_dev, facts.st_ino), None) is not None


def _refusal(session: Session) -> tuple[str, str] | None:
    """Return why no repair of this session is planned: for what its format says, or where it is."""
    place = session.source.place
    if place is not None and place.refusal is not None:
        return place.refusal
    return session.document.refusal()


def is_left(plan: Plan, choice: Choice) -> bool:
    """Say whether an error or warning is left, among the rules that were asked for."""
    return any(_is_chosen(finding, choice) and finding.severity in _LEFT for finding in plan.remaining)


def _is_asked(finding: Finding, choice: Choice) -> bool:
    """Say whether the finding is to be fixed, were the file one that is repaired."""
    return _is_chosen(finding, choice) and (finding.rule in choice.select or finding.severity in _LEFT)


def _is_chosen(finding: Finding, choice: Choice) -> bool:
    return finding.rule not in choice.ignore and (not choice.select or finding.rule in choice.select)


def write(plan: Plan, session: Session, output: str, command: str = "", *, backup: bool = True) -> str:
    """Write the repaired session to a file, or to standard output (`-`): it is proved in a file without a name
    first.

    With backup, what was taken out is kept for `query`; return why that failed, or "". command: what the journal says
    was run. Raises RefusedError where the proof fails or the system does not write, UsageError where the output is the
    session.
    """
    if not plan.changes:
        write_new(output, apply(plan.segments, session.source), source=session.source)
        return ""
    with spooled(session.path, apply(plan.segments, session.source)) as new:
        _prove(plan, session, new)
        write_new(output, new.chunks(), source=session.source)
    if backup:
        try:
            keep_removed(output, session.source, plan.segments, repair=_repair(plan, command))
        except RefusedError as problem:
            return problem.problem
    return ""


def _prove(plan: Plan, session: Session, new: Bytes) -> None:
    """Read the new file as every later command will, and prove it. Raises RefusedError."""
    try:
        document = read_document(session.path, new, session.asked)
    except UnreadableError as problem:
        raise RefusedError(
            f"{session.path}: the repaired file would not be read as a session any more", _TOO_LITTLE
        ) from problem
    if document.neutral and document.format.name != plan.format:
        document = read_document(
            session.path, new, plan.format
        )  # nothing in it tells the APIs apart any more: either is right
    if document.format.name != plan.format:
        raise RefusedError(
            f"{session.path}: the repaired file would be read as {document.format.name}",
            f"name its format: --format {plan.format}",
        )
    prove(plan, session.document, document)


def _repair(plan: Plan, command: str) -> Repair:
    return Repair(plan.format, command, tuple(sorted({edit.rule for edit in plan.edits})))


def replace(
    plan: Plan,
    session: Session,
    command: str,
    *,
    force: bool = False,
    backup: bool = True,
    report: Callable[[Replaced], None] | None = None,
) -> Replaced:
    """Put the repaired session in the place of the old one; `undo` takes it back. Raises RefusedError and UsageError.

    command: what the journal says was run. report: told what was done while Ctrl-C still waits.
    """

    if session.source.place is not None:
        repair = _repair(plan, command)
        made = replace_in_database(
            session.source,
            session.source.place,
            plan.segments,
            lambda new: _prove(plan, session, BytesInMemory(new)),
            repair,
            force=force,
            backup=backup,
        )
        done = Replaced(made)
        if report is not None:
            report(done)
        return done

    def proved(path: str) -> None:
        with open_source(path) as new:
            _prove(plan, session, new)

    return replace_in_place(
        session.source,
        plan.segments,
        proved,
        repair=_repair(plan, command),
        sha256=plan.sha256,
        force=force,
        backup=backup,
        report=report,
    )
