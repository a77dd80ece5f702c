"""What `query` writes where no reference is given: the list of what can be asked for."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from condense_cli.cli import options
from condense_cli.errors import ExitCode
from condense_cli.output.tables import table
from condense_cli.recall.grep import LinePattern
from condense_cli.recall.listing import Listed


def write_list(found: Sequence[Listed], pattern: LinePattern | None, *, as_json: bool) -> int:
    """Write reference, line, tool, size and place of each output that matches the pattern. 1 if none is left."""
    kept = [one for one in found if pattern is None or any(map(pattern.search, one.output.text.split("\n")))]
    rows = [(one.ref, one.output.line, _tool(one), len(one.output.text), one.where) for one in kept]
    if as_json:
        names = ("ref", "line", "tool", "chars", "where")
        print(json.dumps({"version": 1, "outputs": [dict(zip(names, row, strict=True)) for row in rows]}))
    elif rows:
        shown = [(ref, str(line), tool, str(size), where) for ref, line, tool, size, where in rows]
        table(
            ("ref", "line", "tool", "chars", "where"),
            shown,
            sys.stdout,
            color=options.coloured(sys.stdout),
            right=(1, 3),
        )
        options.note("condense: `condense query REF` gives one back")
    else:
        options.note("condense: no output" + (" matches" if pattern is not None else " of a tool is in this session"))
    return int(ExitCode.FINE if rows or pattern is None else ExitCode.FOUND)


def _tool(one: Listed) -> str:
    return one.output.tool if isinstance(one.output.tool, str) else ""
