"""What `condense doctor` takes."""

from __future__ import annotations

from typing import Annotated

import typer

from condense_cli.cli.check import options
from condense_cli.cli.check.values import FailOn
from condense_cli.cli.options import TextOrJson


def doctor(
    fail_on: Annotated[FailOn, typer.Option("--fail-on", help="Exit with 1 from this severity on.")] = FailOn.WARNING,
    output_format: Annotated[TextOrJson, typer.Option("--output-format", help="text for people, json for programs.")] = TextOrJson.TEXT,
    jobs: options.Jobs = 0,
    max_size: options.MaxSize = "1G",
) -> None:
    """Check the session stores of all known clients on this machine. Nothing is written, and nothing imported."""
