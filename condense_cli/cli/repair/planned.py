"""What `repair` and `diff` share: the choices that decide a repair, and the plan of one file."""

from __future__ import annotations

from collections.abc import Sequence

from condense_cli.cli.choices import contracts_of, rules_of, split
from condense_cli.errors import RefusedError
from condense_cli.model.findings import Finding, Severity
from condense_cli.model.plan import Plan
from condense_cli.model.policies import Method, Policies
from condense_cli.repair.append import append_plan
from condense_cli.repair.engine import Choice, make_plan
from condense_cli.rules.catalogue import RULES
from condense_cli.session.opened import Session


def choice_of(
    contract: Sequence[str] | None,
    select: Sequence[str] | None,
    ignore: Sequence[str] | None,
    policies: Policies,
    leaf: str | None,
) -> Choice:
    """Put the options of the command line together; raise UsageError for names that are none."""

    rules_of(select, ignore, frozenset(RULES))
    return Choice(contracts_of(contract), frozenset(split(select)), frozenset(split(ignore)), policies, leaf)


def plan_of(session: Session, choice: Choice, method: Method = Method.REWRITE, *, bind: bool = True) -> Plan:
    """Make the plan for one opened session."""

    if session.source.compressed:
        raise RefusedError(f"{session.path}: a compressed file is only read", "unpack it first (`zstd -d`), and repair the plain file")
    if (refusal := session.document.refusal()) is not None:
        # Nothing has to be refused for a session in which there is nothing to mend.
        plan = make_plan(session.document, choice._replace(ignore=frozenset(RULES)))
        if any(_is_asked(finding, choice) for finding in plan.findings):
            raise RefusedError(f"{session.path}: {refusal[0]}", refusal[1])
        return plan
    if method is Method.APPEND:
        return append_plan(session.document, choice)
    return make_plan(session.document, choice, bind=bind)


def _is_asked(finding: Finding, choice: Choice) -> bool:
    """Say whether the finding is to be mended, were the file one that is repaired."""
    return _is_chosen(finding, choice) and (finding.rule in choice.select or finding.severity in (Severity.ERROR, Severity.WARNING))


def is_left(plan: Plan, choice: Choice) -> bool:
    """Say whether an error or warning stays, among the rules that were asked for."""
    return any(_is_chosen(finding, choice) and finding.severity in (Severity.ERROR, Severity.WARNING) for finding in plan.remaining)


def _is_chosen(finding: Finding, choice: Choice) -> bool:
    return finding.rule not in choice.ignore and (not choice.select or finding.rule in choice.select)
