"""Run `condense repair`: show what would be changed; with -o or -i write it, after it was proved."""

from __future__ import annotations

import json
import sys
from typing import NamedTuple

from condense_cli.cli import options
from condense_cli.cli.boundary import BUG_ADVICE, bug_in_words, show_traceback
from condense_cli.cli.options import TextOrJson
from condense_cli.cli.repair import planned
from condense_cli.cli.sessions import sessions_of
from condense_cli.errors import CondenseError, ExitCode, RefusedError, UsageError
from condense_cli.formats.read import read_document
from condense_cli.model.plan import Plan, apply
from condense_cli.model.policies import Displaced, Ids, Method, Orphan, Policies, Trailing, Unanswered
from condense_cli.output import plan_file
from condense_cli.output.changes import summary, write_plan
from condense_cli.output.plain import one_line
from condense_cli.output.shell import command
from condense_cli.repair.engine import Choice
from condense_cli.repair.proof import prove
from condense_cli.session.opened import Session, open_session
from condense_cli.storage.clients.table import resume_words
from condense_cli.storage.copied import keep_removed
from condense_cli.storage.files import guard, replace_in_place
from condense_cli.storage.journal_record import Repair
from condense_cli.storage.new_file import write_new
from condense_cli.storage.source import open_source, spooled


class Wishes(NamedTuple):
    """Where the outcome goes and how it is shown."""
    output: str | None
    in_place: bool
    diff: bool
    plan_out: str | None
    plan: str | None
    force: bool
    backup: bool
    report: TextOrJson
    format: str
    words: tuple[str, ...]
    method: Method


def run(
    sessions: list[str] | None,
    output: str | None,
    in_place: bool,
    dry_run: bool,
    diff: bool,
    contract: list[str] | None,
    select: list[str] | None,
    ignore: list[str] | None,
    displaced: Displaced,
    unanswered: Unanswered,
    trailing: Trailing,
    orphan: Orphan,
    ids: Ids,
    method: Method,
    plan_out: str | None,
    plan: str | None,
    force: bool,
    no_backup: bool,
    output_format: TextOrJson,
    format_name: str,
    leaf: str | None,
) -> int:
    """Repair every session that was named; return the highest exit code."""
    if output is not None and in_place:
        raise UsageError("-o and -i exclude each other", "-o writes a new file, -i replaces the session")
    if len(sessions or ()) > 1 and (output is not None or plan is not None or plan_out is not None):
        raise UsageError("-o, --plan and --plan-out go with one session", "repair the sessions one by one, or all with -i")
    if dry_run:
        output, in_place = None, False
    choice = planned.choice_of(contract, select, ignore, Policies(displaced, unanswered, trailing, orphan, ids), leaf)
    wishes = Wishes(output, in_place, diff, plan_out, plan, force, not no_backup, output_format, format_name, _words(choice, format_name, method), method)
    worst = 0
    paths = sessions_of(sessions, writes=output is not None or in_place)
    for path in paths:
        try:
            code = _one(path, choice, wishes)
        except UsageError:
            raise
        except CondenseError as problem:
            if len(paths) == 1:
                raise
            options.note(f"condense: {problem.problem}")
            if problem.advice:
                options.note(f"  {problem.advice}")
            code = int(problem.exit_code)
        except Exception as bug:
            if len(paths) == 1:
                raise
            # What is wrong with one session hides no other.
            show_traceback(bug)
            options.note(f"condense: {path}: {bug_in_words(bug)}")
            options.note(f"  {BUG_ADVICE}")
            code = int(ExitCode.BUG)
        worst = max(worst, code)
    return worst


def _one(path: str, choice: Choice, wishes: Wishes) -> int:

    with open_session(path, wishes.format) as session:
        if notice := session.document.notice():
            options.note(f"condense: {notice}")
        plan = _plan(session, choice, wishes)
        if wishes.plan_out is not None:
            _save(plan, wishes.plan_out)
        if wishes.in_place and plan.changes:
            guard(session.source, force=wishes.force)
        if wishes.report is TextOrJson.TEXT:
            _show(plan, session, wishes)
        sys.stdout.flush()  # before anything is written: a full disk must not hide what was done
        written = wishes.output is not None or (wishes.in_place and plan.changes)
        if wishes.output is not None:
            _write(plan, session, wishes)
        elif written:
            _replace(plan, session, wishes)
        if wishes.report is TextOrJson.JSON:
            _show(plan, session, wishes)
        elif plan.changes and not written:
            _next(path, wishes)
        if plan.changes and not written:
            return int(ExitCode.FOUND)
        return int(ExitCode.FOUND if planned.is_left(plan, choice) else ExitCode.FINE)


def _plan(session: Session, choice: Choice, wishes: Wishes) -> Plan:
    if wishes.plan is None:
        return planned.plan_of(session, choice, wishes.method, bind=wishes.in_place or wishes.plan_out is not None)

    with open_source(wishes.plan) as source:
        plan = plan_file.load(wishes.plan, source.read(0, source.size))
    if plan.sha256 != session.source.sha256():
        raise RefusedError(f"{session.path}: not the bytes that the plan was made for", "make a new plan with --plan-out")
    if plan.format != session.format.name:
        raise UsageError(f"{wishes.plan}: made for a session read as {plan.format}", "name that format with --format")
    return plan._replace(path=session.path)


def _save(plan: Plan, path: str) -> None:

    write_new(path, [plan_file.dump(plan).encode()])


def _show(plan: Plan, session: Session, wishes: Wishes) -> None:
    stream = sys.stderr if wishes.output == "-" or wishes.plan_out == "-" else sys.stdout
    if wishes.report is TextOrJson.JSON:

        value = {
            "version": 1,
            "path": plan.path,
            "format": plan.format,
            "changes": plan.changes,
            "written": wishes.output is not None or (wishes.in_place and plan.changes),
            "edits": [plan_file.edit(e) for e in plan.edits],
            "remaining": [plan_file.finding(f) for f in plan.remaining],
        }
        print(json.dumps(value), file=stream)
        return
    if options.quiet():
        return

    write_plan(plan, session.source, stream, color=options.coloured(stream), diff=wishes.diff)
    print(f"{one_line(plan.path)}: {summary(plan) if plan.changes else 'nothing to repair'}", file=stream)


def _next(path: str, wishes: Wishes) -> None:

    extra = (*wishes.words, *(("--plan", wishes.plan) if wishes.plan else ()))
    if path == "-":
        options.note(f"to write it: {command('condense', 'repair', *extra, '-', '-o', 'FILE')}")
    else:
        options.note(f"nothing was written; to apply it: {command('condense', 'repair', *extra, '-i', path)}")


def _words(choice: Choice, format_name: str, method: Method) -> tuple[str, ...]:
    """Return the options that the next command must repeat."""
    words: list[str] = []
    for contract in choice.contracts:
        words += ["--contract", contract]
    for rule in sorted(choice.select):
        words += ["--select", rule]
    for rule in sorted(choice.ignore):
        words += ["--ignore", rule]
    for name, value, default in zip(Policies._fields, choice.policies, Policies(), strict=True):
        if value != default:
            words += [f"--{name}", str(value)]
    if method is not Method.REWRITE:
        words += ["--method", method.value]
    if format_name != "auto":
        words += ["--format", format_name]
    if choice.leaf:
        words += ["--leaf", choice.leaf]
    return tuple(words)


def _prove(plan: Plan, session: Session, path: str) -> None:

    with open_source(path) as source:
        document = read_document(session.path, source, plan.format)
        prove(plan, document, session.source, source)


def _write(plan: Plan, session: Session, wishes: Wishes) -> None:
    """Write the new session to a file or to stdout: it is proved in a file without a name first."""
    output = wishes.output
    assert output is not None
    if not plan.changes:
        write_new(output, apply(plan.segments, session.source), source=session.source)
        return
    with spooled(session.path, apply(plan.segments, session.source)) as new:
        prove(plan, read_document(session.path, new, plan.format), session.source, new)
        write_new(output, new.chunks(), source=session.source)
    if wishes.backup:
        try:
            keep_removed(output, session.source, plan.segments, repair=_said(plan, wishes, "-o"))
        except RefusedError as problem:
            options.note(f"condense: {output}: written, but `query` will not find in it what was removed: {problem.problem}")


def _said(plan: Plan, wishes: Wishes, how: str) -> Repair:
    rules = tuple(sorted({edit.rule for edit in plan.edits}))
    return Repair(plan.format, " ".join(("condense repair", *wishes.words, how)), rules)


def _replace(plan: Plan, session: Session, wishes: Wishes) -> None:

    options.before_replacing(session.source, force=wishes.force)
    replace_in_place(
        session.source,
        plan.segments,
        lambda path: _prove(plan, session, path),
        repair=_said(plan, wishes, "-i"),
        sha256=plan.sha256,
        force=wishes.force,
        backup=wishes.backup,
        report=lambda done: options.note_replaced(session.path, done, "repaired"),
    )
    if words := resume_words(plan.format, session.source.real or session.path):
        options.note(f"to go on with it: {command(*words)}")
