"""What tells a rollout from other files."""

from __future__ import annotations

from typing import Any

from condense_cli.document.views import Head
from condense_cli.formats.codex.items import ITEM_TYPES

RECORD_TYPES = frozenset({
    "session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state",
    "inter_agent_communication", "inter_agent_communication_metadata", "token_usage_record", "retained_context",
    "security_risk_score", "realtime_item", "rollout_reference", "agent_response_observation",
})  # fmt: skip


def detect(head: Head) -> bool:
    """A record in Codex's envelope; without envelopes the first line of an early rollout, or its state records."""
    if any(is_record(value) for value in head.records):
        return True
    others = [value for value in head.records if not is_early_meta(value)]
    return len(others) < len(head.records) and all("record_type" in v or v.get("type") in ITEM_TYPES for v in others)


def is_early_meta(value: dict[str, Any]) -> bool:
    """Say whether this is the first line of an early rollout, which has no envelope."""
    return (
        "type" not in value
        and isinstance(value.get("id"), str)
        and "timestamp" in value
        and ("instructions" in value or "git" in value)
    )


def is_record(value: dict[str, Any]) -> bool:
    """An envelope. A bare item is not taken as one: the payload of a damaged record looks the same."""
    kind = value.get("type")
    return isinstance(kind, str) and kind in RECORD_TYPES and isinstance(value.get("payload"), dict)
