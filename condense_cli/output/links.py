"""Links that a terminal opens with a click (OSC 8): to a file."""

from __future__ import annotations

import os
from typing import TextIO

from condense_cli.output.lines import is_terminal
from condense_cli.output.place import STDIN, file_uri

_WITHOUT_LINKS = frozenset({"", "dumb", "linux"})


def takes_links(stream: TextIO) -> bool:
    """Say whether the stream is a terminal that is not known to lack links."""
    return is_terminal(stream) and os.environ.get("TERM", "") not in _WITHOUT_LINKS


def link_style(path: str, stream: TextIO) -> str:
    """Return Rich's style of a link to a file; empty for standard input and where the stream takes no links."""
    return f"link {file_uri(path)}" if path != STDIN and takes_links(stream) else ""
