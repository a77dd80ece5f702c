"""The sweep rules by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense_cli.errors import UsageError
from condense_cli.pipeline.prune.sweep import turn

if TYPE_CHECKING:
    from collections.abc import Callable

    from condense_cli.pipeline.prune.sweep import SweepRule

# name -> (exempt tools) -> rule
SWEEPS: dict[str, Callable[[frozenset[str]], SweepRule]] = {
    "turn": lambda _exempt: turn,
}


def sweep_rule(name: str, exempt: frozenset[str] = frozenset()) -> SweepRule:
    """Return a rule by its name; exempt are tool names. Raises UsageError for an unknown one."""
    make = SWEEPS.get(name)
    if make is None:
        raise UsageError(f"no sweep rule is called {name}", f"known: {', '.join(SWEEPS)}")
    if exempt and name == "turn":
        raise UsageError("--exempt-tool has no meaning for the rule `turn`", "add --sweep count")
    return make(exempt)
