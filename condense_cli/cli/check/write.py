"""Write the reports of a check: to stdout, or to a file as a whole."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from condense_cli.cli import options
from condense_cli.cli.check.asked import Way
from condense_cli.cli.check.values import Output
from condense_cli.model.findings import Report
from condense_cli.output.place import relative_to_file


def write(reports: Iterator[Report], way: Way) -> None:
    """Write reports as they come; a file is written at the end."""
    writer = import_module(f"condense_cli.output.{'terminal' if way.output is Output.TEXT else way.output.value}")
    look: dict[str, Any] = (
        {"contracts": way.contracts, "statistics": way.statistics} if way.output is Output.TEXT else {}
    )
    if way.file is None or way.file == "-":
        if look:
            look["color"] = options.coloured(sys.stdout)
        writer.write(reports, sys.stdout, **look)
        return
    from condense_cli.storage.new_file import write_new

    if way.output is Output.JSON:
        # Whoever reads the report from another folder finds the sessions by the folder of the report.
        reports = (report._replace(path=relative_to_file(report.path, way.file)) for report in reports)
    text = io.StringIO()
    writer.write(reports, text, **look)
    write_new(way.file, [text.getvalue().encode("utf-8", "backslashreplace")])
