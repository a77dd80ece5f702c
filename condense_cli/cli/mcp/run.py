"""Run `condense mcp`: serve until the client is gone."""

from __future__ import annotations

import gc
import os

from condense_cli.errors import ExitCode
from condense_cli.lookup.server import serve


def run() -> int:
    """Return 0 when the client has closed the connection."""
    gc.enable()  # a server lives long
    serve(os.getcwd())
    return int(ExitCode.FINE)
