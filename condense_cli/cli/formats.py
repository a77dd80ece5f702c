"""condense formats: what can be done with the sessions of each client."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from condense_cli.cli import options
from condense_cli.cli.options import TextOrJson
from condense_cli.errors import ExitCode

_VERBS = ("detect", "check", "render", "query", "repair", "compact")


def formats(
    output_format: Annotated[TextOrJson, typer.Option("--output-format", help="text for people, json for programs.")] = TextOrJson.TEXT,
) -> int:
    """List the session formats, and what condense can do with each of them."""
    from condense_cli.formats import ABILITIES, FORMATS

    if output_format is TextOrJson.JSON:
        import json

        rows = [{"format": fmt.name, **ABILITIES[fmt.name]._asdict(), "contract": fmt.contract} for fmt in FORMATS]
        print(json.dumps({"version": 1, "formats": rows}))
        return int(ExitCode.FINE)
    from condense_cli.output.tables import table

    color = options.coloured(sys.stdout)
    can = [(name, *("yes" if getattr(about, verb) else "-" for verb in _VERBS)) for name, about in ABILITIES.items()]
    table(("format", *_VERBS), can, sys.stdout, color=color)
    print()
    for name, about in ABILITIES.items():
        print(f"{name}: {about.about}; {about.note}" if about.note else f"{name}: {about.about}")
    return int(ExitCode.FINE)
