"""Reports for people: a heading per file, errors first, evidence, what to do next, a summary of what was checked.

Rich is asked only for colour, links and the progress bar, so a piped check does not load it. Its markup is
never used: all text of a session is made visible first and then taken as it is.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, TextIO

from condense_cli.model.findings import Severity
from condense_cli.output.contract_table import STYLES, write_table
from condense_cli.output.grouping import Group, groups_of, places_of, worst
from condense_cli.output.lines import DEFAULT_WIDTH, Say, is_terminal, line_writer, terminal_width
from condense_cli.output.links import link_style
from condense_cli.output.place import STDIN
from condense_cli.output.plain import one_line
from condense_cli.output.sentence import counted, evidence, facts, lines_of, problem, sentence
from condense_cli.output.shell import command, path_word
from condense_cli.output.tally import Tally, statistics, summary_line
from condense_cli.storage.unpacking import PACKINGS

if TYPE_CHECKING:
    from condense_cli.model.findings import Finding, Report

_INDENT = "  "
_NARROWEST = 40
_MOST_PASSED_OVER = 20


class Look(NamedTuple):
    """How reports are shown.

    contracts are the columns of the table (without them: those that found something); arguments go into the
    next command (`--format pi`); width in columns wraps lines, by default on a terminal only.
    """

    color: bool = False
    contracts: Sequence[str] = ()
    arguments: Sequence[str] = ()
    width: int | None = None
    summary: bool = True
    statistics: bool = False


def write(reports: Iterable[Report], stream: TextIO, **look: object) -> None:
    """Write all reports; the keywords are the fields of Look."""
    shown = Look(**look)  # type: ignore[arg-type]
    shown = shown._replace(width=shown.width or terminal_width(stream))
    say = line_writer(stream, color=shown.color)
    tally = Tally()
    over: list[Report] = []
    for report in reports:
        places = places_of(report.findings)
        tally.add(report, map(worst, places))
        if report.passed_over:
            over += [report] if report.error is not None else []
            continue
        if report.error is not None or report.findings or report.not_shown:
            _write_file(say, report, groups_of(places), stream, shown)
    _write_passed_over(say, over, shown.width)
    if shown.statistics:
        _write_statistics(say, tally)
    if shown.summary:
        say((summary_line(tally), "bold"))


def finding_line(say: Say, path: str, finding: Finding, after: str = "") -> None:
    """Write the first line of a finding that has no heading above it: `path:line: severity rule: sentence`."""
    severity = finding.severity or Severity.INFO
    say(
        (f"{one_line(path)}:{finding.line}:", "bold"),
        (" ", ""),
        (severity.value, STYLES[severity]),
        (f" {finding.rule}: {sentence(finding.rule, finding.detail)}{after}", ""),
    )


@contextmanager
def progress(total: int | None, description: str, stream: TextIO) -> Iterator[Callable[..., None]]:
    """Yield `advance(steps=1)`; a bar that goes away at the end is drawn if the stream is a terminal."""
    if not is_terminal(stream):
        yield lambda *_: None
        return

    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(file=stream, markup=False, emoji=False, highlight=False), transient=True) as bar:
        task = bar.add_task(one_line(description).replace("[", r"\["), total=total)
        yield lambda steps=1: bar.advance(task, steps)


def _write_file(say: Say, report: Report, groups: list[Group], stream: TextIO, look: Look) -> None:
    link = link_style(report.path, stream) if look.color else ""
    say((one_line(report.path), f"bold underline {link}".strip()))
    if report.error is not None:
        _write_wrapped(say, (("error", STYLES[Severity.ERROR]), (f": {problem(report)}", "")), look.width, _INDENT)
        if report.advice:
            _write_wrapped(say, ((report.advice, "dim"),), look.width, _INDENT * 2)
    for group in groups:
        _write_group(say, group, look.width)
    columns = look.contracts or sorted({finding.contract for finding in report.findings if finding.contract})
    if len(columns) > 1:
        write_table(say, report.findings, columns, look.width or DEFAULT_WIDTH)
    if report.not_shown:
        say((f"{_INDENT}{counted(len(report.not_shown), 'more finding')} not shown (--max-findings)", "dim"))
    for next_command in filter(None, (_next_command(report, look.arguments), _look_command(report, look.arguments))):
        say((f"{_INDENT}next: ", "dim"), (next_command, "bold"))


def _write_group(say: Say, group: Group, width: int | None) -> None:
    finding = group.first
    severity = finding.severity or Severity.INFO
    times = f" ×{len(group.places)}" if len(group.places) > 1 else ""
    head = (
        (severity.value, STYLES[severity]),
        (f" {finding.rule}{times}", "bold"),
        (f" at {lines_of(group.lines)}: {sentence(finding.rule, finding.detail)}", ""),
    )
    _write_wrapped(say, head, width, _INDENT)
    for text in _below(group):
        _write_wrapped(say, ((text, "dim"),), width, _INDENT * 2)


def _below(group: Group) -> Iterator[str]:
    """Yield the evidence: facts that hold for every reader, then what each of them answers."""
    if known := facts(group.first) if len(group.places) == 1 else evidence([place[0] for place in group.places]):
        yield known
    answers: dict[str, list[str]] = {}
    for finding in group.places[0]:
        if finding.contract and finding.provider_error:
            answers.setdefault(finding.provider_error, []).append(finding.contract)
    for answer, who in answers.items():
        yield f"{', '.join(who)}: {one_line(answer)}"


def _write_wrapped(say: Say, spans: Sequence[tuple[str, str]], width: int | None, indent: str) -> None:
    """Write one line; on a terminal as many as the width asks for, the following ones further in."""
    text = one_line("".join(part for part, _ in spans))
    deeper = indent + _INDENT if len(spans) > 1 else indent
    lines = [indent + text]
    if width is not None:
        lines = textwrap.wrap(
            text,
            max(width, _NARROWEST),
            initial_indent=indent,
            subsequent_indent=deeper,
            break_long_words=False,
            break_on_hyphens=False,
        ) or [indent]
    styled = len(indent)
    first: list[tuple[str, str]] = [(indent, "")]
    for part, style in spans:
        first.append((lines[0][styled : styled + len(part)], style))
        styled += len(part)
    say(*first[:-1], (lines[0][styled - len(spans[-1][0]) :], spans[-1][1]))
    for line in lines[1:]:
        say((line, spans[-1][1]))


def _next_command(report: Report, arguments: Sequence[str]) -> str:
    """Return the command that fixes what can be fixed, for the contract that rejects it; empty if nothing would be."""
    rejecting = [
        finding.contract
        for finding in (*report.findings, *report.not_shown)
        if finding.fixable and finding.severity and finding.severity.rank >= Severity.WARNING.rank
    ]
    if not rejecting:
        heavy = any(finding.rule == "oversized-request" for finding in report.findings)
        return command("condense", "compact", path_word(report.path)) if heavy and report.path != STDIN else ""
    path = "-" if report.path == STDIN else report.path
    own = None in rejecting or report.own_contract in rejecting
    contract = [] if own else ["--contract", str(rejecting[0])]
    plain, unpack = path, ""
    if packing := next((packing for packing in PACKINGS if path.endswith(packing.ending)), None):
        plain, unpack = path.removesuffix(packing.ending), f"{command(*packing.command.split(), path_word(path))} && "
    return unpack + command("condense", "repair", path_word(plain), *contract, *arguments)


def _look_command(report: Report, arguments: Sequence[str]) -> str:
    """Return the command that shows messages which the client leaves out, by the last of them."""
    leaf = next((f.cause for f in report.findings if f.rule == "hidden-history" and isinstance(f.cause, str)), None)
    path = "-" if report.path == STDIN else report.path
    return command("condense", "render", path_word(path), "--leaf", leaf, *arguments) if leaf else ""


def _write_passed_over(say: Say, reports: list[Report], width: int | None) -> None:
    """Write a line per file that was passed over: what looks damaged before what is something else."""
    order = sorted(reports, key=lambda report: report.passed_over == "foreign")
    for report in order[:_MOST_PASSED_OVER]:
        _write_wrapped(say, ((f"passed over ({report.passed_over}): {report.path}", "dim"),), width, "")
    if len(order) > _MOST_PASSED_OVER:
        more = counted(len(order) - _MOST_PASSED_OVER, "more file")
        say((f"passed over: {more}; `--unknown error` reports each of them", "dim"))


def _write_statistics(say: Say, tally: Tally) -> None:
    rows = statistics(tally)
    widths = [max(map(len, column), default=0) for column in zip(*rows, strict=True)]
    for number, rule, severity, fixable in rows:
        say(
            (f"{number:>{widths[0]}}  ", "bold"),
            (f"{rule:<{widths[1]}}  ", ""),
            (severity, STYLES[Severity(severity)]),
            (f"{' ' * (widths[2] - len(severity))}  {fixable}".rstrip(), "dim"),
        )
