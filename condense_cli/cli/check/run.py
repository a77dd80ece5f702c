"""Run `condense check`: files in, reports out, one exit code."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from condense_cli.cli.check.asked import Asked, way_of
from condense_cli.cli.check.files import Job, reports
from condense_cli.cli.check.outcome import Outcome
from condense_cli.cli.check.values import FailOn, Output, Unknown, ViewName
from condense_cli.cli.check.write import write
from condense_cli.cli.choices import rules_of, split
from condense_cli.cli.configuration import configuration
from condense_cli.cli.options import size_of
from condense_cli.cli.targets import Target, targets
from condense_cli.errors import UnreadableError, UsageError
from condense_cli.model.findings import Report
from condense_cli.rules.catalogue import PAIRING_RULES, RULES
from condense_cli.session.named import LAST, is_id


def run(
    paths: list[str] | None,
    *,
    contract: list[str] | None,
    fail_on: FailOn | None,
    select: list[str] | None,
    ignore: list[str] | None,
    exempt_tool: list[str] | None,
    output_format: Output | None,
    output: str | None,
    statistics: bool,
    max_findings: int | None,
    unknown: Unknown | None,
    as_found: bool,
    view: ViewName | None,
    all_threads: bool,
    baseline: str | None,
    jobs: int,
    max_size: str,
    format_name: str,
    leaf: str | None,
    pairing_only: bool = False,
) -> int:
    """Check everything that was named, write the reports, and return the exit code."""
    asked = Asked(
        contract,
        fail_on,
        select,
        ignore,
        output_format,
        output,
        baseline,
        unknown,
        statistics,
        max_findings,
        view,
        all_threads,
        jobs,
        format_name,
        leaf,
        as_found,
        size_of("--max-size", max_size),
        frozenset(exempt_tool or ()),
    )
    return _checked(paths, asked, pairing_only=pairing_only)


def _checked(paths: list[str] | None, asked: Asked, *, pairing_only: bool) -> int:
    configured = configuration()
    among = PAIRING_RULES if pairing_only else frozenset(RULES)
    if pairing_only:
        _refuse_other_layers(asked.select)
    rules = rules_of(asked.select or configured.select, asked.ignore or configured.ignore, among) & among
    way = way_of(asked, configured)
    view = ViewName(asked.view or configured.view or ViewName.CONTEXT)
    stored = view is ViewName.STORED
    every = bool(asked.all_threads or configured.all_threads or stored)
    job = Job(
        asked.format_name,
        way.contracts,
        asked.leaf,
        every,
        stored,
        rules,
        asked.max_size,
        asked.exempt,
        rendered=view is ViewName.RENDERED,
    )
    found = targets(_paths(paths) or configured.paths)
    if way.file is not None:
        _refuse_input(way.file, found)
    if asked.as_found:
        found = [target._replace(named=False) for target in found]
    outcome = Outcome(way)
    checked = reports(found, job, asked.jobs or configured.jobs)
    judged = (outcome.add(report) for report in _without(asked.baseline or configured.baseline, checked))
    write(judged, way)
    outcome.end()
    if not outcome.files and not (asked.as_found and outcome.passed_over):
        over = f" ({outcome.passed_over} passed over)" if outcome.passed_over else ""
        raise UnreadableError(
            f"nothing found to check{over}",
            "name a session file or a folder; `condense doctor` lists the sessions of this machine",
        )
    return int(outcome.exit_code)


def _paths(words: list[str] | None) -> list[str]:
    """Return the paths that are meant: an id, the start of one and @last are sessions, everything else is a path."""
    if not any(word == LAST or is_id(word) for word in words or ()):
        return list(words or ())
    from condense_cli.cli.sessions import session_of

    return [session_of(word) if word == LAST or is_id(word) else word for word in words or ()]


def _without(baseline: str | None, found: Iterator[Report]) -> Iterator[Report]:
    if baseline is None:
        return found
    from condense_cli.cli.check.baseline import read, without

    known = read(baseline)
    return (without(report, known) for report in found)


def _refuse_other_layers(select: Sequence[str] | None) -> None:
    for name in split(select):
        if name in RULES and name not in PAIRING_RULES:
            raise UsageError(
                f"{name} is a rule of the {RULES[name].layer.value} layer, and check-orphans looks at pairing only",
                f"`condense check --select {name}` looks for it",
            )


def _refuse_input(file: str, found: Sequence[Target]) -> None:
    if file != "-" and any(os.path.realpath(target.path) == os.path.realpath(file) for target in found if target.named):
        raise UsageError(f"{file}: the report would replace a session that is checked", "name another output file")
