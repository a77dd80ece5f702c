"""Options that several commands share, as annotated types of Typer. Only declarations import this."""

from __future__ import annotations

from typing import Annotated

import typer

from condense_cli.cli.options import ColorWhen

EVERYWHERE = "Every command"
SESSION = "A path, an id or the start of one, or @last: the newest session of this folder."
_DEFAULT = f"{SESSION} Default: @last."

Color = Annotated[
    ColorWhen | None,
    typer.Option("--color", help="Default: auto, on a terminal only.", show_default=False, rich_help_panel=EVERYWHERE),
]
Quiet = Annotated[
    bool, typer.Option("-q", "--quiet", help="No notes and summaries on stderr.", rich_help_panel=EVERYWHERE)
]
Verbose = Annotated[
    bool,
    typer.Option("-v", "--verbose", help="Say more on stderr; a bug shows where it was.", rich_help_panel=EVERYWHERE),
]
Json = Annotated[bool, typer.Option("--json", help="Short for --output-format json.")]

Session = Annotated[str | None, typer.Argument(metavar="[SESSION]", help=_DEFAULT, show_default=False)]
Sessions = Annotated[
    list[str] | None, typer.Argument(metavar="[SESSION]...", help=f"{_DEFAULT} - is stdin.", show_default=False)
]
Format = Annotated[
    str,
    typer.Option(
        "--format", metavar="NAME", help="The session's format; auto looks at its content (`condense formats`)."
    ),
]
ExemptTool = Annotated[
    list[str] | None,
    typer.Option("--exempt-tool", metavar="NAME", help="A tool whose calls need no result.", show_default=False),
]
Leaf = Annotated[
    str | None,
    typer.Option("--leaf", metavar="ENTRY_ID", help="End the thread at this entry, not at the client's leaf."),
]
