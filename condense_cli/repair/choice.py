"""What is to be repaired: which findings, by which contracts, and how."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from condense_cli.check.judge import is_fixable, needs_request
from condense_cli.model.findings import Finding, Severity
from condense_cli.model.policies import Ids, Policies, Trailing, Unanswered
from condense_cli.rules.catalogue import RULES
from condense_cli.rules.contracts import severity


class Choice(NamedTuple):
    """By default everything of severity error or warning that has a fix; with select whatever it names."""

    contracts: tuple[str, ...] = ()
    select: frozenset[str] = frozenset()
    ignore: frozenset[str] = frozenset()
    policies: Policies = Policies()
    leaf: str | None = None
    exempt: frozenset[str] = frozenset()  # tools whose calls need no result

    def takes(self, finding: Finding) -> bool:
        """Say whether a judged finding is to be fixed."""
        if finding.severity is None or not self._takes_rule(finding, finding.severity):
            return False
        return is_fixable(finding, Severity.ERROR) or needs_request(finding)

    def takes_in_file(self, finding: Finding, own: str) -> bool:
        """Say whether a finding of the line, header or tree layer is to be fixed: those are judged by the client's
        own contract.
        """
        how_bad = severity(finding.rule, finding.variant, own, own)
        return how_bad is not None and finding.possible and self._takes_rule(finding, how_bad)

    def _takes_rule(self, finding: Finding, how_bad: Severity) -> bool:
        name = finding.rule
        if name in self.ignore or not RULES[name].repair or (self.select and name not in self.select):
            return False
        by_policy = _POLICY.get(name)
        decided = by_policy(self.policies) if by_policy else None
        if decided is not None:
            return decided
        return name in self.select or (how_bad is not Severity.INFO and not needs_request(finding))


_POLICY: dict[str, Callable[[Policies], bool | None]] = {
    "unanswered-call": lambda p: False if p.unanswered is Unanswered.KEEP else None,
    "trailing-call": lambda p: {Trailing.AUTO: None, Trailing.KEEP: False}.get(p.trailing, True),
    "reused-id": lambda p: {Ids.KEEP: False, Ids.RENAME: True, Ids.AUTO: None}[p.ids],
}
