"""Limits: each number has its evidence, and only what is settled makes an error."""

from __future__ import annotations

import pytest
from condense_cli.model.findings import Severity
from condense_cli.rules.contracts import CONTRACTS
from condense_cli.rules.limits import LIMITS, MIB, Measure, exceeded, has_small_window


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
