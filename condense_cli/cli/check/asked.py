"""What a check is asked for: by its options, else by the configuration of the project."""

from __future__ import annotations

import os
import sys
from typing import NamedTuple

from condense_cli.cli.check.values import FailOn, Output, Unknown, ViewName
from condense_cli.cli.choices import contracts_of
from condense_cli.cli.configuration import Configuration
from condense_cli.storage.source import UNPACK_LIMIT


class Asked(NamedTuple):
    """What the command line says; None where it says nothing and the configuration decides."""

    contract: list[str] | None = None
    fail_on: FailOn | None = None
    select: list[str] | None = None
    ignore: list[str] | None = None
    output_format: Output | None = None
    output: str | None = None
    baseline: str | None = None
    unknown: Unknown | None = None
    statistics: bool = False
    max_findings: int | None = None
    view: ViewName | None = None
    all_threads: bool = False
    jobs: int = 0
    format_name: str = "auto"
    leaf: str | None = None
    as_found: bool = False
    max_size: int = UNPACK_LIMIT
    exempt: frozenset[str] = frozenset()


class Way(NamedTuple):
    """How reports are shown and what they decide."""

    output: Output
    file: str | None
    contracts: tuple[str, ...]
    unknown: Unknown
    statistics: bool
    most: int | None
    fail_on: FailOn


def way_of(asked: Asked, configured: Configuration) -> Way:
    """Return how reports are shown: the options count first, then the configuration."""
    file = asked.output or configured.output
    return Way(
        _output(asked.output_format or (Output(configured.output_format) if configured.output_format else None), file),
        file,
        contracts_of(asked.contract or configured.contract),
        Unknown(asked.unknown or configured.unknown or Unknown.WARN),
        asked.statistics or configured.statistics,
        asked.max_findings if asked.max_findings is not None else configured.max_findings,
        FailOn(asked.fail_on or configured.fail_on or FailOn.WARNING),
    )


def _output(asked: Output | None, file: str | None) -> Output:
    if asked is not None:
        return asked
    if os.environ.get("GITHUB_ACTIONS") == "true" and file is None and not sys.stdout.isatty():
        return Output.GITHUB
    return Output.TEXT
