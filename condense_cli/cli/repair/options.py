"""The options that `repair` and `diff` share, as annotated types of Typer."""

from __future__ import annotations

from typing import Annotated

import typer

from condense_cli.model.policies import Displaced, Ids, Method, Orphan, Trailing, Unanswered

_HOW = "How it is repaired"

Contract = Annotated[
    list[str] | None,
    typer.Option(
        "--contract",
        metavar="NAME",
        help="Repair what this client or provider refuses. Default: the session's own client.",
        show_default=False,
        rich_help_panel=_HOW,
    ),
]
Select = Annotated[
    list[str] | None,
    typer.Option(
        "--select", metavar="RULE[,RULE]", help="Only these rules, infos too.", show_default=False, rich_help_panel=_HOW
    ),
]
Ignore = Annotated[
    list[str] | None,
    typer.Option(
        "--ignore", metavar="RULE[,RULE]", help="Leave these rules alone.", show_default=False, rich_help_panel=_HOW
    ),
]
DisplacedOption = Annotated[
    Displaced, typer.Option("--displaced", help="Results cut off from their call.", rich_help_panel=_HOW)
]
UnansweredOption = Annotated[
    Unanswered,
    typer.Option("--unanswered", help="Calls without a result, when a later turn exists.", rich_help_panel=_HOW),
]
TrailingOption = Annotated[
    Trailing,
    typer.Option(
        "--trailing",
        help="Calls at the end that may still be running: auto answers those that their client never answers.",
        rich_help_panel=_HOW,
    ),
]
OrphanOption = Annotated[Orphan, typer.Option("--orphan", help="Results without a call.", rich_help_panel=_HOW)]
IdsOption = Annotated[
    Ids,
    typer.Option(
        "--ids", help="Reused call ids: auto gives fresh ones where the contract refuses them.", rich_help_panel=_HOW
    ),
]
ShrinkOption = Annotated[
    bool,
    typer.Option(
        "--shrink",
        help="Make images that are too large smaller, instead of putting notes in their place (extra `images`).",
        rich_help_panel=_HOW,
    ),
]
MethodOption = Annotated[
    Method,
    typer.Option(
        "--method",
        help="rewrite: change what is wrong; append: only add context_edit entries (pi 0.87 and later).",
        rich_help_panel=_HOW,
    ),
]
