"""Run `condense view`: make the page, write it, open it."""

from __future__ import annotations

import os
import pathlib
import webbrowser
from contextlib import ExitStack

from condense_cli.cli import options
from condense_cli.cli.sessions import session_of
from condense_cli.cli.view.material import material
from condense_cli.errors import ExitCode, UnreadableError, UsageError
from condense_cli.output.html.build import build
from condense_cli.output.html.write import html
from condense_cli.session.opened import open_session
from condense_cli.storage.clients.table import stores
from condense_cli.storage.new_file import write_new
from condense_cli.storage.source import open_source

_MARKER = b'<meta name="generator" content="condense">'


def run(
    session: str | None, output: str | None, show: bool, settings: str | None, format_name: str, leaf: str | None
) -> int:
    """Write the page; return 0, whatever is in it."""
    if show and output == "-":
        raise UsageError("--open needs a file", "name one: -o FILE.html")
    with ExitStack() as stack:
        opened = stack.enter_context(open_session(session_of(session), format_name, leaf))
        path = output if output is not None else _default(opened.path)
        page = build(material(opened, settings, leaf, stack))
        write_new(path, html(page), source=opened.source)
    if path != "-":
        options.note(f"wrote {path}")
    if show:
        _open(path)
    return int(ExitCode.FINE)


def _default(session: str) -> str:
    """Return the name of a page in this folder. Raises UsageError where that is a client's, or holds something else."""
    here = os.path.realpath(os.curdir)
    for store in stores(os.environ):
        folder = os.path.realpath(store.folder)
        if here == folder or here.startswith(folder + os.sep):
            raise UsageError(
                f"this folder belongs to {store.client}", "name the page: -o FILE.html, in a folder of yours"
            )
    name = "session" if session == "-" else os.path.basename(session)
    for ending in (".zst", ".gz", ".xz", ".bz2", ".jsonl", ".json"):
        name = name.removesuffix(ending)
    path = f"{name or 'session'}.html"
    if os.path.lexists(path) and not _is_ours(path):
        raise UsageError(f"{path}: is there and was not made by `condense view`", "name another file: -o FILE.html")
    return f"./{path}" if path.startswith("-") else path


def _is_ours(path: str) -> bool:
    try:
        with open_source(path) as source:
            return _MARKER in source.read(0, 2000)
    except UnreadableError:
        return False


def _open(path: str) -> None:
    address = pathlib.Path(path).resolve().as_uri()
    if not webbrowser.open(address):
        options.note(f"no browser was found; open {address}")
