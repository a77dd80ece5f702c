"""What `repair` and `diff` share: the choices that decide a repair."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

from condense_cli.cli.choices import contracts_of, rules_of, split
from condense_cli.errors import UsageError
from condense_cli.model.policies import Policies
from condense_cli.repair.engine import Choice
from condense_cli.rules.catalogue import RULES


def choice_of(
    contract: Sequence[str] | None,
    select: Sequence[str] | None,
    ignore: Sequence[str] | None,
    policies: Policies,
    leaf: str | None,
    exempt: Sequence[str] | None = None,
) -> Choice:
    """Put the options of the command line together; raise UsageError for names that are none."""
    rules_of(select, ignore, frozenset(RULES))
    if policies.shrink and find_spec("PIL") is None:
        raise UsageError("--shrink needs the extra `images`", "pip install 'condense-cli[images]'")
    return Choice(
        contracts_of(contract),
        frozenset(split(select)),
        frozenset(split(ignore)),
        policies,
        leaf,
        frozenset(exempt or ()),
    )
