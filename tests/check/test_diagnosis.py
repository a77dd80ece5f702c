"""Explain: sheets of rules, and the findings that a pasted error is about."""

from __future__ import annotations

import pytest
from condense_cli.check.diagnosis import (
    by_code,
    contracts_to_check,
    near_rule,
    places,
    provider_of,
    rule_name,
    same_id,
    sheet,
    table,
    verdict,
)
from condense_cli.model.findings import Finding, Report, Severity
from condense_cli.model.messages import Record
from condense_cli.rules.catalogue import RULES
from condense_cli.rules.contracts import CONTRACTS
from condense_cli.rules.refusals import recognise

TEXT = "messages.4: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01AbCdEfGh. Each `tool_use` block"


def finding(rule: str, line: int, call_id: str | None = None, severity: Severity = Severity.ERROR, **more) -> Finding:
    return Finding(rule, line, Record(line, 0, 0), severity, call_id=call_id, **more)


def report(*findings: Finding) -> Report:
    return Report("s.jsonl", "pi", None, 1, 9, 2, 1, findings)


def test_findings_named_in_the_text_come_first():
    """The id in the text decides, then the likelihood of the rule, then the line; other rules are left out."""
    found = report(
        finding("unanswered-call", 3, "toolu_other"),
        finding("orphan-result", 4, "toolu_01AbCdEfGh"),
        finding("displaced-result", 9, "toolu_01AbCdEfGh"),
        finding("unanswered-call", 1, "toolu_third"),
    )
    assert [(p.finding.rule, p.finding.line, p.named) for p in places(recognise(TEXT), found)] == [
        ("displaced-result", 9, True),
        ("unanswered-call", 1, False),
        ("unanswered-call", 3, False),
    ]


def test_without_ids_the_message_index_names_a_finding():
    """An index counts only where the text has no id."""
    found = report(finding("duplicate-call-id", 5, "a", index=2), finding("duplicate-call-id", 9, "b", index=4))
    text = "messages.4.content.1: `tool_use` ids must be unique"
    assert [(p.finding.line, p.named) for p in places(recognise(text), found)] == [(9, True), (5, False)]


def test_a_finding_of_several_contracts_is_one_place():
    """Contracts that agree about a place give one entry, with the worst severity."""
    found = report(finding("unanswered-call", 3, "x", Severity.WARNING), finding("unanswered-call", 3, "x", Severity.ERROR))
    assert [p.finding.severity for p in places(recognise(TEXT), found)] == [Severity.ERROR]


@pytest.mark.parametrize(
    ("pasted", "own", "expected"),
    [
        ("toolu_01AbCdEfGh", "toolu_01AbCdEfGh", True),
        ("toolu_01AbCd", "toolu_01AbCdEfGh", True),  # cut off
        ("toolu_01", "toolu_01AbCdEfGh", False),  # too little is left of it
        ("call_1", "call_1|fc_2", True),  # pi keeps both ids in one
        ("functions_bash_0", "functions.bash:0", True),  # as it was sent to Anthropic
        ("call_1", "call_10", False),
        ("x", None, False),
    ],
)
def test_ids_of_a_text_are_compared_as_clients_send_them(pasted, own, expected):
    """An id matches whole, cut off, without its second half, and with its odd characters replaced."""
    assert same_id(pasted, own) is expected


def test_the_contract_to_check_is_the_sessions_own_if_the_error_is_known_there():
    """A client's own contract wins where it is one of the error's, else the likeliest provider."""
    unique = recognise("messages.43.content.2: `tool_use` ids must be unique")
    assert contracts_to_check(unique, "claude-code") == ("claude-code",)
    assert contracts_to_check(unique, "pi") == ("anthropic",)
    assert contracts_to_check(recognise("Cannot create a string longer than 0x1fffffe8 characters"), "pi") == ("pi",)


def test_a_command_names_a_provider_before_a_client():
    """Only a provider's contract fits a session that is not known."""
    assert provider_of(recognise("due to tool use concurrency issues")[0]) == "anthropic"
    assert provider_of(recognise("Session file is not a valid pi session: x")[0]) == "pi"


@pytest.mark.parametrize(("text", "name"), [("orphan-result", "orphan-result"), ("Orphan_Result", "orphan-result"), ("orphan result", "orphan-result"), ("orphan", None)])
def test_a_rule_may_be_spelled_in_several_ways(text, name):
    """Case, underscores and blanks do not matter."""
    assert rule_name(text) == name


@pytest.mark.parametrize(("text", "name"), [("orphan-resul", "orphan-result"), ("BOMM", "bom"), ("rate limit exceeded", None), ("zzzz", None)])
def test_a_word_close_to_a_rule_suggests_it(text, name):
    """Only a single word is taken for a rule with a slip in it."""
    assert near_rule(text) == name


def test_a_sheet_has_all_contracts_and_all_errors():
    """Each contract has a word on each rule, and the errors are those of the table."""
    known = sheet("unanswered-call")
    assert [one.contract for one in known.verdicts] == list(CONTRACTS)
    assert {"E1", "E4", "E6"} <= {row.code for row in known.errors}
    assert [name for name, _ in table()] == list(RULES)


def test_variants_that_are_judged_alike_are_taken_together():
    """Cells that say the same stand once; the worst one is the headline."""
    one = verdict("blank-text", "anthropic")
    assert [(variant, cell.severity) for variant, cell in one.cells] == [("empty", Severity.ERROR), ("in-result", Severity.ERROR), ("white", Severity.WARNING)]
    assert one.worst.severity is Severity.ERROR
    assert len(verdict("orphan-result", "pi").cells) == 1


def test_a_code_is_an_error_too():
    """The short names of errors can be looked up."""
    assert by_code("e2")[0].rules[0] == "orphan-result"
    assert by_code("E999") == ()
