"""condense check: all rules."""

from __future__ import annotations

from condense_cli.cli import checking, options


def check(
    paths: checking.Paths = None,
    contract: checking.Contract = None,
    fail_on: checking.FailOnOption = None,
    select: checking.Select = None,
    ignore: checking.Ignore = None,
    output_format: checking.OutputFormat = None,
    view: checking.View = checking.ViewName.CONTEXT,
    all_threads: checking.AllThreads = False,
    baseline: checking.Baseline = None,
    jobs: checking.Jobs = 0,
    format_name: options.Format = "auto",
    leaf: options.Leaf = None,
) -> int:
    """Find everything that is wrong with sessions: lines, header, tree, pairing, calls, content."""
    return checking.run(
        paths,
        contract=contract,
        fail_on=fail_on,
        select=select,
        ignore=ignore,
        output_format=output_format,
        baseline=baseline,
        view=view,
        all_threads=all_threads,
        jobs=jobs,
        format_name=format_name,
        leaf=leaf,
    )
