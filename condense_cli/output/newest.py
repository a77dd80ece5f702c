"""What `condense` alone says of the newest session of a folder, or where there is none."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TextIO

from condense_cli.model.findings import Finding, Report, Severity
from condense_cli.model.plan import Change, Plan
from condense_cli.output.changes import summary
from condense_cli.output.lines import Say, line_writer
from condense_cli.output.plain import one_line
from condense_cli.output.sentence import counted, sentence, shortened
from condense_cli.output.shell import command
from condense_cli.session.stored_error import StoredError

_WIDTH = 80
_LONGEST_ERROR = 400
_MOST_LINES = 6
_MOST_RULES = 5
_AGES = ((86400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))


class About(NamedTuple):
    """What is known of a session. age: seconds since it was written; means: what its error is known to be about."""

    client: str
    id: str
    path: str
    age: float
    report: Report
    error: StoredError | None
    means: str
    plan: Plan | None
    refusal: str
    resume: Sequence[str]
    older: int


def write_first_steps(stream: TextIO, *, color: bool) -> None:
    """Say what to do where no session of the folder was found."""
    say = line_writer(stream, color=color)
    say(("No session of a coding agent was found for this folder.", "bold"))
    for step, words in (
        ("every session of this machine:", ("condense", "doctor")),
        ("one session, by its path or id:", ("condense", "check", "SESSION")),
        ("an error that a client showed:", ("condense", "explain")),
    ):
        say((f"  {step:<33}", ""), (command(*words), "bold"))


def write(about: About, stream: TextIO, *, color: bool) -> None:
    """Write the diagnosis: the session, the stored error, what is wrong, what a repair does, and the next command."""
    say = line_writer(stream, color=color)
    say(
        (f"{about.client} {one_line(about.id)}", "bold"),
        (f", {age(about.age)} ago, {counted(about.report.messages, 'message')}", ""),
    )
    say((f"  {one_line(about.path)}", "dim"))
    if about.error is not None:
        _write_error(about, say)
    _write_findings(about.report.findings, say)
    _write_repair(about, say)
    if about.older:
        say(
            (
                f"{counted(about.older, 'older session')} of this folder; `condense doctor` checks all of this machine.",  # noqa: E501 - a sentence is one text
                "dim",
            )
        )


def age(seconds: float) -> str:
    """Return a length of time in its largest whole unit."""
    for size, unit in _AGES:
        if seconds >= size:
            return counted(int(seconds // size), unit)
    return "0 seconds"


def _write_error(about: About, say: Say) -> None:
    assert about.error is not None
    after = about.error.messages_after
    then = f", {counted(after, 'message')} before the end" if after else ""
    say((f"The client stored this error on line {about.error.line}{then}:", ""))
    for line in _wrapped(shortened(about.error.text, _LONGEST_ERROR)):
        say((line, "red"))
    for line in _wrapped(about.means):
        say((line, ""))


def _write_findings(findings: Iterable[Finding], say: Say) -> None:
    rules: dict[tuple[str, Severity | None], list[Finding]] = {}
    for finding in sorted(findings, key=lambda one: -(one.severity.rank if one.severity else 0)):
        if finding.severity in (Severity.ERROR, Severity.WARNING):
            rules.setdefault((finding.rule, finding.severity), []).append(finding)
    if not rules:
        say(("Nothing is wrong with it that its client or the provider would refuse.", "green"))
    for (rule, severity), found in list(rules.items())[:_MOST_RULES]:
        times = f" ×{len(found)}" if len(found) > 1 else ""
        say(
            (f"{severity} ", "red" if severity is Severity.ERROR else "yellow"),
            (f"{rule}{times}", "bold"),
            (f", {_lines(found)}", ""),
        )
        for line in _wrapped(sentence(rule)):
            say((line, ""))
    if len(rules) > _MOST_RULES:
        say((f"and {counted(len(rules) - _MOST_RULES, 'rule')} more: `condense check @last` shows all", ""))


def _lines(found: Sequence[Finding]) -> str:
    lines = sorted({finding.line for finding in found})
    shown = ", ".join(map(str, lines[:_MOST_LINES]))
    more = f" and {len(lines) - _MOST_LINES} more" if len(lines) > _MOST_LINES else ""
    return f"line{'s' if len(lines) > 1 else ''} {shown}{more}"


def _write_repair(about: About, say: Say) -> None:
    if about.refusal:
        for line in _wrapped(f"A repair is refused: {about.refusal}", ""):
            say((line, ""))
    elif about.plan is not None and about.plan.changes:
        lost = sum(edit.change is Change.DROP for edit in about.plan.edits)
        loses = (
            f"{counted(lost, 'record')} would leave the session; `condense undo` brings all back"
            if lost
            else "no record would be lost"
        )
        for line in _wrapped(f"A repair: {summary(about.plan)}; {loses}.", ""):
            say((line, ""))
        say(("  look:   ", ""), (command("condense", "diff"), "bold"))
        say(("  repair: ", ""), (command("condense", "repair", "-i", "@last"), "bold"))
    elif _wrong(about.report.findings):
        say(
            ("No repair is known for it: ", ""),
            (command("condense", "check", "@last"), "bold"),
            (" says what is known.", ""),
        )
    elif about.error is not None:
        say(("  what it is about: ", ""), (command("condense", "explain", "--session", "@last"), "bold"))
    elif about.resume:
        say(("  go on: ", ""), (command(*about.resume), "bold"))


def _wrong(findings: Iterable[Finding]) -> bool:
    return any(finding.severity in (Severity.ERROR, Severity.WARNING) for finding in findings)


def _wrapped(text: str, indent: str = "  ") -> list[str]:
    return textwrap.wrap(one_line(text), _WIDTH, initial_indent=indent, subsequent_indent="  ", break_on_hyphens=False)
