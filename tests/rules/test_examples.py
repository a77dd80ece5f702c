"""Examples: each rule has a tiny session in which exactly that rule is broken."""

from __future__ import annotations

from pathlib import Path

import condense_cli
import pytest
from condense_cli.check.engine import check
from condense_cli.cli.check.files import Job, with_pruning
from condense_cli.formats import BY_NAME
from condense_cli.model.findings import Severity
from condense_cli.rules.catalogue import RULES
from condense_cli.session.opened import open_session

EXAMPLES = {name: rule.example for name, rule in RULES.items()}
SOURCES = "".join(path.read_text("utf-8") for part in ("formats", "rules", "pairing") for path in (Path(condense_cli.__file__).parent / part).rglob("*.py"))


def test_every_rule_has_an_example():
    """The examples name all rules, in the order of the rules."""
    assert list(EXAMPLES) == list(RULES)


@pytest.mark.parametrize("rule", EXAMPLES)
def test_the_rule_is_found_on_the_line_of_its_example(rule, tmp_path):
    """Checking an example reports its rule at its line, and no other error or warning."""
    example = EXAMPLES[rule]
    if example.format not in BY_NAME:
        pytest.skip(f"{example.format} is not read yet")
    if f'"{rule}"' not in SOURCES.replace('("dangling-ref", "kept")', ""):  # a table names it, too
        pytest.skip("nothing looks for it yet")
    path = tmp_path / example.name
    path.write_bytes(example.whole)
    with open_session(str(path)) as session:
        contracts = [example.contract or session.format.contract]
        report = with_pruning(check(session.document, contracts), session, contracts, Job("auto", (), None, every=False, stored=False, rules=frozenset(RULES)))
    assert report.format == example.format
    assert (rule, example.line) in [(finding.rule, finding.line) for finding in report.findings]
    assert [f.rule for f in report.findings if f.severity is not Severity.INFO and f.rule != rule] == []


@pytest.mark.parametrize("rule", EXAMPLES)
def test_an_example_is_tiny(rule):
    """An example has at most eight lines, and the line that it names."""
    rows = EXAMPLES[rule].data.removesuffix(b"\n").split(b"\n")
    assert 1 <= EXAMPLES[rule].line <= len(rows) <= 8
