"""What `condense check-orphans` takes."""

from __future__ import annotations

from condense_cli.cli import declared
from condense_cli.cli.check import options


def check_orphans(
    paths: options.Paths = None,
    contract: options.Contract = None,
    fail_on: options.FailOnOption = None,
    select: options.Select = None,
    ignore: options.Ignore = None,
    exempt_tool: declared.ExemptTool = None,
    output_format: options.OutputFormat = None,
    output: options.OutputFile = None,
    statistics: options.Statistics = False,
    max_findings: options.MaxFindings = None,
    unknown: options.UnknownOption = None,
    as_found: options.AsFound = False,
    view: options.View = None,
    all_threads: options.AllThreads = False,
    baseline: options.Baseline = None,
    jobs: options.Jobs = 0,
    max_size: options.MaxSize = "1G",
    format_name: declared.Format = "auto",
    leaf: declared.Leaf = None,
) -> None:
    """Find calls and results that do not belong together: the pairing rules of `check`."""
