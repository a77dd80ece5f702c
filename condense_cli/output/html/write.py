"""Write the page: template, style and script are files beside this one; the page names the hashes of the latter two."""

from __future__ import annotations

import base64
import hashlib
from functools import partial
from importlib.resources import files
from typing import TYPE_CHECKING

from condense_cli.output.html.strip import HEIGHT, lanes, legend

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense_cli.output.html.page import Page

_BUFFERED = 64  # events of the template that are put together to one piece


def html(page: Page) -> Iterator[bytes]:
    """Yield the page in pieces, as UTF-8; the messages are made while it is written.

    The same page gives the same bytes.
    """
    from jinja2 import Environment, FunctionLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=FunctionLoader(partial(_file)),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    style, script = _file("style.css"), _file("script.js")
    drawn = lanes(page.marks)
    stream = environment.get_template("page.html.j2").stream(
        page=page,
        policy=_policy(style, script),
        style=Markup(style),  # noqa: S704 - files of this package
        script=Markup(script),  # noqa: S704
        markup=Markup,
        lanes=drawn,
        legend=legend(drawn),
        height=HEIGHT,
    )
    stream.enable_buffering(_BUFFERED)
    for piece in stream:
        yield piece.encode("utf-8", "replace")


def _policy(style: str, script: str) -> str:
    """Return a content security policy that allows the page's own style and script, images inside it, and nothing
    else.
    """
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _file(name: str) -> str:
    return files("condense_cli.output.html").joinpath(name).read_text(encoding="utf-8")
