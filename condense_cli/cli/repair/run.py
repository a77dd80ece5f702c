"""Run `condense repair`: show what would be changed; with -o or -i write it, after it was proved."""

from __future__ import annotations

import json
import os
import sys
from typing import NamedTuple

from condense_cli.cli import options
from condense_cli.cli.boundary import BUG_ADVICE, bug_in_words, show_traceback
from condense_cli.cli.options import TextOrJson
from condense_cli.cli.repair import planned
from condense_cli.cli.repair.saved import saved_plan
from condense_cli.cli.repair.waiting import is_ready, wait_until_done
from condense_cli.cli.sessions import sessions_of
from condense_cli.errors import CondenseError, ExitCode, UsageError
from condense_cli.model.plan import Plan
from condense_cli.model.policies import Displaced, Ids, Method, Orphan, Policies, Trailing, Unanswered
from condense_cli.output import plan_file
from condense_cli.output.changes import summary
from condense_cli.output.difference.show import MOST, show
from condense_cli.output.difference.write import Look
from condense_cli.output.lines import terminal_width
from condense_cli.output.plain import one_line
from condense_cli.output.shell import command
from condense_cli.repair.engine import Choice
from condense_cli.session import repaired
from condense_cli.session.opened import Session, open_session
from condense_cli.storage.clients.table import resume_words
from condense_cli.storage.new_file import write_new


class Asked(NamedTuple):
    """Where the outcome goes and how it is shown."""

    output: str | None
    in_place: bool
    diff: bool
    plan_out: str | None
    plan: str | None
    force: bool
    wait: bool
    backup: bool
    report: TextOrJson
    format: str
    words: tuple[str, ...]
    method: Method
    several: bool

    @property
    def writes(self) -> bool:
        """Say whether anything is to be written."""
        return self.output is not None or self.in_place


def run(
    sessions: list[str] | None,
    output: str | None,
    in_place: bool,
    dry_run: bool,
    diff: bool,
    contract: list[str] | None,
    select: list[str] | None,
    ignore: list[str] | None,
    exempt_tool: list[str] | None,
    displaced: Displaced,
    unanswered: Unanswered,
    trailing: Trailing,
    orphan: Orphan,
    ids: Ids,
    shrink: bool,
    method: Method,
    plan_out: str | None,
    plan: str | None,
    force: bool,
    wait: bool,
    no_backup: bool,
    output_format: TextOrJson,
    format_name: str,
    leaf: str | None,
) -> int:
    """Repair every session that was named; return the highest exit code."""
    several = len(sessions or ()) > 1
    _must_fit(output, plan, plan_out, in_place=in_place, several=several)
    if dry_run:
        output, in_place = None, False
    choice = planned.choice_of(
        contract, select, ignore, Policies(displaced, unanswered, trailing, orphan, ids, shrink), leaf, exempt_tool
    )
    if plan is not None and (choice != Choice() or method is not Method.REWRITE):
        raise UsageError(
            "--plan repeats the choices that the plan was made by", "leave out the options that say how it is repaired"
        )
    asked = Asked(
        output,
        in_place,
        diff,
        plan_out,
        plan,
        force,
        wait,
        not no_backup,
        output_format,
        format_name,
        _words(choice, format_name, method),
        method,
        several,
    )
    paths = sessions_of(sessions, writes=asked.writes)
    return max(_one(path, choice, asked) if len(paths) == 1 else _one_of_several(path, choice, asked) for path in paths)


def _must_fit(output: str | None, plan: str | None, plan_out: str | None, *, in_place: bool, several: bool) -> None:
    """Raise UsageError for options that contradict each other."""
    if output is not None and in_place:
        raise UsageError("-o and -i exclude each other", "-o writes a new file, -i replaces the session")
    if several and any(path is not None for path in (output, plan, plan_out)):
        raise UsageError(
            "-o, --plan and --plan-out go with one session", "repair the sessions one by one, or all with -i"
        )


def _one_of_several(path: str, choice: Choice, asked: Asked) -> int:
    """Repair one session; what is wrong with it hides no other."""
    try:
        return _one(path, choice, asked)
    except UsageError:
        raise
    except CondenseError as problem:
        options.note(f"condense: {problem.problem}")
        if problem.advice:
            options.note(f"  {problem.advice}")
        return int(problem.exit_code)
    except Exception as bug:  # noqa: BLE001 - reported as one, for this session
        show_traceback(bug)
        options.note(f"condense: {path}: {bug_in_words(bug)}")
        options.note(f"  {BUG_ADVICE}")
        return int(ExitCode.BUG)


def _one(path: str, choice: Choice, asked: Asked) -> int:
    """Repair one session, after its client is done where that was asked for; return its exit code."""
    while (code := _tried(path, choice, asked)) is None:
        wait_until_done(path, os.path.realpath(path))
    return code


def _tried(path: str, choice: Choice, asked: Asked) -> int | None:
    """Repair one session; return its exit code, or None where it has to be waited for and nothing was done."""
    with open_session(path, asked.format) as session:
        if notice := session.document.notice():
            options.note(f"condense: {notice}")
        if asked.plan is not None:
            plan, choice, method = saved_plan(session, asked.plan)
        else:
            method = asked.method
            plan = repaired.plan_of(session, choice, method, bind=asked.in_place or asked.plan_out is not None)
        if asked.plan_out is not None:
            write_new(asked.plan_out, [plan_file.dump(plan, choice, method).encode()], source=session.source)
        if asked.in_place and plan.changes and not is_ready(session.source, force=asked.force, wait=asked.wait):
            return None
        written = _carry_out(plan, session, asked)
        if plan.changes and not written:
            if asked.report is TextOrJson.TEXT:
                _next(path, asked)
            return int(ExitCode.FOUND)
        return int(ExitCode.FOUND if repaired.is_left(plan, choice) else ExitCode.FINE)


def _carry_out(plan: Plan, session: Session, asked: Asked) -> bool:
    """Show the plan, and write what was asked for; say whether anything was."""
    if asked.report is TextOrJson.TEXT:
        _show(plan, session, asked)
    sys.stdout.flush()  # before anything is written: a full disk must not hide what was done
    written = asked.output is not None or (asked.in_place and plan.changes)
    if asked.output is not None:
        unkept = repaired.write(plan, session, asked.output, _said(asked, "-o"), backup=asked.backup)
        if unkept:
            options.note(
                f"condense: {asked.output}: written, but `query` will not find in it what was removed: {unkept}"
            )
    elif written:
        _replace(plan, session, asked)
    if asked.report is TextOrJson.JSON:
        _show(plan, session, asked)
    return written


def _show(plan: Plan, session: Session, asked: Asked) -> None:
    stream = sys.stderr if asked.output == "-" or asked.plan_out == "-" else sys.stdout
    if asked.report is TextOrJson.JSON:
        value = {
            "version": 1,
            "path": plan.path,
            "format": plan.format,
            "changes": plan.changes,
            "written": asked.output is not None or (asked.in_place and plan.changes),
            "edits": [plan_file.edit(e) for e in plan.edits],
            "remaining": [plan_file.finding(f) for f in plan.remaining],
        }
        print(json.dumps(value), file=stream)
        return
    if options.quiet():
        return

    if asked.several and (plan.changes or plan.remaining):
        print(one_line(plan.path), file=stream)
    show(
        plan,
        session,
        stream,
        Look(color=options.coloured(stream), width=terminal_width(stream), most=None if asked.diff else MOST),
        records=asked.diff or not asked.writes,
    )
    print(f"{one_line(plan.path)}: {summary(plan) if plan.changes else 'nothing to repair'}", file=stream)


def _next(path: str, asked: Asked) -> None:
    extra = (*asked.words, *(("--plan", asked.plan) if asked.plan else ()))
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
    for tool in sorted(choice.exempt):
        words += ["--exempt-tool", tool]
    for name, value, default in zip(Policies._fields, choice.policies, Policies(), strict=True):
        if value != default:
            words += [f"--{name}"] if value is True else [f"--{name}", str(value)]
    if method is not Method.REWRITE:
        words += ["--method", method.value]
    if format_name != "auto":
        words += ["--format", format_name]
    if choice.leaf:
        words += ["--leaf", choice.leaf]
    return tuple(words)


def _said(asked: Asked, how: str) -> str:
    """Return the command as the journal keeps it."""
    return " ".join(("condense repair", *asked.words, how))


def _replace(plan: Plan, session: Session, asked: Asked) -> None:
    options.before_replacing(session.source, force=asked.force)
    repaired.replace(
        plan,
        session,
        _said(asked, "-i"),
        force=asked.force,
        backup=asked.backup,
        report=lambda done: options.note_replaced(session.path, done, "repaired"),
    )
    if words := resume_words(plan.format, session.source.real or session.path):
        options.note(f"to go on with it: {command(*words)}")
