"""Reports for people: `path:line: severity rule: sentence`, the evidence below it, what to do next, a summary.

Rich is asked only for colour and for the progress bar, so a piped check does not load it. Its markup is
never used: all text of a session is made visible first and then taken as it is.
"""

from __future__ import annotations

import os
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from condense_cli.model.findings import Severity
from condense_cli.output.place import STDIN
from condense_cli.output.plain import one_line
from condense_cli.output.sentence import counted, facts, problem, sentence
from condense_cli.output.shell import command, path_word
from condense_cli.output.tally import Tally

if TYPE_CHECKING:
    from condense_cli.model.findings import Finding, Report

Span = tuple[str, str]  # text and its style
Say = Callable[..., None]

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}
_INDENT = "    "
_NARROWEST = 40
_TABLE_WIDTH = 80


def write(
    reports: Iterable[Report],
    stream: TextIO,
    *,
    color: bool = False,
    contracts: Sequence[str] = (),
    arguments: Sequence[str] = (),
    width: int | None = None,
    summary: bool = True,
) -> None:
    """Write all reports. A line that begins with `path:line:` is never wrapped.

    contracts are the columns of the table (without them: those that found something); arguments go into the
    next command (`--format pi`); width in columns wraps the evidence, by default on a terminal only.
    """
    say = line_writer(stream, color=color)
    width = width or _terminal_width(stream)
    tally = Tally()
    for report in reports:
        places = _places(report.findings)
        tally.add(report, [_worst(place).severity for place in places])
        if report.error is not None:
            _write_error(say, report, width)
        for place in places:
            _write_place(say, report.path, place, width)
        columns = contracts or sorted({finding.contract for finding in report.findings if finding.contract})
        if len(columns) > 1:
            _table(say, report.findings, columns, width or _TABLE_WIDTH)
        if next_command := _next_command(report, arguments):
            say((f"{_INDENT}next: ", "dim"), (next_command, "bold"))
    if summary:
        say((summary_line(tally), "bold"))


def line_writer(stream: TextIO, *, color: bool) -> Say:
    """Return a function that writes one line, given as (text, style) pairs; nothing in the text is interpreted."""
    if not color:
        return lambda *spans: print("".join(text for text, _ in spans), file=stream)

    from rich.console import Console
    from rich.text import Text

    console = Console(
        file=stream,
        force_terminal=True,
        color_system="standard",
        no_color=False,
        legacy_windows=False,
        markup=False,
        emoji=False,
        highlight=False,
        soft_wrap=True,
    )
    return lambda *spans: console.print(Text.assemble(*spans))


@contextmanager
def progress(total: int | None, description: str, stream: TextIO) -> Iterator[Callable[..., None]]:
    """Yield `advance(steps=1)`; a bar that goes away at the end is drawn if the stream is a terminal."""
    if not _is_terminal(stream):
        yield lambda *_: None
        return

    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(file=stream, markup=False, emoji=False, highlight=False), transient=True) as bar:
        task = bar.add_task(one_line(description).replace("[", r"\["), total=total)
        yield lambda steps=1: bar.advance(task, steps)


def summary_line(tally: Tally) -> str:
    """Return `2 files: 1 error, 0 warnings, 3 infos`, and how many files could not be checked."""
    numbers = ", ".join(counted(tally.by_severity[severity], severity.value) for severity in _STYLES)
    left_out = f", {counted(tally.unchecked, 'file')} not checked" if tally.unchecked else ""
    return f"{counted(tally.files, 'file')}: {numbers}{left_out}"


def finding_line(say: Say, path: str, finding: Finding, after: str = "") -> None:
    """Write the first line of a finding."""
    severity = finding.severity or Severity.INFO
    say(
        (f"{one_line(path)}:{finding.line}:", "bold"),
        (" ", ""),
        (severity.value, _STYLES[severity]),
        (f" {finding.rule}: {sentence(finding.rule, finding.detail)}{after}", ""),
    )


def _write_error(say: Say, report: Report, width: int | None) -> None:
    error = Severity.ERROR
    say((f"{one_line(report.path)}:", "bold"), (" ", ""), (error.value, _STYLES[error]), (f": {problem(report)}", ""))
    if report.advice:
        _evidence(say, report.advice, width)


def _write_place(say: Say, path: str, place: list[Finding], width: int | None) -> None:
    finding_line(say, path, _worst(place))
    for text in _below(place):
        _evidence(say, text, width)


def _below(place: list[Finding]) -> Iterator[str]:
    """Yield the evidence: facts that hold for every reader, who minds, and what each of them answers."""
    if known := facts(place[0]):
        yield known
    answers: dict[str, list[str]] = {}
    for finding in place:
        if finding.contract and finding.provider_error:
            answers.setdefault(finding.provider_error, []).append(finding.contract)
    for answer, who in answers.items():
        yield f"{', '.join(who)}: {one_line(answer)}"


def _evidence(say: Say, text: str, width: int | None) -> None:
    lines = (
        [text]
        if width is None
        else textwrap.wrap(text, max(width, _NARROWEST) - len(_INDENT), break_long_words=False, break_on_hyphens=False)
    )
    for line in lines:
        say((f"{_INDENT}{one_line(line)}", "dim"))


def _next_command(report: Report, arguments: Sequence[str]) -> str:
    """Return the command that fixes what can be fixed, for the contract that minds it; empty if nothing would be."""
    minding = [
        finding.contract
        for finding in report.findings
        if finding.fixable and finding.severity and finding.severity.rank >= Severity.WARNING.rank
    ]
    if not minding:
        return ""
    path = "-" if report.path == STDIN else report.path
    own = None in minding or report.own_contract in minding
    contract = [] if own else ["--contract", str(minding[0])]
    return command("condense", "repair", path_word(path), *contract, *arguments)


def _places(findings: Iterable[Finding]) -> list[list[Finding]]:
    """Group what several contracts say about one place; one contract never shares a group with itself."""
    groups: dict[tuple[object, ...], list[Finding]] = {}
    seen: Counter[tuple[object, ...]] = Counter()
    for finding in findings:
        place = (
            finding.rule,
            finding.line,
            finding.index,
            finding.part,
            finding.call_id,
            finding.entry,
            finding.related,
            finding.detail,
        )
        seen[finding.contract, *place] += 1
        groups.setdefault((*place, seen[finding.contract, *place]), []).append(finding)
    return list(groups.values())


def _worst(place: list[Finding]) -> Finding:
    return max(place, key=lambda finding: finding.severity.rank if finding.severity else 0)


def _table(say: Say, findings: Iterable[Finding], contracts: Sequence[str], width: int) -> None:
    """Write one row per rule and one column per contract, in as many blocks as the width asks for."""
    cells: dict[str, dict[str, Severity]] = {}
    for finding in findings:
        if finding.contract and finding.severity:
            row = cells.setdefault(finding.rule, {})
            row[finding.contract] = max(row.get(finding.contract, finding.severity), finding.severity, key=_rank)
    first = max(map(len, cells), default=0)
    for block in _blocks(contracts, width - len(_INDENT) - first) if cells else ():
        say((_INDENT + " " * first + "".join(f"  {name}" for name in block), "bold"))
        for rule, row in cells.items():
            say((f"{_INDENT}{rule:<{first}}", ""), *_marks(block, row))


def _marks(contracts: Sequence[str], row: dict[str, Severity]) -> Iterator[Span]:
    gap = 2
    for name in contracts:
        severity = row.get(name)
        yield " " * gap, ""
        yield (severity.value[0].upper(), _STYLES[severity]) if severity else ("–", "dim")
        gap = len(name) + 1  # the mark stands below the name's first letter


def _blocks(names: Iterable[str], width: int) -> Iterator[list[str]]:
    block: list[str] = []
    for name in names:
        if block and sum(len(other) + 2 for other in [*block, name]) > width:
            yield block
            block = []
        block.append(name)
    yield block


def _rank(severity: Severity) -> int:
    return severity.rank


def _is_terminal(stream: TextIO) -> bool:
    return bool(getattr(stream, "isatty", lambda: False)())


def _terminal_width(stream: TextIO) -> int | None:
    """Return the columns of a terminal, None for anything else: in a pipe a line stays one line."""
    if not _is_terminal(stream):
        return None
    try:
        return os.get_terminal_size(stream.fileno()).columns or None
    except (OSError, ValueError):
        return _TABLE_WIDTH
