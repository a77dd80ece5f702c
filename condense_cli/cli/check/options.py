"""The options that `check` and `check-orphans` share, as annotated types of Typer."""

from __future__ import annotations

from typing import Annotated

import typer

from condense_cli.cli.check.values import FailOn, Output, Unknown, ViewName

_JUDGE = "What counts"
_WRITE = "What is written"
_LOOK = "Where to look"

Paths = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[PATH]...",
        help="Files, folders, globs, session ids, @last, or - for stdin. Without any: `paths` of the project's "
        "configuration, else all below the current folder.",
        show_default=False,
    ),
]
Contract = Annotated[
    list[str] | None,
    typer.Option(
        "--contract",
        metavar="NAME[,NAME]",
        help="Judge as this client or provider would; `all`. Default: the session's own client.",
        show_default=False,
        rich_help_panel=_JUDGE,
    ),
]
FailOnOption = Annotated[
    FailOn | None,
    typer.Option(
        "--fail-on",
        help="Exit with 1 from this severity on. [default: warning]",
        show_default=False,
        rich_help_panel=_JUDGE,
    ),
]
Select = Annotated[
    list[str] | None,
    typer.Option(
        "--select", metavar="RULE[,RULE]", help="Only these rules.", show_default=False, rich_help_panel=_JUDGE
    ),
]
Ignore = Annotated[
    list[str] | None,
    typer.Option(
        "--ignore", metavar="RULE[,RULE]", help="Not these rules.", show_default=False, rich_help_panel=_JUDGE
    ),
]
OutputFormat = Annotated[
    Output | None,
    typer.Option(
        "--output-format",
        help="Default: text; github where GITHUB_ACTIONS=true and stdout is no terminal.",
        show_default=False,
        rich_help_panel=_WRITE,
    ),
]
Baseline = Annotated[
    str | None,
    typer.Option(
        "--baseline",
        metavar="FILE",
        help="Leave out what an earlier --json run reported.",
        show_default=False,
        rich_help_panel=_WRITE,
    ),
]
OutputFile = Annotated[
    str | None,
    typer.Option(
        "-o",
        "--output",
        metavar="FILE",
        help="Write the report here, whole or not at all; never onto a session.",
        show_default=False,
        rich_help_panel=_WRITE,
    ),
]
Statistics = Annotated[
    bool,
    typer.Option("--statistics", help="Add how often each rule is broken.", show_default=False, rich_help_panel=_WRITE),
]
MaxFindings = Annotated[
    int | None,
    typer.Option(
        "--max-findings",
        metavar="N",
        min=0,
        help="Show at most N findings, of each file the most severe first; all are counted.",
        show_default=False,
        rich_help_panel=_WRITE,
    ),
]
UnknownOption = Annotated[
    Unknown | None,
    typer.Option(
        "--unknown",
        help="Files below a folder that are no session: exit with 3, a line for each, or only counted. [default: warn]",
        show_default=False,
        rich_help_panel=_LOOK,
    ),
]
AsFound = Annotated[
    bool,
    typer.Option(
        "--as-found",
        help="Treat named files like those below a folder: what is no session is up to --unknown. For pre-commit.",
        show_default=False,
        rich_help_panel=_LOOK,
    ),
]
View = Annotated[
    ViewName | None,
    typer.Option(
        "--view",
        help="context: what the client reads; stored: every thread in full; rendered: calls and results that pruning "
        "leaves. [default: context]",
        show_default=False,
        rich_help_panel=_LOOK,
    ),
]
AllThreads = Annotated[
    bool,
    typer.Option(
        "--all-threads",
        help="Look at every thread, not only the one that the client resumes.",
        show_default=False,
        rich_help_panel=_LOOK,
    ),
]
Jobs = Annotated[
    int,
    typer.Option(
        "-j", "--jobs", metavar="N", min=0, help="Files at the same time; 0: one for each processor.",
        rich_help_panel=_LOOK,
    ),
]  # fmt: skip
MaxSize = Annotated[
    str,
    typer.Option(
        "--max-size",
        metavar="SIZE",
        help="A compressed session may unpack to this at most, as 500M or 4G.",
        rich_help_panel=_LOOK,
    ),
]
