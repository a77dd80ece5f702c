"""Which contract is how strict: one row per rule, one column per contract."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.model.findings import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from condense_cli.model.findings import Finding
    from condense_cli.output.lines import Say, Span

STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}
_INDENT = "  "


def write_table(say: Say, findings: Iterable[Finding], contracts: Sequence[str], width: int) -> None:
    """Write one row per rule and one column per contract, in as many blocks as the width in columns asks for."""
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
        yield (severity.value[0].upper(), STYLES[severity]) if severity else ("-", "dim")
        gap = len(name) + 1  # the mark is below the name's first letter


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
