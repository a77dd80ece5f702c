"""What `check` and `check-orphans` share: files in, reports out, one exit code."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import partial
from typing import Annotated, Any, NamedTuple

import typer

from condense_cli.cli import options
from condense_cli.cli.targets import Target, settings, targets
from condense_cli.errors import CondenseError, ExitCode, UnreadableError, UsageError
from condense_cli.model.findings import Finding, Report, Severity
from condense_cli.model.messages import Record
from condense_cli.rules.catalogue import PAIRING_RULES, RULES

_FEW_FILES = 3  # another process costs more than they do
_MANY_FILES = 20
_MANY_BYTES = 32 << 20


class Output(StrEnum):
    """How findings are written."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    GITHUB = "github"
    JUNIT = "junit"


class FailOn(StrEnum):
    """From which severity on the exit code is 1."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"
    NEVER = "never"


class ViewName(StrEnum):
    """Which part of a session is looked at."""

    STORED = "stored"
    CONTEXT = "context"


Paths = Annotated[list[str] | None, typer.Argument(metavar="[PATH]...", help="Files, folders, globs, or - for stdin. Without any: `paths` of the project's configuration, else all below the current folder.", show_default=False)]
Contract = Annotated[list[str] | None, typer.Option("--contract", metavar="NAME", help="Judge as this client or provider would; may be repeated; `all`. Default: the session's own client.", show_default=False)]
FailOnOption = Annotated[FailOn | None, typer.Option("--fail-on", help="Exit with 1 from this severity on. [default: warning]", show_default=False)]
Select = Annotated[list[str] | None, typer.Option("--select", metavar="RULE", help="Only these rules; may be repeated.", show_default=False)]
Ignore = Annotated[list[str] | None, typer.Option("--ignore", metavar="RULE", help="Not these rules; may be repeated.", show_default=False)]
OutputFormat = Annotated[Output | None, typer.Option("--output-format", help="Default: text; github where GITHUB_ACTIONS=true and stdout is no terminal.", show_default=False)]
Baseline = Annotated[str | None, typer.Option("--baseline", metavar="FILE", help="Leave out what an earlier --output-format json run reported.", show_default=False)]
View = Annotated[ViewName, typer.Option("--view", help="context: what the client reads; stored: every thread in full.")]
AllThreads = Annotated[bool, typer.Option("--all-threads", help="Look at every thread, not only the one that the client resumes.")]
Jobs = Annotated[int, typer.Option("-j", "--jobs", metavar="N", min=0, help="Files at the same time; 0: one for each processor.")]


class Job(NamedTuple):
    """What is looked at in every file."""

    format: str
    contracts: tuple[str, ...]
    leaf: str | None
    every: bool
    stored: bool
    rules: frozenset[str]


def rules_of(select: Sequence[str] | None, ignore: Sequence[str] | None, among: frozenset[str]) -> frozenset[str]:
    """Return the rules that count; raise UsageError for a name that is none."""
    for name in (*(select or ()), *(ignore or ())):
        if name not in RULES:
            import difflib

            near = difflib.get_close_matches(name, RULES, 1)
            raise UsageError(f"there is no rule {name!r}", f"did you mean {near[0]}?" if near else "`condense explain --contracts` lists them")
    return frozenset(select or among) - frozenset(ignore or ())


def contracts_of(names: Sequence[str] | None) -> tuple[str, ...]:
    """Expand `all`; raise UsageError for a name that is no contract. Empty: the session's own."""
    from condense_cli.rules.contracts import CLIENTS, CONTRACTS, PROVIDERS

    found: dict[str, None] = {}
    for name in names or ():
        if name == "all":
            found.update(dict.fromkeys((*CLIENTS, *PROVIDERS)))
        elif name in CONTRACTS:
            found[name] = None
        else:
            raise UsageError(f"there is no contract {name!r}", f"one of {', '.join(CONTRACTS)}, or all")
    return tuple(found)


def run(
    paths: list[str] | None,
    *,
    contract: list[str] | None,
    fail_on: FailOn | None,
    select: list[str] | None,
    ignore: list[str] | None,
    output_format: Output | None,
    baseline: str | None,
    view: ViewName,
    all_threads: bool,
    jobs: int,
    format_name: str,
    leaf: str | None,
    pairing_only: bool = False,
) -> int:
    """Check everything that was named, write the reports, and return the exit code."""
    configured = settings()
    among = PAIRING_RULES if pairing_only else frozenset(RULES)
    rules = rules_of(select or configured.select, ignore or configured.ignore, among) & (among if pairing_only else frozenset(RULES))
    contracts = contracts_of(contract)
    stored = view is ViewName.STORED
    job = Job(format_name, contracts, leaf, all_threads or stored, stored, rules)
    known = _baseline(baseline)
    tally = _Tally(FailOn(fail_on or configured.fail_on or "warning"))
    judged = (tally.add(_without(report, known)) for report in reports(targets(paths or [], configured), job, jobs))
    _write(judged, _output(output_format), contracts)
    for notice in tally.notices:
        options.note(f"condense: {notice}")
    if not tally.files:
        raise UnreadableError("nothing found to check", "name a session file or a folder; `condense doctor` lists the sessions of this machine")
    return int(tally.exit_code)


def _output(asked: Output | None) -> Output:
    if asked is not None:
        return asked
    if os.environ.get("GITHUB_ACTIONS") == "true" and not sys.stdout.isatty():
        return Output.GITHUB
    return Output.TEXT


def _write(reports: Iterator[Report], output: Output, contracts: tuple[str, ...]) -> None:
    from importlib import import_module

    writer = import_module(f"condense_cli.output.{'terminal' if output is Output.TEXT else output.value}")
    if output is Output.TEXT:
        writer.write(reports, sys.stdout, color=options.coloured(sys.stdout), contracts=contracts)
    else:
        writer.write(reports, sys.stdout)


class _Tally:
    def __init__(self, fail_on: FailOn) -> None:
        self.least = 9 if fail_on is FailOn.NEVER else Severity(fail_on.value).rank
        self.files = 0
        self.notices: dict[str, None] = {}  # each is said once
        self.exit_code = ExitCode.FINE

    def add(self, report: Report) -> Report:
        self.files += 1
        if report.notice:
            self.notices[report.notice] = None
        code = ExitCode.FINE
        if report.error is not None:
            code = ExitCode.UNREADABLE
        elif any(f.severity is not None and f.severity.rank >= self.least for f in report.findings):
            code = ExitCode.FOUND
        self.exit_code = max(self.exit_code, code)
        return report


# ---------------------------------------------------------------------- files
def reports(found: list[Target], job: Job, jobs: int) -> Iterator[Report]:
    """Check files, several at the same time, and yield their reports in the same order; a bar shows how far long work is.

    While there is a bar on the terminal nothing else may be written there, so the reports come when it has gone.
    """
    checked = (report for report in _checked(found, job, jobs) if report is not None)
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


def _checked(found: list[Target], job: Job, jobs: int) -> Iterator[Report | None]:
    workers = min(jobs or os.cpu_count() or 1, len(found))
    one = partial(check_file, job=job)
    if workers < 2 or len(found) <= _FEW_FILES:
        yield from map(one, found)
        return
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(workers, initializer=_work_quietly) as pool:
        yield from pool.map(one, found, chunksize=max(1, min(16, len(found) // (workers * 4))))


def _work_quietly() -> None:
    """Leave Ctrl-C to the process that was started: a worker would only print a traceback."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def check_file(target: Target, job: Job) -> Report | None:
    """Check one file; None when it was found below a folder and is no session."""
    from condense_cli.check.engine import check
    from condense_cli.session.opened import open_session

    try:
        with open_session(target.path, job.format) as session:
            contracts = job.contracts or (session.format.contract,)
            report = check(session.document, list(contracts), leaf=job.leaf, every=job.every, stored=job.stored)
    except UsageError:
        raise
    except CondenseError as problem:
        if not target.named:
            return None
        return Report(target.path, "", None, 0, 0, 0, 0, (), problem.problem, problem.advice)
    return report._replace(findings=tuple(_detached(f) for f in report.findings if f.rule in job.rules))


def _detached(finding: Finding) -> Finding:
    """Let go of the record, which holds on to the whole document and is slow to send to another process."""
    return finding._replace(record=Record(finding.line, 0, 0))


# ---------------------------------------------------------------------- baseline
def _baseline(path: str | None) -> Counter[tuple[Any, ...]]:
    if path is None:
        return Counter()
    try:
        with open(path, "rb") as handle:
            value = json.load(handle)
        return Counter((file["path"], *_key(finding)) for file in value["files"] for finding in file["findings"])
    except OSError as problem:
        raise UsageError(f"{path}: {problem.strerror}", "make one with `condense check --output-format json > FILE`") from None
    except (ValueError, KeyError, TypeError):
        raise UsageError(f"{path}: not a report of condense", "make one with `condense check --output-format json > FILE`") from None


def _key(finding: dict[str, Any]) -> tuple[Any, ...]:
    place = finding.get("entry") or finding.get("line")
    return (finding["rule"], finding.get("contract"), place, finding.get("part"), finding.get("call_id"))


def _without(report: Report, known: Counter[tuple[Any, ...]]) -> Report:
    """Leave out what is known, each as often as it was reported: a third owner of an id that two had is new."""
    if not known:
        return report
    from condense_cli.output.json import finding_fields

    kept: list[Finding] = []
    for finding in report.findings:
        key = (report.path, *_key(finding_fields(finding)))
        if known[key] > 0:
            known[key] -= 1  # a path is checked once
        else:
            kept.append(finding)
    return report._replace(findings=tuple(kept))
