"""Names of rules and contracts on the command line: `--select a,b`, `--contract all`."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

from condense_cli.errors import UsageError
from condense_cli.rules.catalogue import RULES
from condense_cli.rules.contracts import CLIENTS, CONTRACTS, PROVIDERS


def split(names: Iterable[str] | None) -> tuple[str, ...]:
    """Return the names of an option that may be repeated, and may hold several with commas between them."""
    return tuple(part for name in names or () for word in name.split(",") if (part := word.strip()))


def rules_of(select: Sequence[str] | None, ignore: Sequence[str] | None, among: frozenset[str]) -> frozenset[str]:
    """Return the rules that count; raise UsageError for a name that is none."""
    chosen, left_out = split(select), split(ignore)
    for name in (*chosen, *left_out):
        if name not in RULES:
            near = difflib.get_close_matches(name, RULES, 1)
            advice = f"did you mean {near[0]}?" if near else "`condense explain --contracts` lists them"
            raise UsageError(f"there is no rule {name!r}", advice)
    return frozenset(chosen or among) - frozenset(left_out)


def contracts_of(names: Sequence[str] | None) -> tuple[str, ...]:
    """Expand `all`; raise UsageError for a name that is no contract. Empty: the session's own."""
    found: dict[str, None] = {}
    for name in split(names):
        if name == "all":
            found.update(dict.fromkeys((*CLIENTS, *PROVIDERS)))
        elif name in CONTRACTS:
            found[name] = None
        else:
            raise UsageError(f"there is no contract {name!r}", f"one of {', '.join(CONTRACTS)}, or all")
    return tuple(found)
