"""Run `condense scan`: parts to an engine, outcomes to the writers, one exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from condense_cli.cli import options
from condense_cli.cli.scan.values import Engine
from condense_cli.dataset import folder, local, ray_engine, task
from condense_cli.dataset.task import Outcome, Work
from condense_cli.errors import ExitCode, UnreadableError, UsageError
from condense_cli.output import scan as writer
from condense_cli.output.terminal import progress
from condense_cli.rules.schemas import can_judge_schemas
from condense_cli.storage.new_file import write_new
from condense_cli.storage.rows import Part, files_of, parts_of


class Asked(NamedTuple):
    """The options of `condense scan`."""

    datasets: tuple[str, ...]
    column: str | None
    findings: str | None
    fix: bool
    drop: bool
    output: str | None
    engine: str
    jobs: int
    as_json: bool


def run(
    datasets: list[str],
    *,
    column: str | None,
    findings: str | None,
    fix: bool,
    drop: bool,
    output: str | None,
    engine: Engine,
    jobs: int,
    as_json: bool,
) -> int:
    """Scan, write what was asked for, and return the exit code. Raises UsageError and UnreadableError."""
    asked = Asked(tuple(datasets), column, findings, fix, drop, output, engine.value, jobs, as_json)
    _must_agree(asked)
    if not can_judge_schemas():
        options.note("condense: arguments are not held against declared schemas: pip install 'condense-cli[data]'")
    parts = [part for path in files_of(asked.datasets) for part in parts_of(path)]
    work = Work(asked.column, asked.findings is not None, asked.fix or asked.drop, asked.drop)
    outcomes = list(_outcomes(parts, work, asked))
    if asked.findings is not None:
        _write_findings(asked.findings, parts, outcomes)
    if asked.output is not None:
        for path in folder.assemble(parts, work, asked.output):
            options.note(f"condense: wrote {path}")
    totals = writer.total(outcomes)
    (writer.write_json if asked.as_json else writer.write_text)(totals, sys.stdout)
    if not totals.conversations or totals.unreadable == totals.conversations:
        raise UnreadableError("no conversation was understood", "name the column with --column")
    return int(ExitCode.UNREADABLE if totals.unreadable else ExitCode.FOUND if totals.broken else ExitCode.FINE)


def _must_agree(asked: Asked) -> None:
    if (asked.fix or asked.drop) and asked.output is None:
        raise UsageError("--fix and --drop need -o DIR", "the data set itself is never written")
    if asked.output is not None and not (asked.fix or asked.drop):
        raise UsageError("-o goes with --fix or --drop", "name what is to be written")
    if asked.output is not None and any(_is_below(path, asked.output) for path in asked.datasets):
        raise UsageError("-o is a folder of the data set itself", "name another folder")


def _is_below(path: str, output: str) -> bool:
    inside = os.path.realpath(path) if os.path.isdir(path) else os.path.dirname(os.path.realpath(path))
    return os.path.realpath(output) == inside


def _outcomes(parts: Sequence[Part], work: Work, asked: Asked) -> Iterator[Outcome]:
    judge = partial(folder.run_saved, folder=asked.output) if asked.output is not None else task.run
    if asked.engine == "ray":
        running = ray_engine.run_parts(parts, work, judge)
    else:
        running = local.run_parts(parts, work, asked.jobs or len(os.sched_getaffinity(0)), judge)
    if not sys.stderr.isatty() or len(parts) < 2:
        yield from running
        return
    with progress(len(parts), "scanning", sys.stderr) as advance:
        for outcome in running:
            yield outcome
            advance()


def _write_findings(path: str, parts: Sequence[Part], outcomes: Sequence[Outcome]) -> None:
    rows = _rows(parts, outcomes)
    if path.endswith((".parquet", ".pq")):
        writer.write_findings_parquet(rows, path)
    else:
        write_new(path, writer.jsonl(rows))


def _rows(parts: Sequence[Part], outcomes: Sequence[Outcome]) -> Iterator[dict[str, object]]:
    first = 0
    for part, outcome in zip(parts, outcomes, strict=True):
        yield from writer.finding_rows(part, first, outcome.found)
        first = 0 if part.last else first + outcome.rows
