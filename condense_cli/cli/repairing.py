"""What `repair` and `diff` share: the options that decide a repair, and the plan of one file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from condense_cli.cli.checking import contracts_of, rules_of
from condense_cli.errors import RefusedError
from condense_cli.pipeline.mend.policies import Displaced, Ids, Orphan, Policies, Trailing, Unanswered
from condense_cli.rules import RULES, Severity

if TYPE_CHECKING:
    from condense_cli.pipeline.repair import Choice
    from condense_cli.plan import Plan
    from condense_cli.sessions import Session

Contract = Annotated[list[str] | None, typer.Option("--contract", metavar="NAME", help="Mend what this client or provider refuses; may be repeated. Default: the session's own client.", show_default=False)]
Select = Annotated[list[str] | None, typer.Option("--select", metavar="RULE", help="Mend only these rules, infos too; may be repeated.", show_default=False)]
Ignore = Annotated[list[str] | None, typer.Option("--ignore", metavar="RULE", help="Leave these rules alone; may be repeated.", show_default=False)]
DisplacedOption = Annotated[Displaced, typer.Option("--displaced", help="Results cut off from their call.")]
UnansweredOption = Annotated[Unanswered, typer.Option("--unanswered", help="Calls without a result, when a later turn exists.")]
TrailingOption = Annotated[Trailing, typer.Option("--trailing", help="Calls at the end that may still be running.")]
OrphanOption = Annotated[Orphan, typer.Option("--orphan", help="Results without a call.")]
IdsOption = Annotated[Ids, typer.Option("--ids", help="Reused call ids: auto gives fresh ones where the contract refuses them.")]


def choice_of(
    contract: Sequence[str] | None,
    select: Sequence[str] | None,
    ignore: Sequence[str] | None,
    policies: Policies,
    leaf: str | None,
) -> Choice:
    """Put the options of the command line together; raise UsageError for names that are none."""
    from condense_cli.pipeline.repair import Choice

    rules_of(select, ignore, frozenset(RULES))
    return Choice(contracts_of(contract), frozenset(select or ()), frozenset(ignore or ()), policies, leaf)


def plan_of(session: Session, choice: Choice) -> Plan:
    """Make the plan for one opened session."""
    from condense_cli.pipeline.repair import make_plan

    if session.source.compressed:
        raise RefusedError(f"{session.path}: a compressed file is only read", "unpack it first (`zstd -d`), and repair the plain file")
    return make_plan(session.document, choice)


def is_left(plan: Plan, choice: Choice) -> bool:
    """Say whether an error or warning stays, among the rules that were asked for."""
    for finding in plan.remaining:
        asked = (not choice.select or finding.rule in choice.select) and finding.rule not in choice.ignore
        if asked and finding.severity in (Severity.ERROR, Severity.WARNING):
            return True
    return False
