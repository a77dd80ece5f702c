"""Who minds what: the table is complete and says what its notes say."""

import re

import pytest
from condense_cli.formats import BY_NAME
from condense_cli.model.findings import Severity
from condense_cli.rules.catalogue import PAIRING_RULES, RULES, Layer
from condense_cli.rules.contracts import _CELLS, CLIENTS, CONTRACTS, NOT_A_RULE, PROVIDERS, cell, severity, variants

E, W, I = Severity.ERROR, Severity.WARNING, Severity.INFO
OWN_LAYERS = [name for name, rule in RULES.items() if rule.layer in (Layer.LINE, Layer.HEADER, Layer.TREE, Layer.CONDENSE)]


def test_every_rule_has_its_row():
    """Each rule has at least one row, each row a rule and a cell for every contract."""
    assert {rule for rule, _, _ in _CELLS} == set(RULES)
    assert {contract for _, _, contract in _CELLS} == set(CONTRACTS)
    assert len(_CELLS) == len({(rule, variant) for rule, variant, _ in _CELLS}) * len(CONTRACTS)


def test_somebody_minds_every_rule():
    """No rule is there for nobody, and none is an error that has no evidence and no source."""
    for rule in RULES:
        assert any(cell(rule, variant, contract).severity for variant in variants(rule) for contract in CONTRACTS), rule
    for key, found in _CELLS.items():
        assert (found == NOT_A_RULE) or (re.fullmatch("[LSOMDPI]", found.evidence) and len(found.source) > 5), key


def test_what_is_only_inferred_is_no_error():
    """A severity that nobody has seen or read is at most a warning."""
    assert [key for key, found in _CELLS.items() if found.evidence == "I" and found.severity is E] == []


def test_what_was_seen_is_seen_with_a_real_client():
    """L and S are evidence about clients, or about a provider's API that a client's request went to."""
    assert {contract for (_, _, contract), found in _CELLS.items() if found.evidence == "L"} >= {"pi", "claude-code", "codex"}
    assert not {contract for (_, _, contract), found in _CELLS.items() if found.evidence == "L"} & {"bedrock", "mistral", "deepseek", "kimi"}


@pytest.mark.parametrize("contract", PROVIDERS)
def test_orphans_are_errors_for_every_provider(contract):
    """A result without a call, and a call without a result, are refused by all of them; one that may be running is not told so."""
    assert severity("orphan-result", "", contract, contract) is E
    assert severity("unanswered-call", "", contract, contract) is E
    assert severity("trailing-call", "", contract, contract) is I


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("orphan-result", {"pi": E, "openclaw": W, "claude-code": W, "codex": W}),
        ("unanswered-call", {"pi": W, "openclaw": W, "claude-code": W, "codex": W}),
        ("displaced-result", {"pi": E, "claude-code": W, "codex": I, "openai-responses": I, "anthropic": E}),
        ("displaced-result:server", {"claude-code": E, "anthropic": E}),
        ("reused-id", {"pi": I, "claude-code": E, "codex": W, "openai-chat": I, "anthropic": E, "bedrock": W, "gemini": None, "mistral": I}),
        ("reused-id:anthropic", {"pi": E, "openclaw": E}),
        ("duplicate-record", {"pi": W, "claude-code": I, "codex": E, "openai-chat": None}),
        ("missing-header", {"pi": E, "openclaw": E, "claude-code": None, "codex": E}),
        ("missing-parent", {"pi": E, "openclaw": W, "claude-code": W, "codex": None}),
        ("roles-not-alternating", {"anthropic": I, "bedrock": E, "mistral": E, "openai-chat": None}),
        ("ends-with-assistant", {"anthropic": I, "bedrock": I, "openai-chat": None, "pi": None}),
        ("missing-reasoning", {"openai-chat": I, "kimi": E, "deepseek": E, "mistral": None}),
        ("invalid-call-id", dict.fromkeys(set(CONTRACTS) - {"gemini"}, E)),
        ("invalid-call-id:long", {"pi": W, "codex": E, "openai-chat": E, "gemini": None}),
        ("invalid-call-id:over-40", {"openai-chat": I, "pi": None}),
        ("invalid-call-id:not-nine", {"mistral": E, "openai-chat": None, "pi": None}),
        ("invalid-call-id:charset", {"pi": None, "claude-code": E, "anthropic": E, "openai-chat": None}),
        ("invalid-call-id:own", {"pi": E, "openclaw": E, "openai-chat": None}),
        ("blank-text:white", {"anthropic": W, "bedrock": E}),
        ("blank-text:empty", {"anthropic": E, "codex": I}),
        ("text-after-call", {"pi": I, "anthropic": W, "claude-code": None}),
        ("text-after-call:native", {"pi": W, "openclaw": W}),
        ("unsigned-thinking:sent", {"pi": W, "openclaw": E, "anthropic": E, "codex": None}),
        ("unreachable-reply", {"claude-code": E, "pi": None}),
        ("invalid-utf8:unreadable", {"codex": E, "claude-code": None}),
        ("dangling-ref", {"pi": I, "codex": None}),
        ("dangling-ref:kept", {"pi": W, "openclaw": W}),
        ("bom", {"claude-code": W, "codex": E, "anthropic": W}),
    ],
)
def test_severities(rule, expected):
    """What each contract makes of a rule is what was found out about it."""
    name, _, variant = rule.partition(":")

    assert {contract: cell(name, variant, contract).severity for contract in expected} == expected


@pytest.mark.parametrize("rule", sorted(PAIRING_RULES - {"trailing-call", "reused-id", "displaced-result", "duplicate-call-id", "stored-twice"}))
def test_pairing_is_no_matter_of_taste(rule):
    """No provider takes a broken pair for a warning."""
    assert {cell(rule, "", contract).severity for contract in PROVIDERS} == {E}


@pytest.mark.parametrize("rule", OWN_LAYERS)
def test_the_file_is_its_own_clients_business(rule):
    """Whatever contract is asked about, lines, headers, trees and references are judged by the session's own client."""
    for own in CLIENTS:
        assert {severity(rule, "", contract, own) for contract in CONTRACTS} == {cell(rule, "", own).severity}


def test_what_is_sent_is_the_contracts_business():
    """Pairing is judged by the contract that is asked about, whatever client wrote the session."""
    assert severity("unanswered-call", "", "anthropic", "pi") is E
    assert severity("unanswered-call", "", "pi", "anthropic") is W


def test_a_variant_without_a_row_takes_that_of_its_rule():
    """One that has a row does not, even where the row says that it is no rule."""
    assert cell("orphan-result", "no such variant", "pi") == cell("orphan-result", "", "pi")
    assert cell("displaced-result", "server", "pi").severity is None
    assert cell("no such rule", "", "pi") == NOT_A_RULE
    assert variants("invalid-call-id") == ("", "charset", "own", "long", "over-40", "not-nine")


def test_formats_stand_for_contracts():
    """Every format's own contract has a column; a client with a column is a format."""
    assert {fmt.contract for fmt in BY_NAME.values()} <= set(CONTRACTS)
    assert set(CLIENTS) <= set(BY_NAME)
