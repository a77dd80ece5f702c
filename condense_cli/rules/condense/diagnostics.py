"""What pi-condense notices while it prunes, under its own names. Its pruning looks for it, and nothing repairs it."""

from __future__ import annotations

from condense_cli.rules import sessions
from condense_cli.rules.rule import Layer, Rule

_FIRST = 1767225600000  # the time of record m0 in the examples, in milliseconds


def _chain(start: int, final: int | None, ids: list[str]) -> dict[str, object]:
    """Return the data of a compressed chain between the messages with these numbers."""
    end = None if final is None else _FIRST + final
    return {
        "blockId": "b1", "startUserTimestamp": _FIRST + start, "finalAssistantTimestamp": end, "droppedToolCallIds": ids,
        "droppedOccurrenceKeys": [], "protectedToolCallIds": [], "toolRefs": [], "compressedAt": _FIRST, "rangeSummaryText": "One file.",
    }  # fmt: skip


def _compressed(start: int, final: int | None, ids: list[str]) -> dict[str, object]:
    return sessions.other("custom", "m5", "m4", customType="context-prune-chain", data=_chain(start, final, ids))


def _noticed(kind: str, detail: str) -> dict[str, object]:
    return sessions.other(
        "custom", "m5", "m4", customType="context-prune-diagnostic", data={"kind": kind, "detail": detail}
    )


_TURN = (sessions.ASKED, sessions.CALLED, sessions.ANSWERED, sessions.SAID)

UNRESOLVED_RANGE = Rule(
    "unresolved-range", Layer.CONDENSE,
    "a compressed chain does not begin and end at one message each, or lies inside another one, so it is not pruned",
    "",
    sessions.pi(6, *_TURN, _compressed(1, 8, ["call_1"])),
)  # fmt: skip

RANGE_ID_MISMATCH = Rule(
    "range-id-mismatch", Layer.CONDENSE,
    "the calls between the ends of a compressed chain are not those that were recorded for it",
    "",
    sessions.pi(6, *_TURN, _compressed(1, 4, ["call_2"])),
)  # fmt: skip

ORPHAN_SWEEP = Rule(
    "orphan-sweep", Layer.CONDENSE,
    "pruning takes out results whose call is not right before them",
    "",
    sessions.pi(6, *_TURN, _noticed("orphan-sweep", "swept 1 orphan toolResult(s): call_9")),
)  # fmt: skip

BACKFILL_EMPTY = Rule(
    "backfill-empty", Layer.CONDENSE,
    "a closed chain has no output that could be kept, so it is not compressed",
    "",
    sessions.pi(6, *_TURN, _noticed("backfill-empty", "middles=1")),
)  # fmt: skip
