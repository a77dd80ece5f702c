"""Equal findings are shown as one, and what several contracts say about one place."""

from itertools import product

from condense_cli.model.findings import Finding, Severity
from condense_cli.model.messages import Record
from condense_cli.output.grouping import places_of


def finding(line, rule, contract=None):
    """A finding that a contract flags."""
    return Finding(rule, line, Record(line, 0, 0), Severity.INFO, contract=contract)


def test_findings_of_one_contract_are_places_of_their_own():
    """Also two that say the same about the same place: a second contract would not change that."""
    mine = [finding(line, rule, "pi") for line, rule in product((3, 1, 3), ("reused-id", "orphan-result"))]
    other = finding(9, "orphan-result", "anthropic")

    assert places_of(mine) == [(one,) for one in mine]
    assert places_of([*mine, other]) == [*places_of(mine), (other,)]


def test_what_several_contracts_say_about_a_place_is_put_together():
    """The first finding of each contract belongs to the first place, the second to the second."""
    contracts = ("pi", "anthropic")
    found = [finding(3, "reused-id", contract) for contract in (*contracts, *contracts)]

    assert places_of(found) == [tuple(found[:2]), tuple(found[2:])]
