"""Change the settings of a client, so that its hook asks condense or no longer does."""

from __future__ import annotations

import os
import sys

from condense_cli.cli import options
from condense_cli.errors import ExitCode
from condense_cli.hook import install as hooks
from condense_cli.output.hook import write_difference


def change_settings(install: str | None, uninstall: str | None, *, dry_run: bool) -> int:
    """Write or take back the hooks of one client, and show what changes in its settings. Raises UsageError."""
    change = (
        hooks.installing(install, os.environ) if install is not None else hooks.removing(uninstall or "", os.environ)
    )
    if change.before == change.after:
        options.note(f"{change.path}: nothing to change")
        return int(ExitCode.FINE)
    write_difference(change.path, change.before, change.after, sys.stdout)
    if dry_run:
        options.note("nothing was written; without --dry-run it is")
        return int(ExitCode.FINE)
    if install is not None:
        hooks.install(change)
        options.note(f"wrote {change.path}; to take it back: condense hook --uninstall {install}")
        if note := hooks.client_of(install).note:
            options.note(note)
    else:
        hooks.remove(change)
        options.note(f"{'wrote' if change.after is not None else 'removed'} {change.path}")
    return int(ExitCode.FINE)
