"""Run `condense formats`: the table of abilities."""

from __future__ import annotations

import json
import sys

from condense_cli.cli import options
from condense_cli.cli.options import TextOrJson
from condense_cli.errors import ExitCode
from condense_cli.formats import ABILITIES, FORMATS
from condense_cli.output.tables import table
from condense_cli.pi_condense import VERSION

_VERBS = ("detect", "check", "render", "query", "repair", "compact")


def run(
    output_format: TextOrJson,
) -> int:
    """Print what can be done with each format."""
    if output_format is TextOrJson.JSON:
        rows = [{"format": fmt.name, **ABILITIES[fmt.name]._asdict(), "contract": fmt.contract} for fmt in FORMATS]
        print(json.dumps({"version": 1, "formats": rows}))
        return int(ExitCode.FINE)

    color = options.coloured(sys.stdout)
    can = [(name, *("yes" if getattr(about, verb) else "-" for verb in _VERBS)) for name, about in ABILITIES.items()]
    table(("format", *_VERBS), can, sys.stdout, color=color)
    print(f"\npruning and compaction are those of pi-condense {VERSION}")
    for name, about in ABILITIES.items():
        print(f"{name}: {about.about}; {about.note}" if about.note else f"{name}: {about.about}")
    return int(ExitCode.FINE)
