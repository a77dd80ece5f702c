"""Wire rules: each is a name that leads to rules of condense, or to a reason."""

from __future__ import annotations

from condense_cli.rules.catalogue import RULES
from condense_cli.rules.refusals.wire import WIRE_RULES, by_name, named_in


def test_all_eighteen_are_known():
    """WC-001 to WC-018 are there; one number is given twice."""
    assert sorted({rule.name for rule in WIRE_RULES}) == [f"WC-{number:03}" for number in range(1, 19)]
    assert len(by_name("WC-013")[0].texts) == 2


def test_each_has_a_rule_or_a_reason():
    """Rules that are named exist, and what no rule stands for says why."""
    assert {name for rule in WIRE_RULES for name in rule.rules} <= set(RULES)
    assert [rule.name for rule in WIRE_RULES if not rule.rules and not rule.why] == []


def test_names_are_found_in_a_text():
    """A number may be spelled short, and an unknown one is none."""
    assert [match.code for match in named_in("see wc_3 and WC-018, WC-018 and WC-099")] == ["WC-003", "WC-018"]
