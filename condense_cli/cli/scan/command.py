"""What `condense scan` takes."""

from __future__ import annotations

from typing import Annotated

import typer

from condense_cli.cli.scan.values import Engine


def scan(
    datasets: Annotated[
        list[str],
        typer.Argument(
            metavar="DATASET...",
            help="JSONL, JSON or Parquet files, folders, globs, or s3://… locations.",
            show_default=False,
        ),
    ],
    column: Annotated[
        str | None,
        typer.Option(
            "--column",
            metavar="NAME",
            help="The column that holds the conversation. Default: messages, conversations, steps, …",
            show_default=False,
        ),
    ] = None,
    findings: Annotated[
        str | None,
        typer.Option(
            "--findings",
            metavar="FILE",
            help="Write a line for each finding: JSONL, or Parquet by the ending.",
            show_default=False,
        ),
    ] = None,
    fix: Annotated[bool, typer.Option("--fix", help="Write repaired rows below the folder of -o.")] = False,
    drop: Annotated[bool, typer.Option("--drop", help="Leave out broken rows below the folder of -o.")] = False,
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            metavar="DIR",
            help="Where --fix and --drop write, in the layout of the input.",
            show_default=False,
        ),
    ] = None,
    engine: Annotated[
        Engine, typer.Option("--engine", help="local: all processors of this machine; ray: the cluster of RAY_ADDRESS.")
    ] = Engine.LOCAL,
    jobs: Annotated[
        int,
        typer.Option(
            "-j", "--jobs", metavar="N", min=0, help="Processes of the local engine; 0: one for each processor."
        ),
    ] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="The totals as one JSON object.")] = False,
) -> None:
    """Judge every conversation of a data set by the contract `training`. Exit code 1 when one is broken."""
