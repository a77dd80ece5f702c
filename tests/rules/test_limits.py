"""Limits: each number has its evidence, and only what is settled makes an error."""

from __future__ import annotations

import pytest
from condense_cli.model.findings import Severity
from condense_cli.rules.contracts import CONTRACTS
from condense_cli.rules.limits import LIMITS, MIB, Measure, exceeded, has_small_window, limit_for, tier
from hypothesis import given
from hypothesis import strategies as st


def test_every_limit_is_of_a_contract_and_has_a_source():
    """A row names a known contract, how it is known and where that can be read; measured numbers never make an error."""
    assert {limit.contract for limit in LIMITS} <= set(CONTRACTS)
    assert {limit.evidence for limit in LIMITS} <= set("DOM")
    assert [limit for limit in LIMITS if not limit.source] == []
    assert [limit for limit in LIMITS if limit.evidence == "M" and limit.severity is Severity.ERROR] == []


def test_no_limit_is_there_twice():
    """One number for each contract, measure, severity and window."""
    keys = [(limit.contract, limit.measure, limit.severity, limit.small) for limit in LIMITS]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize(
    ("model", "small"),
    [
        ("claude-haiku-4-5-20251001", True),
        ("claude-opus-4-5", True),
        ("claude-opus-4-20250514", True),
        ("us.anthropic.claude-3-5-sonnet-20241022-v2:0", True),
        ("claude-sonnet-4.5", True),
        ("claude-sonnet-4-5[1m]", False),
        ("claude-opus-4-6", False),
        ("claude-opus-4-7", False),
        ("claude-sonnet-4-6", False),
        ("claude-opus-5", False),
        ("gpt-5", False),
        ("", False),
    ],
)
def test_which_models_have_the_small_window(model, small):
    """What is not known is not small."""
    assert has_small_window(model) is small


@pytest.mark.parametrize(
    ("contract", "measure", "value", "model", "expected"),
    [
        ("anthropic", Measure.SIDE, 8000, "", None),
        ("anthropic", Measure.SIDE, 8001, "", (8000, "error")),
        ("anthropic", Measure.IMAGE_BYTES, 5 * MIB + 1, "", (5 * MIB, "error")),
        ("anthropic", Measure.IMAGE_BYTES, 4 * MIB, "", (15 * MIB // 4, "warning")),
        ("anthropic", Measure.IMAGE_BYTES, 15 * MIB // 4, "", None),
        ("anthropic", Measure.MEDIA, 101, "claude-haiku-4-5", (100, "error")),
        ("anthropic", Measure.MEDIA, 601, "claude-haiku-4-5", (100, "error")),
        ("anthropic", Measure.MEDIA, 101, "claude-opus-4-7", None),
        ("anthropic", Measure.PAGES, 150, "claude-opus-4-7", None),
        ("anthropic", Measure.REQUEST_BYTES, 34_000_000, "", (32 * MIB, "warning")),
        ("anthropic", Measure.REQUEST_BYTES, 19_000_000, "", None),
        ("openai-chat", Measure.MEDIA, 10_000, "", None),
        ("deepseek", Measure.MEDIA, 1, "", (0, "error")),
        ("kimi", Measure.SIDE, 1_000_000, "", None),
    ],
)
def test_the_limit_that_a_value_is_over(contract, measure, value, model, expected):
    """The costliest limit counts, the lowest of those; a value that is just at it is within."""
    found = exceeded(contract, measure, value, model)
    assert (found and (found.most, found.severity.value)) == expected


@given(st.sampled_from(list(Measure)), st.integers(0, 200_000_000), st.sampled_from(["", "claude-haiku-4-5", "claude-opus-4-7"]), st.sampled_from(CONTRACTS))
def test_a_tier_says_for_every_contract_what_its_own_limits_say(measure, value, model, contract):
    """One variant stands for a value: each provider's verdict on it is that on the value itself."""
    variant = tier(measure, value, model=model)
    direct = exceeded(contract, measure, value, model)
    if contract not in ("pi", "openclaw", "claude-code", "codex", "opencode"):
        assert (limit_for(variant, contract) if variant else None) == direct


def test_a_client_is_judged_by_the_api_that_it_uses_now():
    """pi takes the limits of the thread's model, Claude Code those of Anthropic, Codex those of Responses."""
    anthropic = tier(Measure.SIDE, 9000, api="anthropic-messages")
    assert limit_for(anthropic, "pi").most == 8000
    assert limit_for(anthropic, "claude-code").most == 8000
    assert limit_for(anthropic, "codex") is None
    assert limit_for(tier(Measure.SIDE, 9000, api="openai-completions"), "pi") is None
    assert limit_for(tier(Measure.SIDE, 9000), "pi") is None
    assert tier(Measure.SIDE, 10) == ""
