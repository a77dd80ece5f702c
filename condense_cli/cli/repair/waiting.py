"""A session that a client is at work on: refused before its plan is shown, or waited for."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from condense_cli.cli import options
from condense_cli.errors import RefusedError
from condense_cli.storage.files import guard
from condense_cli.storage.in_use import live_reason

if TYPE_CHECKING:
    from condense_cli.storage.source import Source

TICK = 0.25
"""Seconds between two looks."""


def is_ready(source: Source, *, force: bool, wait: bool) -> bool:
    """Say whether a session may be replaced now; False: its client is to be waited for. Raises RefusedError."""
    reason = None if force or source.real is None else live_reason(source.real)
    if reason and wait:
        return False
    if reason:
        advice = "close the client, or wait for it with --wait; -o writes a copy, --force replaces it all the same"
        raise RefusedError(f"{source.path}: a client seems to be at work on it: {reason}", advice)
    guard(source, force=force)
    return True


def wait_until_done(path: str, real: str) -> None:
    """Return when no client is at work on a session any more, and say what is waited for. Nothing is open meanwhile."""
    said = ""
    while reason := live_reason(real):
        kind = reason.split(" ago")[0].rstrip("0123456789. s")
        if kind != said:
            options.note(
                f"condense: {path}: {reason}; waiting, and nothing is written before the client is done "
                "(Ctrl-C ends it)"
            )
            said = kind
        time.sleep(TICK)
