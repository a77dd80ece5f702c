"""What `condense compact` takes."""

from __future__ import annotations

from typing import Annotated

import typer

from condense_cli.cli import declared
from condense_cli.cli.options import TextOrJson

_LATEST = 8_640_000_000_000_000


def compact(
    session: declared.Session = None,
    output: Annotated[
        str | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Write the compacted session here; - is stdout.", show_default=False
        ),
    ] = None,
    in_place: Annotated[
        bool, typer.Option("-i", "--in-place", help="Replace the session. `condense undo` takes it back.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("-n", "--dry-run", help="Write nothing: show what it would do, even with -i or -o.")
    ] = False,
    window: Annotated[
        int | None,
        typer.Option(
            "--window",
            metavar="N",
            min=0,
            help="Leave the last N chains alone; 0: none. Default: 3, or what the settings say.",
            show_default=False,
        ),
    ] = None,
    target_tokens: Annotated[
        int | None,
        typer.Option(
            "--target-tokens",
            metavar="N",
            min=1,
            help="Compress the oldest chains until the session's request has about N tokens at most. Leave room for the client's own instructions and tools.",  # noqa: E501 - a sentence is one text
            show_default=False,
        ),
    ] = None,
    settings: Annotated[
        str | None,
        typer.Option(
            "--settings",
            metavar="FILE",
            help="pi's settings.json; default: pi-condense's defaults.",
            show_default=False,
        ),
    ] = None,
    now: Annotated[
        int | None,
        typer.Option(
            "--now",
            metavar="MS",
            min=0,
            max=_LATEST,
            help="The time to write, in milliseconds; default: the clock.",
            show_default=False,
        ),
    ] = None,
    only_gain: Annotated[
        bool,
        typer.Option(
            "--only-gain",
            help="Leave chains alone whose compression saves nothing; without it they are compressed as pi-condense would.",  # noqa: E501 - a sentence is one text
        ),
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Replace a session even if a client seems to work on it.")
    ] = False,
    no_backup: Annotated[bool, typer.Option("--no-backup", help="Keep nothing for `undo`.")] = False,
    output_format: Annotated[
        TextOrJson, typer.Option("--output-format", help="For people or for programs.")
    ] = TextOrJson.TEXT,
    with_text: Annotated[
        bool,
        typer.Option(
            "--with-text",
            help="With --output-format json (pi, openclaw): also what a rescan would capture, which holds texts of the session.",  # noqa: E501 - a sentence is one text
        ),
    ] = False,
    sidecar: Annotated[
        str | None,
        typer.Option(
            "--sidecar",
            metavar="FILE",
            help="With -o -: where the outputs go. Keep it beside the session as SESSION.condense.",
            show_default=False,
        ),
    ] = None,
    format_name: declared.Format = "auto",
) -> None:
    """Compress closed chains of tool calls; every output stays recoverable by `query`.

    Without -o or -i nothing is written.

    pi and openclaw: entries are appended as pi-condense itself would; what is before them is not touched.
    Claude Code, Codex and arrays of messages: a user message takes the place of each chain, in FILE or in the session
    itself, and the outputs are in FILE.condense beside it; the two belong together.
    """
