"""Tables for people. Rich is asked only where colour is wanted; cells are made visible and never interpreted."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from condense_cli.output.plain import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Row = tuple[str, ...]


def diagnostics_table(rows: Iterable[Row], stream: TextIO, *, color: bool = False) -> None:
    """Write rows of (kind, key, detail); nothing for no rows."""
    table(("kind", "key", "detail"), list(rows), stream, color=color)


def table(head: Row, rows: Sequence[Row], stream: TextIO, *, color: bool = False, right: Iterable[int] = ()) -> None:
    """Write a table with a head; columns in `right` are right-aligned."""
    if not rows:
        return
    cells = [tuple(one_line(cell) for cell in row) for row in rows]
    aligned = set(right)
    if color:
        _rich(head, cells, stream, aligned)
        return
    widths = [max(len(row[n]) for row in (head, *cells)) for n in range(len(head))]
    lines: list[str] = []
    for row in (head, *cells):
        padded = (
            cell.rjust(width) if n in aligned else cell.ljust(width)
            for n, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("  ".join(padded).rstrip() + "\n")
    stream.write("".join(lines))


def _rich(head: Row, rows: Sequence[Row], stream: TextIO, right: set[int]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    grid = Table(box=SIMPLE_HEAD, show_edge=False)
    for number, name in enumerate(head):
        grid.add_column(name, justify="right" if number in right else "left", overflow="fold")
    for row in rows:
        grid.add_row(*(Text(cell) for cell in row))
    Console(file=stream, force_terminal=True, markup=False, emoji=False, highlight=False).print(grid)
