"""Run `condense check-orphans`: a check that knows the pairing rules only."""

from __future__ import annotations

from typing import Any

from condense_cli.cli.check.run import run as run_check


def run(**given: Any) -> int:
    """Check everything that was named by the pairing rules, and return the exit code. Parameters: those of check."""
    return run_check(**given, pairing_only=True)
