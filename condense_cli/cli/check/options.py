"""The options that `check` and `check-orphans` share, as annotated types of Typer."""

from __future__ import annotations

from typing import Annotated

import typer

from condense_cli.cli.check.values import FailOn, Output, ViewName

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
    typer.Option("--ignore", metavar="RULE[,RULE]", help="Not these rules.", show_default=False, rich_help_panel=_JUDGE),
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
View = Annotated[
    ViewName,
    typer.Option(
        "--view", help="context: what the client reads; stored: every thread in full.", rich_help_panel=_LOOK
    ),
]
AllThreads = Annotated[
    bool,
    typer.Option(
        "--all-threads",
        help="Look at every thread, not only the one that the client resumes.",
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
