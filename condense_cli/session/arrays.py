"""An array of messages that is no file: checked and repaired as bytes."""

from __future__ import annotations

from condense_cli.check.engine import check
from condense_cli.document.memory import BytesInMemory
from condense_cli.formats.read import read_document
from condense_cli.model.findings import Finding
from condense_cli.model.plan import apply
from condense_cli.model.policies import Policies, Trailing
from condense_cli.repair.engine import Choice, make_plan
from condense_cli.rules.contracts import TRAINING


def check_array(raw: bytes, name: str, contract: str) -> tuple[Finding, ...]:
    """Return the findings of an array of messages."""
    document = read_document("conversation", BytesInMemory(raw), name)
    return check(document, [contract]).findings


def repair_array(raw: bytes, name: str, contract: str) -> bytes:
    """Return the repaired array of messages as JSON."""
    source = BytesInMemory(raw)
    plan = make_plan(
        read_document("conversation", source, name),
        Choice((contract,), policies=Policies(trailing=Trailing.DROP if contract == TRAINING else Trailing.KEEP)),
        bind=False,
    )
    return b"".join(apply(plan.segments, source))
