"""From a finding to the text that its contract answers with."""

from __future__ import annotations

from functools import cache

from condense_cli.rules.refusals.row import PLACEHOLDER, UNKNOWN, Refusal
from condense_cli.rules.refusals.table import REFUSALS


def provider_error(
    rule: str,
    variant: str,
    contract: str,
    *,
    call_id: str | None = None,
    index: int | None = None,
    part: int | None = None,
    name: str | None = None,
) -> str | None:
    """Return the literal text that this contract answers with for this finding, or None if none is known.

    index is the message's number and part the block's, both from 0. What is not given stays a capital
    placeholder (N, M, ID, NAME).
    """
    refusal = _refusal_for(rule, variant, _shape(rule, call_id, name), contract)
    if refusal is None:
        return None
    given: dict[str, object] = {"n": index, "m": part, "id": call_id, "ids": call_id, "name": name}
    if call_id is not None:
        given["length"] = len(call_id.encode("utf-16-le", "surrogatepass")) // 2
    return PLACEHOLDER.sub(lambda found: _filled(found[1], given), refusal.literal)


def texts(rule: str, contract: str | None = None) -> tuple[Refusal, ...]:
    """Return the refusals that a rule can cause, those of which it is the likeliest cause first."""
    found = [r for r in REFUSALS if rule in r.rules and (contract is None or contract in r.contracts)]
    return tuple(sorted(found, key=lambda refusal: refusal.rules.index(rule)))


def _shape(rule: str, call_id: str | None, name: str | None) -> str:
    """Read from the value itself what is wrong with it, where the variant does not say so."""
    value = {"invalid-call-id": call_id, "invalid-tool-name": name}.get(rule)
    if value is None:
        return ""
    if not value:
        return "empty"
    return "long" if len(value) > 64 else "characters"


@cache
def _refusal_for(rule: str, variant: str, shape: str, contract: str) -> Refusal | None:
    def distance(refusal: Refusal) -> tuple[int, int, bool]:
        wordings = refusal.variant.split()
        near = 0 if variant and variant in wordings else 1 if shape and shape in wordings else 2
        return near, refusal.rules.index(rule), bool(wordings)

    return min(texts(rule, contract), key=distance, default=None)


def _filled(placeholder: str, given: dict[str, object]) -> str:
    value = given.get(placeholder)
    return UNKNOWN[placeholder] if value is None else str(value)
